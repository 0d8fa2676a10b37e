// Chooses the targets of a delivery: an event with a route goes to the route's target, every other event to the targets for the rest.

import { usageError } from '#failure.ts';
import type { DeliveredEvent, DeliveredEvents } from '../intake/read-events.ts';
import type { Target } from './target.ts';

/** Of targets, or of their names. */
export interface Routes<T> {
  readonly routes: readonly { readonly events: readonly string[]; readonly target: T }[];
  /** Get the events that no route names. */
  readonly rest: readonly T[];
  /** Get every delivery. */
  readonly every: readonly T[];
}

/** What a target is chosen by. */
export type RoutedEvents = Pick<DeliveredEvents, 'count'> & {
  readonly events: readonly Pick<DeliveredEvent, 'eventType'>[];
};

/**
 * A body is never split, since its signature covers all of it: with events of several routes it goes whole to each of them. One
 * without a readable event goes to `rest`, and one with more events than are read to all.
 */
export function createTargetChoice<T>({
  routes,
  rest,
  every,
}: Routes<T>): (found: RoutedEvents) => readonly T[] {
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
 * A target for each URL, and one for a URL that is given twice.
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
