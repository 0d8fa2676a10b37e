// Combines the records of one delivery: its content, attempts and duplicates from the journal, and its replays from a separate file.

import { eventNames } from '#contract/event.ts';
import { words } from '#contract/words.ts';
import { excerptOf } from '#receiver/core/forwarding/target.ts';
import type { Attempt, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { type DeliveredEvents, maxReadEvents, readEvents } from '#receiver/core/intake/read-events.ts';
import { countMore, shownEvents } from './delivery-summary.ts';
import type { Replay } from './replays-file.ts';

export interface LoggedDelivery
  extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature' | 'idempotencyKey'> {
  readonly bytes: number;
  /** The event types, each once. After the first 100 events, only types that the service has. */
  readonly events: readonly string[];
  /** The subjects of the first 100 events, each once. */
  readonly ids: readonly string[];
  /** The number of events after the first 100; absent if 0. */
  readonly moreEvents?: number;
  duplicates: number;
  readonly attempts: Attempt[];
  readonly replays: Replay[];
  /** The delivery is finished, but the journal has dropped its last attempts. */
  wasDropped?: true;
}

const serviceEvents: ReadonlySet<string> = new Set(eventNames);

/** Leaves out the body: a journal may hold a million deliveries. */
export function toLoggedDelivery(
  { sequence, receivedAt, signature, idempotencyKey, body }: StoredDelivery,
  { events, count }: DeliveredEvents = readEvents(body),
): LoggedDelivery {
  return {
    sequence,
    receivedAt,
    signature,
    idempotencyKey,
    bytes: body.length,
    events: unique(
      events
        .filter(({ eventType }, index) => index < shownEvents || serviceEvents.has(eventType))
        .map(({ eventType }) => eventType),
    ),
    ids: unique(events.slice(0, shownEvents).map(({ subjectId }) => subjectId)),
    ...countMore({ count }),
    duplicates: 0,
    attempts: [],
    replays: [],
  };
}

export const routedEventsOf = ({ events, moreEvents = 0 }: LoggedDelivery) => ({
  events: events.map((eventType) => ({ eventType })),
  count: moreEvents > maxReadEvents - shownEvents ? Number.POSITIVE_INFINITY : events.length,
});

function unique(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text === undefined || text === '' ? [] : [text])))];
}

/**
 * - `waiting`: no attempt yet
 * - `retrying`: the last attempt failed, and another follows
 * - `no-target`: none of the targets takes its events, so it was only stored
 * - `dead`: a dead letter, of at least one target
 * - `unknown`: no listener will forward it any more, but its last attempts were dropped from the journal
 * - `replayed`: a dead letter that `wm webhook replay` has delivered since, or that was imported into a sink
 */
export const deliveryStates = words('waiting retrying forwarded no-target dead replayed unknown');
export type DeliveryState = (typeof deliveryStates)[number];

export function stateOf(delivery: LoggedDelivery): DeliveryState {
  const { attempts } = delivery;
  if (hasDied(delivery)) return deadTargets(delivery).length > 0 ? 'dead' : 'replayed';
  if (attempts.some(({ finishes }) => finishes))
    return attempts.every(({ target }) => target === '') ? 'no-target' : 'forwarded';
  if (delivery.wasDropped) return 'unknown';
  return attempts.length === 0 ? 'waiting' : 'retrying';
}

/** True if a listener still has to forward the delivery, now or when it runs again. */
export function isUnfinished({ attempts, wasDropped }: LoggedDelivery): boolean {
  return !wasDropped && !attempts.some(({ finishes }) => finishes);
}

const hasDied = ({ attempts }: LoggedDelivery) => attempts.some(({ verdict }) => verdict === 'dead');

/** The outcome that a journal notes for a delivery that was imported into a sink. */
export const importedOutcome = 'imported';

/**
 * The targets for which the delivery is still a dead letter. A replay to such a target settles that target. A replay elsewhere settles all,
 * because the user chose another target; so does an import into a sink.
 */
export function deadTargets(delivery: LoggedDelivery): readonly string[] {
  if (!hasDied(delivery)) return [];
  const { attempts, replays } = delivery;
  const dead = [...new Set(attempts.flatMap(({ verdict, target }) => (verdict === 'dead' ? [target] : [])))];
  const imported = attempts.filter(({ outcome }) => outcome === importedOutcome);
  const reached = [...imported, ...replays].flatMap(({ verdict, target }) =>
    verdict === 'forwarded' ? [target] : [],
  );
  if (reached.some((target) => !dead.includes(target))) return [];
  return dead.filter((target) => !reached.includes(target));
}

export function targetsOf({ attempts, replays }: LoggedDelivery): readonly string[] {
  return [...new Set([...attempts, ...replays].map(({ target }) => target))].filter(
    (target) => target !== '',
  );
}

export function lastAttempt({ attempts, replays }: LoggedDelivery): Attempt | Replay | undefined {
  return replays.at(-1) ?? attempts.at(-1);
}

/** `500: no such table` */
export function describeFailure({ outcome, detail }: Pick<Attempt, 'outcome' | 'detail'>): string {
  const text = excerptOf(detail);
  return text === '' || text === outcome ? outcome : `${outcome}: ${text}`;
}
