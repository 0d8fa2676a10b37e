// Declares a target of deliveries: a URL, a command or standard output. A target makes one attempt; the forwarder decides about retries.
// Chooses the targets of a delivery: an event with a route goes to the route's target, every other event to the targets for the rest.

import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { StoredDelivery } from '../intake/delivery-journal.ts';
import type { DeliveredEvent, DeliveredEvents } from '../intake/read-events.ts';

export interface Target {
  /** Names it in the journal and to the user, without credentials or a query: `http://127.0.0.1:3000/hook`, `exec`, `print`. */
  readonly name: string;
  /**
   * Makes one attempt; `attempt`: its number, from 1. Never rejects. The signal ends it early. `mayRepeat`: another process may have sent
   * the delivery without recording it.
   */
  send(
    delivery: StoredDelivery,
    attempt: number,
    signal: AbortSignal,
    mayRepeat?: boolean,
  ): Promise<AttemptResult>;
}

export const maxDetailCharacters = 1000;

/** The beginning of a detail in one line, as the journal keeps it. */
export function excerptOf(detail = ''): string {
  return detail.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
}

export interface AttemptResult {
  /** `retry`: this delivery failed. `dead`: it would always fail. `unavailable`: the target was not reached. */
  readonly verdict: 'forwarded' | 'retry' | 'dead' | 'unavailable';
  /** {@link Attempt.outcome} */
  readonly outcome: string;
  readonly milliseconds: number;
  /** The target's response, or the error: hostile text, at most {@link maxDetailCharacters}. */
  readonly detail?: string;
  /** How long the target asks wm to wait before the next attempt (`Retry-After`). */
  readonly retryAfterMs?: number;
}

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

/** Returns the URL without its fragment. `where`: the flag. @throws {Failure} `usage` unless it is an http(s) URL without credentials. */
export function checkTargetUrl(text: string, where: string): string {
  const isUsable = /^https?:\/\/[^\s\\\p{C}]+$/iu.test(text) && URL.canParse(text);
  if (!isUsable)
    throw usageError(
      // The part before an @ may be a password.
      `${where}: ${text.includes('@') ? 'it' : formatValue(text)} is not an http or https URL`,
      'For example: http://127.0.0.1:3000/hook',
    );
  const { username, password } = new URL(text);
  // Credentials would be shown with each delivery and stored in the journal.
  if (username !== '' || password !== '')
    throw usageError(
      `${where}: the URL contains credentials`,
      "Give them as a header instead: --forward-header 'Authorization: Basic ...'",
    );
  return text.replace(/#.*$/s, '');
}

/** Accepts a Host header: `app.example.com` or `app.example.com:8080`. @throws {Failure} `usage` for any other text. */
export function checkTargetHost(text: string, where: string): string {
  if (/^[^\s/?#@\\\p{C}]+$/u.test(text) && URL.canParse(`http://${text}`)) return text;
  throw usageError(
    `${where}: ${formatValue(text)} is not a host`,
    'For example: app.example.com or app.example.com:8080',
  );
}

/** Leaves out the query, which may hold a secret. */
export function targetName(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
