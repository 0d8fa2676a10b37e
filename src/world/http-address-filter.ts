// Restricts the IP addresses that a request may connect to. Checks literal addresses and resolved names before anything is sent.

import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AddressNotAllowedError } from './http-fault.ts';

export async function createFilteredLookup(allow: (address: string) => boolean): Promise<LookupFunction> {
  const { lookup } = await import('node:dns');
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [], 0);
      const allowed = addresses.filter(({ address }) => allow(address));
      const first: LookupAddress | undefined = allowed[0];
      if (!first) return callback(new AddressNotAllowedError(addresses.map(({ address }) => address)), [], 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns an error for a literal address that is not allowed. Node calls no lookup function for a literal address. */
export async function checkLiteralAddress(
  hostname: string,
  allow: (address: string) => boolean,
): Promise<AddressNotAllowedError | undefined> {
  const { isIP } = await import('node:net');
  return isIP(hostname) !== 0 && !allow(hostname) ? new AddressNotAllowedError([hostname]) : undefined;
}
