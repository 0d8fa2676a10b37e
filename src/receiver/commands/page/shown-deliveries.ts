// Keeps the last deliveries and their outcomes for the page. Bodies and headers stay in the journal: they may not fit into memory.

import { omitUndefined } from '#omit-undefined.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import {
  type LoggedDelivery,
  lastAttempt,
  stateOf,
  toLoggedDelivery,
} from '../deliveries/logged-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { type DeliveryRow, type ShownAttempt, shownDeliveries } from './page-messages.ts';
import type { PageActivity } from './page-source.ts';

export type TitleOf = (id: string) => string | undefined;

const longestText = 200;

/** `earlier`: deliveries of earlier runs, oldest first. */
export function createShownDeliveries(earlier: readonly LoggedDelivery[]) {
  const recent = new Map<number, LoggedDelivery>();
  const replace = (deliveries: readonly LoggedDelivery[]) => {
    recent.clear();
    for (const delivery of deliveries.slice(-shownDeliveries)) recent.set(delivery.sequence, delivery);
  };
  replace(earlier);
  return {
    /** Returns the number of the delivery whose row has changed, if any. */
    apply(activity: PageActivity) {
      if (activity.kind === 'stored') {
        const delivery = toLoggedDelivery(activity.delivery);
        recent.set(delivery.sequence, delivery);
        const [first] = recent.keys();
        if (recent.size > shownDeliveries && first !== undefined) recent.delete(first);
        return delivery.sequence;
      }
      if (activity.kind !== 'attempt' && activity.kind !== 'duplicate') return undefined;
      const delivery = recent.get(activity.sequence);
      if (delivery === undefined) return undefined;
      if (activity.kind === 'duplicate') delivery.duplicates++;
      else {
        // It holds the body.
        const { delivery: _, ...attempt } = { delivery: undefined, ...activity };
        delivery.attempts.push(attempt);
      }
      return delivery.sequence;
    },
    replace,
    /** Adds a replay. Returns false for a known replay, or one of an older delivery. */
    addReplay(replay: Replay) {
      const delivery = recent.get(replay.sequence);
      // A replay from the page comes a second time, from the file of replays.
      const isKnown = delivery?.replays.some((earlier) => isSameReplay(earlier, replay));
      if (isKnown === false) delivery?.replays.push(replay);
      return isKnown === false;
    },
    get: (sequence: number) => recent.get(sequence),
    /** Oldest first. */
    all: () => [...recent.values()],
    attemptsOf: ({ attempts, replays }: LoggedDelivery) =>
      [...attempts, ...replays].toSorted((a, b) => a.time - b.time).map(toShownAttempt),
  };
}

const isSameReplay = (a: Replay, b: Replay) =>
  (['time', 'target', 'outcome', 'milliseconds'] as const).every((member) => a[member] === b[member]);

export function toShownAttempt(made: Attempt | Replay): ShownAttempt {
  const { time, target, outcome, milliseconds, verdict, detail = '' } = made;
  const attempt = 'attempt' in made ? made.attempt : 0;
  return { time, target, outcome, milliseconds, verdict, attempt, detail };
}

export function toRow(delivery: LoggedDelivery, titleOf: TitleOf): DeliveryRow {
  const { sequence, receivedAt, bytes, signature, duplicates, events, moreEvents, ids } = delivery;
  const last = lastAttempt(delivery);
  return {
    sequence,
    receivedAt,
    bytes,
    events: events.slice(0, 10).map(shorten),
    ...omitUndefined({ moreEvents }),
    subjects: ids.slice(0, 10).map(shorten),
    title: shorten(titleOf(ids[0] ?? '') ?? ''),
    signature,
    duplicates,
    state: stateOf(delivery),
    outcome: shorten(last?.outcome ?? ''),
    milliseconds: last?.milliseconds ?? 0,
  };
}

const shorten = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);
