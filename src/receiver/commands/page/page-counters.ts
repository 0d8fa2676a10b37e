// Computes the numbers at the top of the page, the minutes of its chart, and its current problems. The chart uses the wall clock, as its
// labels do: if the clock is set back, new bars appear further left.

import type { RejectionReason } from '#receiver/intake/delivery-journal.ts';
import { describeFailure } from '../deliveries/logged-delivery.ts';
import { countPossibleDeliveries, describeReasons } from '../listening/listen-counts.ts';
import type { PageActivity, SourceState } from './page-source.ts';

const shownMinutes = 60;
const minuteMs = 60_000;
const isShown = (minute: number, last: number) => minute > last - shownMinutes && minute <= last;

export function createPageCounters() {
  const counts = { received: 0, duplicates: 0, forwarded: 0, failedAttempts: 0, dead: 0, rejected: 0 };
  const rejectedFor: Partial<Record<RejectionReason, number>> = {};
  const targets = new Map<string, string>();
  const failures = new Map<string, string>();
  const minutes = new Map<number, { received: number; failed: number }>();
  const addToMinute = (received: number, failed: number, now: number) => {
    if (received + failed === 0) return;
    const current = Math.floor(now / minuteMs);
    const sums = minutes.get(current) ?? { received: 0, failed: 0 };
    minutes.set(current, { received: sums.received + received, failed: sums.failed + failed });
    for (const minute of minutes.keys()) if (!isShown(minute, current)) minutes.delete(minute);
  };
  return {
    add(activity: PageActivity, now: number) {
      const before = { ...counts };
      if (activity.kind === 'stored') counts.received++;
      else if (activity.kind === 'passed') counts.received += activity.count;
      else if (activity.kind === 'duplicate') counts.duplicates++;
      else if (activity.kind === 'rejected') {
        const count = 1 + (activity.leftOut ?? 0);
        counts.rejected += count;
        rejectedFor[activity.reason] = (rejectedFor[activity.reason] ?? 0) + count;
      } else if (activity.kind === 'attempt') {
        if (activity.verdict !== 'forwarded') {
          counts.failedAttempts++;
          failures.set(activity.target, describeFailure(activity));
        }
        if (activity.verdict === 'forwarded') counts.forwarded++;
        if (activity.verdict === 'dead') counts.dead++;
      } else if (activity.kind === 'target') {
        if (activity.fault === undefined) targets.delete(activity.target);
        else targets.set(activity.target, activity.fault);
      }
      const failed = counts.failedAttempts + counts.rejected - before.failedAttempts - before.rejected;
      addToMinute(counts.received - before.received, failed, now);
    },
    /** Oldest first, without empty minutes. */
    minutes(now: number) {
      const last = Math.floor(now / minuteMs);
      return [...minutes]
        .filter(([minute]) => isShown(minute, last))
        .map(([minute, sums]) => ({ minute, ...sums }))
        .toSorted((a, b) => a.minute - b.minute);
    },
    state({ unfinished, fault, stale, stuck }: SourceState) {
      return {
        counters: {
          ...counts,
          rejectedFor: describeReasons(rejectedFor),
          lostTrust: countPossibleDeliveries(rejectedFor),
          unfinished,
        },
        problems: {
          storage: fault ?? null,
          stale,
          targets: [...targets].map(([target, outage]) => ({ target, fault: outage })),
        },
        stuck: stuck.map((row) => ({ ...row, failure: failures.get(row.target) ?? row.failure ?? '' })),
      };
    },
  };
}
