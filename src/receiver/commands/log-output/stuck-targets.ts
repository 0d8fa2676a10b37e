// Finds the targets that deliveries have not reached: how many wait, since when and why, and how many are dead letters.

import { createTargetChoice, type RoutedEvents } from '#receiver/forwarding/target-choice.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import {
  deadTargets,
  isUnfinished,
  type KnownDelivery,
  routedEventsOf,
} from '../deliveries/known-delivery.ts';
import type { Forwarding } from '../listening/forwarding-file.ts';

export interface StuckTarget {
  /** The target's name; empty for deliveries without an attempt or a recorded target. */
  readonly target: string;
  /** Deliveries without an attempt. */
  readonly waiting: number;
  /** Deliveries whose last attempt failed, with another to follow. */
  readonly retrying: number;
  /** Dead letters that were not replayed. */
  readonly dead: number;
  /** The oldest delivery that waits or is retried, or else the oldest dead letter. */
  readonly oldest: Pick<KnownDelivery, 'sequence' | 'receivedAt'>;
  /** The last failed attempt at the target. */
  readonly lastFailure: Pick<Attempt, 'time' | 'outcome'> | undefined;
  /** Why the target cannot be reached, and since when; `undefined` if it can, or no receiver has tried. */
  readonly outage: { readonly fault: string; readonly since: number } | undefined;
}

interface Counted {
  waiting: number;
  retrying: number;
  dead: number;
  oldest: KnownDelivery | undefined;
  oldestDead: KnownDelivery | undefined;
  lastFailure: Attempt | undefined;
}

/** Returns the targets by their oldest delivery. `deliveries`: in the order of their numbers. */
export function findStuck(
  deliveries: readonly KnownDelivery[],
  forwarding: Forwarding | undefined,
): readonly StuckTarget[] {
  const choose = forwarding && createTargetChoice(forwarding);
  const targets = new Map<string, Counted>();
  const countedAt = (target: string): Counted => {
    const known = targets.get(target);
    if (known) return known;
    const none = { waiting: 0, retrying: 0, dead: 0 };
    const counted = { ...none, oldest: undefined, oldestDead: undefined, lastFailure: undefined };
    targets.set(target, counted);
    return counted;
  };
  for (const known of deliveries) {
    const last = new Map(known.attempts.map((attempt) => [attempt.target, attempt]));
    for (const target of isUnfinished(known) ? openTargets(known, last, choose) : []) {
      const counted = countedAt(target);
      const attempt = last.get(target);
      counted.oldest ??= known;
      if (attempt) counted.retrying += 1;
      else counted.waiting += 1;
      counted.lastFailure = later(counted.lastFailure, attempt);
    }
    for (const target of deadTargets(known)) {
      const counted = countedAt(target);
      counted.oldestDead ??= known;
      counted.dead += 1;
      counted.lastFailure = later(counted.lastFailure, last.get(target));
    }
  }
  return [...targets].flatMap(([target, { oldest, oldestDead, ...counted }]) => {
    const first = oldest ?? oldestDead;
    const outage = forwarding?.outages.find((one) => one.target === target);
    return first ? [{ target, ...counted, oldest: first, outage }] : [];
  });
}

/** The targets that still need the delivery, from the receiver's routes or else from the attempts. */
function openTargets(
  known: KnownDelivery,
  last: ReadonlyMap<string, Attempt>,
  choose: ((found: RoutedEvents) => readonly string[]) | undefined,
): readonly string[] {
  const chosen = choose?.(routedEventsOf(known));
  const failing = [...last].flatMap(([target, { verdict }]) => (verdict === 'retry' ? [target] : []));
  const open = chosen?.filter((target) => (last.get(target)?.verdict ?? 'retry') === 'retry') ?? failing;
  return open.length === 0 && last.size === 0 ? [''] : open;
}

function later(one: Attempt | undefined, other: Attempt | undefined): Attempt | undefined {
  return one === undefined || (other !== undefined && other.time >= one.time) ? other : one;
}
