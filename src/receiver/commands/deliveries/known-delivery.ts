// What is known about one delivery: what came in, and what became of it. The journal says it in several entries; the replays,
// which the journal does not know, are in a file of their own.

import { eventNames } from '#contract/event.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import { type DeliveredEvents, mostReadEvents, readEvents } from '#receiver/intake/read-events.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import { countMore, shownEvents } from '../listening/delivery-summary.ts';
import type { Replay } from './replays-file.ts';

export interface KnownDelivery
  extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature' | 'idempotencyKey'> {
  /** Of its body. */
  readonly bytes: number;
  /** The names of its events, each once. Of those after the first 100, only names that the service has. */
  readonly events: readonly string[];
  /** What the first 100 are about, each once. */
  readonly ids: readonly string[];
  /** How many events follow after those 100; absent if there are none. */
  readonly moreEvents?: number;
  /** How often the service sent it again. */
  duplicates: number;
  readonly attempts: Attempt[];
  readonly replays: Replay[];
  /** It is finished, but the attempts that say how were dropped from the journal. */
  wasDropped?: true;
}

const serviceEvents: ReadonlySet<string> = new Set(eventNames);

/** Without its body: a journal may hold a million. */
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

/** For the targets of its events, as far as they are known. */
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

/** A listener still has to forward it, now or when it runs again. */
export function isUnfinished({
  attempts,
  wasDropped,
}: Pick<KnownDelivery, 'attempts' | 'wasDropped'>): boolean {
  return !wasDropped && !attempts.some(({ finishes }) => finishes);
}

/** The outcome of the attempt by which a journal notes that the delivery was imported into a sink. */
export const importedOutcome = 'imported';

/**
 * It is settled for each target: with its last attempt that was not to be repeated, as that attempt says from now on. Without one nobody
 * knows how. Gives that attempt, as it was and as it is.
 */
export function finish(known: KnownDelivery): readonly [was: Attempt, is: Attempt] | undefined {
  const { attempts } = known;
  if (attempts.some(({ finishes }) => finishes)) return undefined;
  const at = attempts.findLastIndex(({ verdict }) => verdict !== 'retry');
  const last = attempts[at];
  if (last === undefined) {
    known.wasDropped = true;
    return undefined;
  }
  const made = { ...last, finishes: true };
  attempts[at] = made;
  return [last, made];
}

/**
 * The targets for which it was given up. A replay to one of them settles that one; a replay elsewhere settles them all, since the
 * user chose that place in their stead, and so does the sink that it was imported into.
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

/** The targets that got it or were to get it, each once. */
export function targetsOf({
  attempts,
  replays,
}: Pick<KnownDelivery, 'attempts' | 'replays'>): readonly string[] {
  return [...new Set([...attempts, ...replays].map(({ target }) => target))].filter(
    (target) => target !== '',
  );
}

/** The last of its attempts and replays; `undefined` before the first. */
export function lastAttempt({
  attempts,
  replays,
}: Pick<KnownDelivery, 'attempts' | 'replays'>): Attempt | Replay | undefined {
  return replays.at(-1) ?? attempts.at(-1);
}
