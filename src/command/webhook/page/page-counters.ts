// The numbers at the top of the page, and what is wrong at present.

import type { OnActivity } from '../../../receiver/activity.ts';
import type { Journal, RejectionReason } from '../../../receiver/delivery-journal.ts';
import type { TargetState } from '../../../receiver/forwarding/forwarder.ts';
import { countLostTrust, describeReasons } from '../listen/rejection-words.ts';
import type { Counters, Problems, StuckTarget } from './page-messages.ts';

export interface PageCounters {
  readonly add: OnActivity;
  /** `targets`: those of the forwarder, if it runs. */
  state(targets: readonly TargetState[]): {
    readonly counters: Counters;
    readonly problems: Problems;
    readonly stuck: readonly StuckTarget[];
  };
}

export function createPageCounters(journal: Pick<Journal, 'state'>): PageCounters {
  const counts = { received: 0, duplicates: 0, forwarded: 0, failedAttempts: 0, dead: 0, rejected: 0 };
  const rejectedFor: Partial<Record<RejectionReason, number>> = {};
  const targets = new Map<string, string>();
  const failures = new Map<string, string>();
  return {
    add(activity) {
      if (activity.kind === 'stored') counts.received++;
      else if (activity.kind === 'duplicate') counts.duplicates++;
      else if (activity.kind === 'rejected') {
        counts.rejected++;
        rejectedFor[activity.reason] = (rejectedFor[activity.reason] ?? 0) + 1;
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
    state(lines) {
      const { unfinished, fault } = journal.state();
      return {
        counters: {
          ...counts,
          rejectedFor: describeReasons(rejectedFor),
          lostTrust: countLostTrust(rejectedFor),
          unfinished,
        },
        problems: {
          storage: fault ?? null,
          targets: [...targets].map(([target, one]) => ({ target, fault: one })),
        },
        stuck: lines.flatMap(({ target, waiting, retrying, oldest, isBehind, fault: outage }) =>
          oldest === undefined || (outage === undefined && retrying === 0)
            ? []
            : [
                {
                  target,
                  waiting: waiting + retrying,
                  retrying,
                  isBehind,
                  oldest,
                  failure: failures.get(target) ?? '',
                },
              ],
        ),
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
