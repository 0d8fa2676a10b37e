// Chooses and restricts the address that a request connects to: checks literal addresses and resolved names before it is sent.

import type { LookupFunction } from 'node:net';
import { AddressNotAllowedError } from './http-fault.ts';
import type { Target } from './http-target.ts';
import type { HttpOptions } from './world.ts';

interface Address {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
}

/** Returns an error for a literal address that is not allowed: Node calls no lookup function for it. */
export async function chooseAddress(
  { hostname, port }: Target,
  { connectTo, allowAddress }: Pick<HttpOptions, 'connectTo' | 'allowAddress'>,
): Promise<Address | AddressNotAllowedError> {
  const chosen = connectTo ?? { host: hostname, port };
  if (!allowAddress) return chosen;
  const [{ isIP }, { lookup }] = await Promise.all([import('node:net'), import('node:dns')]);
  if (isIP(chosen.host) !== 0 && !allowAddress(chosen.host)) return new AddressNotAllowedError([chosen.host]);
  return {
    ...chosen,
    lookup(name, options, callback) {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [], 0);
        const allowed = addresses.filter(({ address }) => allowAddress(address));
        const [first] = allowed;
        if (!first)
          return callback(new AddressNotAllowedError(addresses.map(({ address }) => address)), [], 0);
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    },
  };
}
