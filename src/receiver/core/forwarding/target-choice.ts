// Chooses the targets of a delivery: an event with a route goes to the route's target, every other event to the targets for the rest.

import { usageError } from '#failure.ts';
import type { DeliveredEvent, DeliveredEvents } from '../intake/read-events.ts';
import type { Target } from './target.ts';

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

/**
 * Creates a target for each distinct URL.
 * @throws {Failure} `usage` if two URLs differ only in what the name of a target leaves out: the journal could not tell them apart.
 */
export function createUrlTargets(
  urls: readonly string[],
  create: (url: string) => Target,
): ReadonlyMap<string, Target> {
  const targets = new Map([...new Set(urls)].map((url) => [url, create(url)]));
  const names = new Set([...targets.values()].map(({ name }) => name));
  if (names.size === targets.size) return targets;
  throw usageError(
    'Two URLs differ only in their query or their spelling',
    'Forward to one of them, or give one of them another path.',
  );
}
