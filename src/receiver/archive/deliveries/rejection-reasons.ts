// Describes why requests were rejected: for `wm webhook listen`, its page and `wm webhook log`.

import type { RejectionReason } from '#receiver/core/intake/delivery-journal.ts';

const reasonWords: Readonly<Record<RejectionReason, string>> = {
  'bad-signature': 'with a bad signature',
  'no-signature': 'without a signature',
  'bad-challenge': 'with a bad challenge',
  forgeable: 'whose signature may come from a handshake',
  method: 'not a POST',
  'too-large': 'too large',
  malformed: 'malformed or cut off',
  path: 'for another path',
  address: 'from another address',
  'web-page': 'from a web page',
  host: 'for another host',
  busy: 'while too busy',
  silent: 'silent connections while too many were open',
  'not-stored': 'could not be stored',
};

/** Such a request was no delivery. Of the others, too many without a 2xx make the service suspend the webhook. */
const harmless = ['forgeable', 'method', 'web-page', 'too-large', 'malformed', 'silent'];

type ReasonCounts = Readonly<Record<string, number>>;

/** `2 with a bad signature, 1 not a POST`; empty without rejections. */
export function describeReasons(counts: ReasonCounts): string {
  return Object.entries(reasonWords)
    .flatMap(([reason, words]) => (counts[reason] ? [`${counts[reason]} ${words}`] : []))
    .join(', ');
}

export function countPossibleDeliveries(counts: ReasonCounts): number {
  return Object.entries(counts).reduce(
    (sum, [reason, count]) => sum + (harmless.includes(reason) ? 0 : count),
    0,
  );
}
