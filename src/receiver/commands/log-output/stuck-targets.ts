// What has not reached its targets: for each target how many deliveries wait, since when and why, and how many were given up.

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
  /** Its name; empty for deliveries without an attempt, if nobody wrote down where they go. */
  readonly target: string;
  /** No attempt yet. */
  readonly waiting: number;
  /** The last attempt failed, and another follows. */
  readonly retrying: number;
  /** Given up, and not replayed since. */
  readonly dead: number;
  /** Of those that wait or are retried, otherwise of those that were given up. */
  readonly oldest: Pick<KnownDelivery, 'sequence' | 'receivedAt'>;
  /** The last failed attempt of any of them. */
  readonly lastFailure: Pick<Attempt, 'time' | 'outcome'> | undefined;
  /** Why nothing reached it at last, and since when; `undefined` if it can be reached, or no receiver has tried. */
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

/** In the order of their targets' oldest deliveries. `deliveries`: in the order of their numbers. */
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

/** Those that neither have it nor were given up for it: by the receiver's own choice, or as far as attempts show. */
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
