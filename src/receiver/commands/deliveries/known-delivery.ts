// Combines what is known about one delivery: its content, attempts and duplicates from the journal, and its replays from a separate
// file.

import { eventNames } from '#contract/event.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import { type DeliveredEvents, mostReadEvents, readEvents } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import { countMore, shownEvents } from '../listening/delivery-summary.ts';
import type { Replay } from './replays-file.ts';

export interface KnownDelivery
  extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature' | 'idempotencyKey'> {
  /** The size of the body. */
  readonly bytes: number;
  /** The event types, each once. After the first 100 events, only types that the service has. */
  readonly events: readonly string[];
  /** The subjects of the first 100 events, each once. */
  readonly ids: readonly string[];
  /** The number of events after the first 100; absent if 0. */
  readonly moreEvents?: number;
  /** How often the service repeated the delivery. */
  duplicates: number;
  readonly attempts: Attempt[];
  readonly replays: Replay[];
  /** The delivery is finished, but the journal has dropped its last attempts. */
  wasDropped?: true;
}

const serviceEvents: ReadonlySet<string> = new Set(eventNames);

/** Leaves out the body: a journal may hold a million deliveries. */
export function toKnownDelivery(
  { sequence, receivedAt, signature, idempotencyKey, body }: StoredDelivery,
  found: DeliveredEvents = readEvents(body),
): KnownDelivery {
  const { events } = found;
  return {
    sequence,
    receivedAt,
    signature,
    idempotencyKey,
    bytes: body.length,
    events: unique(
      events
        .filter(({ eventType }, at) => at < shownEvents || serviceEvents.has(eventType))
        .map(({ eventType }) => eventType),
    ),
    ids: unique(events.slice(0, shownEvents).map(({ subjectId }) => subjectId)),
    ...countMore(found),
    duplicates: 0,
    attempts: [],
    replays: [],
  };
}

/** The known events, to choose targets. */
export const routedEventsOf = ({ events, moreEvents = 0 }: Pick<KnownDelivery, 'events' | 'moreEvents'>) => ({
  events: events.map((eventType) => ({ eventType })),
  count: moreEvents > mostReadEvents - shownEvents ? Number.POSITIVE_INFINITY : events.length,
});

function unique(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text === undefined || text === '' ? [] : [text])))];
}

/**
 * - `waiting`: no attempt yet
 * - `retrying`: the last attempt failed, and another follows
 * - `no-target`: no target was given for its events, so it was only stored
 * - `dead`: a dead letter, of at least one target
 * - `unknown`: no listener will forward it any more, but its last attempts were dropped from the journal
 * - `replayed`: it was a dead letter, and `wm webhook replay` has delivered it since, or it was imported into a sink
 */
export const deliveryStates = [
  'waiting',
  'retrying',
  'forwarded',
  'no-target',
  'dead',
  'replayed',
  'unknown',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export function stateOf(known: Pick<KnownDelivery, 'attempts' | 'replays' | 'wasDropped'>): DeliveryState {
  const { attempts } = known;
  if (deadTargets(known).length > 0) return 'dead';
  if (attempts.some(({ verdict }) => verdict === 'dead')) return 'replayed';
  if (attempts.some(({ finishes }) => finishes))
    return attempts.every(({ target }) => target === '') ? 'no-target' : 'forwarded';
  if (known.wasDropped) return 'unknown';
  return attempts.length === 0 ? 'waiting' : 'retrying';
}

/** True if a listener still has to forward the delivery, now or when it runs again. */
export function isUnfinished({
  attempts,
  wasDropped,
}: Pick<KnownDelivery, 'attempts' | 'wasDropped'>): boolean {
  return !wasDropped && !attempts.some(({ finishes }) => finishes);
}

/** The outcome that a journal notes for a delivery that was imported into a sink. */
export const importedOutcome = 'imported';

/**
 * The targets of which the delivery is a dead letter. A replay to such a target settles that one. A replay elsewhere settles all, because
 * the user chose another place; so does the import into a sink.
 */
export function deadTargets({
  attempts,
  replays,
}: Pick<KnownDelivery, 'attempts' | 'replays'>): readonly string[] {
  const dead = [...new Set(attempts.flatMap(({ verdict, target }) => (verdict === 'dead' ? [target] : [])))];
  const imported = attempts.filter(({ outcome }) => outcome === importedOutcome);
  const reached = [...imported, ...replays].flatMap(({ verdict, target }) =>
    verdict === 'forwarded' ? [target] : [],
  );
  if (reached.some((target) => !dead.includes(target))) return [];
  return dead.filter((target) => !reached.includes(target));
}

/** All targets of attempts and replays, each once. */
export function targetsOf({
  attempts,
  replays,
}: Pick<KnownDelivery, 'attempts' | 'replays'>): readonly string[] {
  return [...new Set([...attempts, ...replays].map(({ target }) => target))].filter(
    (target) => target !== '',
  );
}

/** The last attempt or replay; `undefined` before the first. */
export function lastAttempt({
  attempts,
  replays,
}: Pick<KnownDelivery, 'attempts' | 'replays'>): Attempt | Replay | undefined {
  return replays.at(-1) ?? attempts.at(-1);
}
