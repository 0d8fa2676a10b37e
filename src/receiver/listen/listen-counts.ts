// Counts the activity of `wm webhook listen`, for its footer, the key that shows the counts, and its last line.

import { countOf } from '#cli/count-of.ts';
import { describeReasons } from '../archive/deliveries/rejection-reasons.ts';
import type { Activity, RejectionReason } from '../core/intake/delivery-journal.ts';
import { printTargetName } from './listen-view.ts';

export type Counting = ReturnType<typeof createCounting>;

export function createCounting({ receives = true } = {}) {
  const counts = { received: 0, duplicates: 0, rejected: 0, forwarded: 0, dead: 0, handshakes: 0 };
  const rejectedFor: Partial<Record<RejectionReason, number>> = {};
  return {
    add(activity: Activity) {
      if (activity.kind === 'stored') counts.received++;
      else if (activity.kind === 'duplicate') counts.duplicates++;
      else if (activity.kind === 'handshake') counts.handshakes++;
      else if (activity.kind === 'rejected') {
        counts.rejected++;
        rejectedFor[activity.reason] = (rejectedFor[activity.reason] ?? 0) + 1;
      } else if (activity.kind === 'attempt') {
        if (activity.verdict === 'dead') counts.dead++;
        // A delivery without a target was not forwarded.
        else if (activity.verdict === 'forwarded' && !['', printTargetName].includes(activity.target))
          counts.forwarded++;
      }
    },
    now: () => ({
      ...counts,
      /** `undefined` for a forwarder, which receives nothing itself. */
      received: receives ? counts.received : undefined,
      rejectedFor: { ...rejectedFor },
    }),
  };
}

/** `12 received, 1 duplicate, 10 forwarded, 2 waiting`, without zeros except the first. */
export function describeCounts(counts: ReturnType<Counting['now']>, waiting: number): string {
  const { received, duplicates, rejected, forwarded, dead, handshakes } = counts;
  const reasons = describeReasons(counts.rejectedFor);
  return [
    received === undefined ? `${forwarded} forwarded` : `${received} received`,
    ...(handshakes === 0 ? [] : [countOf(handshakes, 'handshake')]),
    ...(duplicates === 0 ? [] : [countOf(duplicates, 'duplicate')]),
    ...(rejected === 0 ? [] : [`${rejected} rejected${reasons === '' ? '' : ` (${reasons})`}`]),
    ...(forwarded === 0 || received === undefined ? [] : [`${forwarded} forwarded`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting`]),
    ...(dead === 0 ? [] : [countOf(dead, 'dead letter')]),
  ].join(', ');
}
