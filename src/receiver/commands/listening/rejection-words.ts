// Describes why requests were rejected, for the counters of `wm webhook listen`, its page and `wm webhook log`.

import type { RejectionReason } from '#receiver/intake/delivery-journal.ts';

interface ReasonRow {
  readonly words: string;
  /** The request may have been a delivery. The service suspends the webhook after too many without a 2xx. */
  readonly mayBeDelivery: boolean;
}

const rows: Readonly<Record<RejectionReason, ReasonRow>> = {
  'bad-signature': { words: 'with a bad signature', mayBeDelivery: true },
  'no-signature': { words: 'without a signature', mayBeDelivery: true },
  'bad-challenge': { words: 'with a bad challenge', mayBeDelivery: true },
  forgeable: { words: 'whose signature may come from a handshake', mayBeDelivery: false },
  method: { words: 'not a POST', mayBeDelivery: false },
  'too-large': { words: 'too large', mayBeDelivery: false },
  malformed: { words: 'malformed or cut off', mayBeDelivery: false },
  path: { words: 'for another path', mayBeDelivery: true },
  address: { words: 'from another address', mayBeDelivery: true },
  busy: { words: 'while too busy', mayBeDelivery: true },
  silent: { words: 'silent connections while too many were open', mayBeDelivery: false },
  'not-stored': { words: 'could not be stored', mayBeDelivery: true },
};

export type RejectionCounts = Readonly<Partial<Record<RejectionReason, number>>>;

/** `2 with a bad signature, 1 not a POST`; empty without rejections. */
export function describeReasons(counts: RejectionCounts): string {
  return Object.entries(rows)
    .flatMap(([reason, { words }]) => {
      const count = countOfReason(counts, reason);
      return count === 0 ? [] : [`${count} ${words}`];
    })
    .join(', ');
}

export function countPossibleDeliveries(counts: RejectionCounts): number {
  return Object.entries(rows).reduce(
    (sum, [reason, { mayBeDelivery }]) => sum + (mayBeDelivery ? countOfReason(counts, reason) : 0),
    0,
  );
}

const countOfReason = (counts: Readonly<Record<string, number>>, reason: string) => counts[reason] ?? 0;
