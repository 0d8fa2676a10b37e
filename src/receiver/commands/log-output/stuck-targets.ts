// Finds the targets that deliveries have not reached: how many wait, since when and why, and how many are dead letters.

import { createTargetChoice, type RoutedEvents } from '#receiver/forwarding/target-choice.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import {
  deadTargets,
  isUnfinished,
  type LoggedDelivery,
  routedEventsOf,
} from '../deliveries/logged-delivery.ts';
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
  readonly oldest: Pick<LoggedDelivery, 'sequence' | 'receivedAt'>;
  /** The last failed attempt at the target. */
  readonly lastFailure: Pick<Attempt, 'time' | 'outcome'> | undefined;
  /** Why the target cannot be reached, and since when; `undefined` if it can, or no receiver has tried. */
  readonly outage: { readonly fault: string; readonly since: number } | undefined;
}

/** Returns the targets by their oldest delivery. `deliveries`: in the order of their numbers. */
export function findStuck(
  deliveries: readonly LoggedDelivery[],
  forwarding: Forwarding | undefined,
): readonly StuckTarget[] {
  const choose = forwarding && createTargetChoice(forwarding);
  const targets = new Map<string, ReturnType<typeof createCounts>>();
  const countsOf = (target: string) => {
    const counts = targets.get(target) ?? createCounts();
    targets.set(target, counts);
    return counts;
  };
  for (const delivery of deliveries) {
    const last = new Map(delivery.attempts.map((attempt) => [attempt.target, attempt]));
    for (const target of isUnfinished(delivery) ? openTargets(delivery, last, choose) : []) {
      const counts = countsOf(target);
      const attempt = last.get(target);
      counts.oldest ??= delivery;
      if (attempt) counts.retrying += 1;
      else counts.waiting += 1;
      counts.lastFailure = later(counts.lastFailure, attempt);
    }
    for (const target of deadTargets(delivery)) {
      const counts = countsOf(target);
      counts.oldestDead ??= delivery;
      counts.dead += 1;
      counts.lastFailure = later(counts.lastFailure, last.get(target));
    }
  }
  return [...targets].flatMap(([target, { oldest, oldestDead, ...counts }]) => {
    const first = oldest ?? oldestDead;
    const outage = forwarding?.outages.find((outage) => outage.target === target);
    return first ? [{ target, ...counts, oldest: first, outage }] : [];
  });
}

const createCounts = () => ({
  ...{ waiting: 0, retrying: 0, dead: 0 },
  oldest: undefined as LoggedDelivery | undefined,
  oldestDead: undefined as LoggedDelivery | undefined,
  lastFailure: undefined as Attempt | undefined,
});

/** The targets that still need the delivery, from the receiver's routes or else from the attempts. */
function openTargets(
  delivery: LoggedDelivery,
  last: ReadonlyMap<string, Attempt>,
  choose: ((events: RoutedEvents) => readonly string[]) | undefined,
): readonly string[] {
  const chosen = choose?.(routedEventsOf(delivery));
  const failing = [...last].flatMap(([target, { verdict }]) => (verdict === 'retry' ? [target] : []));
  const open = chosen?.filter((target) => (last.get(target)?.verdict ?? 'retry') === 'retry') ?? failing;
  return open.length === 0 && last.size === 0 ? [''] : open;
}

function later(first: Attempt | undefined, second: Attempt | undefined): Attempt | undefined {
  return first === undefined || (second !== undefined && second.time >= first.time) ? second : first;
}
