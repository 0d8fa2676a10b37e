// Which addresses may send deliveries to `wm webhook listen`: --allow-from, and --trusted-proxy for a receiver behind a proxy. A proxy
// appends the address that it sees to X-Forwarded-For, so only what trusted proxies appended counts.

import { entriesFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { senderAddresses } from '#contract/delivery.ts';
import { type AddressRange, isInRanges, parseAddressRange } from '#contract/hook-url.ts';
import type { ServerRequest } from '#world/world.ts';

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

/** Returns the address of a request whose sender is not allowed. Undefined if every address may send. */
export function findForeignSender({ allowFrom, trustedProxy = [] }: ParsedFlags<typeof senderFlags>) {
  const allowed = allowFrom?.flat();
  if (!allowed) return undefined;
  return (request: ServerRequest) => {
    const sender = senderOf(request, trustedProxy);
    return isInRanges(sender, allowed) ? undefined : sender;
  };
}

function senderOf({ socket, headers }: ServerRequest, proxies: readonly AddressRange[]): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const hops = [
    ...forwarded.map((part) => withoutPort(part.trim())).filter((part) => part !== ''),
    socket.remoteAddress ?? '',
  ];
  // Searches from the nearest hop: the first address that is not a trusted proxy may have made up all addresses before it.
  return hops.findLast((address) => !isInRanges(address, proxies)) ?? hops[0] ?? '';
}

/** Some proxies append the port: `160.19.162.5:4321`, `[::1]:99`. */
const withoutPort = (hop: string) => hop.replace(/^"?(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?"?$/, '$1$2');
