// Which addresses may send deliveries to `wm webhook listen`: --allow-from, and --trusted-proxy for a receiver behind a proxy. A proxy
// appends the address that it sees to X-Forwarded-For, so only what trusted proxies appended counts.

import type { IncomingMessage } from 'node:http';
import { entriesFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { senderAddresses } from '#contract/delivery.ts';
import { type AddressRange, isInRanges, parseAddressRange } from '#contract/hook-url.ts';

const serviceKeyword = 'service';

/** Shown at the start of a receiver behind a proxy or firewall. */
export const senderHint = `The service sends from ${Object.values(senderAddresses).flat().join(', ')}. To accept no others: --allow-from service`;

export const senderFlags = {
  allowFrom: entriesFlag(
    (entry) =>
      entry === serviceKeyword
        ? Object.values(senderAddresses).flat().map(parseAddressRange)
        : [parseAddressRange(String(entry))],
    'RANGE',
    `Accept deliveries from these addresses only: ${serviceKeyword}, for the ranges that it sends from, or ranges such as 10.0.0.0/8`,
  ),
  trustedProxy: entriesFlag(
    (entry) => parseAddressRange(String(entry)),
    'RANGE',
    'With --allow-from: take the sender from X-Forwarded-For where this proxy sent the request',
  ),
};

/** Undefined if every address may send. */
export function findMaySend({
  allowFrom,
  trustedProxy = [],
}: ParsedFlags<typeof senderFlags>): ((request: IncomingMessage) => boolean) | undefined {
  const allowed = allowFrom?.flat();
  if (!allowed) return undefined;
  return (request) => isInRanges(senderOf(request, trustedProxy), allowed);
}

function senderOf({ socket, headers }: IncomingMessage, proxies: readonly AddressRange[]): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const hops = [
    ...forwarded.map((part) => part.trim()).filter((part) => part !== ''),
    socket.remoteAddress ?? '',
  ];
  // Searches from the nearest hop: the first address that is not a trusted proxy may have made up all addresses before it.
  return hops.findLast((address) => !isInRanges(address, proxies)) ?? hops[0] ?? '';
}
