// Chooses the targets of a delivery: an event with a route goes to the route's target, every other event to the targets for the rest.

import type { DeliveredEvent, DeliveredEvents } from '../intake/read-events.ts';

/** Routes to targets, or to the names of targets. */
export interface Routes<T> {
  readonly routes: readonly { readonly events: readonly string[]; readonly target: T }[];
  /** The targets for events without a route. */
  readonly rest: readonly T[];
  /** The targets that get every delivery. */
  readonly every: readonly T[];
}

/** The part of a delivery that decides its targets. */
export type RoutedEvents = Pick<DeliveredEvents, 'count'> & {
  readonly events: readonly Pick<DeliveredEvent, 'eventType'>[];
};

/**
 * A body with events of several routes goes to each of them in full, because its signature covers all of it. A body without a readable
 * event goes to `rest`; a body with too many events to read goes to all targets.
 */
export function createTargetChoice<T>({
  routes,
  rest,
  every,
}: Routes<T>): (delivered: RoutedEvents) => readonly T[] {
  const byEvent = new Map<string, Set<T>>();
  for (const { events, target } of routes)
    for (const event of events) byEvent.set(event, (byEvent.get(event) ?? new Set()).add(target));
  return ({ events, count }) => {
    if (count > events.length)
      return [...new Set([...routes.map(({ target }) => target), ...rest, ...every])];
    const routed = events.flatMap(({ eventType }) => [...(byEvent.get(eventType) ?? rest)]);
    return [...new Set([...(events.length === 0 ? rest : routed), ...every])];
  };
}
