// Computes the numbers at the top of the page, and its current problems.

import type { RejectionReason } from '#receiver/intake/delivery-journal.ts';
import { countPossibleDeliveries, describeReasons } from '../listening/rejection-words.ts';
import type { PageActivity, SourceState } from './page-source.ts';

export function createPageCounters() {
  const counts = { received: 0, duplicates: 0, forwarded: 0, failedAttempts: 0, dead: 0, rejected: 0 };
  const rejectedFor: Partial<Record<RejectionReason, number>> = {};
  const targets = new Map<string, string>();
  const failures = new Map<string, string>();
  return {
    add(activity: PageActivity) {
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
          failures.set(activity.target, failureOf(activity));
        }
        if (activity.verdict === 'forwarded') counts.forwarded++;
        if (activity.verdict === 'dead') counts.dead++;
      } else if (activity.kind === 'target') {
        if (activity.fault === undefined) targets.delete(activity.target);
        else targets.set(activity.target, activity.fault);
      }
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

/** `500: no such table` */
function failureOf({ outcome, detail }: { readonly outcome: string; readonly detail?: string }): string {
  const text = (detail ?? '').replace(/\s+/g, ' ').trim();
  return text === '' || text === outcome ? outcome : `${outcome}: ${text.slice(0, mostDetail)}`;
}

const mostDetail = 200;
