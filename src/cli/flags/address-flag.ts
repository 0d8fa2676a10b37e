// The flag for the address on which a command listens.

import { isIP } from 'node:net';
import { invalidValue } from '#contract/schema.ts';
import { entryFlag } from './flag.ts';

export const addressFlag = (help: string) =>
  entryFlag('ADDRESS', help, (text) => {
    const address = text === 'localhost' ? '127.0.0.1' : text.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0) return address;
    throw invalidValue(text, 'is not an address of this machine, as in 127.0.0.1, 0.0.0.0 or ::');
  });
