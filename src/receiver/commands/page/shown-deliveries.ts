// Keeps the last deliveries and their outcomes for the page. Bodies and headers stay in the journal: 500 bodies of 32 MiB would not fit
// into memory.

import { omitUndefined } from '#omit-undefined.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import { type KnownDelivery, lastAttempt, stateOf, toKnownDelivery } from '../deliveries/known-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import { type DeliveryRow, type ShownAttempt, shownDeliveries } from './page-messages.ts';
import type { PageActivity } from './page-source.ts';

/** The title of a task or folder, if this machine has read it. */
export type TitleOf = (id: string) => string | undefined;

const longestText = 200;

/** `earlier`: deliveries of earlier runs, oldest first. */
export function createShownDeliveries(earlier: readonly KnownDelivery[]) {
  const recent = new Map<number, KnownDelivery>();
  /** Replaces all deliveries by these, oldest first. */
  const replace = (deliveries: readonly KnownDelivery[]) => {
    recent.clear();
    for (const one of deliveries.slice(-shownDeliveries)) recent.set(one.sequence, one);
  };
  replace(earlier);
  const details = new WeakMap<Attempt | Replay, string>();
  return {
    /** Returns the number of the delivery whose row has changed, if any. */
    apply(activity: PageActivity) {
      if (activity.kind === 'stored') {
        const { delivery } = activity;
        const known = toKnownDelivery(delivery);
        recent.set(known.sequence, known);
        const [first] = recent.keys();
        if (recent.size > shownDeliveries && first !== undefined) recent.delete(first);
        return known.sequence;
      }
      if (activity.kind !== 'attempt' && activity.kind !== 'duplicate') return undefined;
      const known = recent.get(activity.sequence);
      if (known === undefined) return undefined;
      if (activity.kind === 'duplicate') known.duplicates++;
      else {
        // Leave out the delivery, which holds the body.
        const { kind, sequence, time, target, attempt, milliseconds, outcome, verdict, finishes } = activity;
        const made = { kind, sequence, time, target, attempt, milliseconds, outcome, verdict, finishes };
        known.attempts.push(made);
        details.set(made, activity.detail ?? '');
      }
      return known.sequence;
    },
    replace,
    /** Adds a replay. Returns false for a known replay, or one of an older delivery. */
    addReplay({ detail = '', ...replay }: Replay & { readonly detail?: string }) {
      const known = recent.get(replay.sequence);
      // A replay from the page comes a second time, from the file of replays.
      const same = known?.replays.find((one) => isSameReplay(one, replay));
      if (detail !== '') details.set(same ?? replay, detail);
      if (known && !same) known.replays.push(replay);
      return known !== undefined && same === undefined;
    },
    /** Returns `undefined` for an older delivery. */
    get: (sequence: number) => recent.get(sequence),
    /** Oldest first. */
    all: () => [...recent.values()],
    /** The responses of targets are known only for this run. */
    attemptsOf: ({ attempts, replays }: KnownDelivery) =>
      [...attempts, ...replays]
        .toSorted((one, other) => one.time - other.time)
        .map((one) => toShownAttempt(one, details.get(one))),
  };
}

function isSameReplay(one: Replay, other: Replay): boolean {
  return (
    one.time === other.time &&
    one.target === other.target &&
    one.outcome === other.outcome &&
    one.milliseconds === other.milliseconds
  );
}

export function toShownAttempt(one: Attempt | Replay, detail = ''): ShownAttempt {
  const { time, target, outcome, milliseconds, verdict } = one;
  return {
    time,
    target,
    outcome,
    milliseconds,
    verdict,
    attempt: 'attempt' in one ? one.attempt : 0,
    detail,
  };
}

export function toRow(known: KnownDelivery, titleOf: TitleOf): DeliveryRow {
  const { sequence, receivedAt, bytes, signature, duplicates, events, moreEvents, ids } = known;
  const last = lastAttempt(known);
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
    state: stateOf(known),
    outcome: shorten(last?.outcome ?? ''),
    milliseconds: last?.milliseconds ?? 0,
  };
}

const shorten = (text: string) => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);
