// The flag for the address on which a command listens.

import { isIP } from 'node:net';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { type Flag, lastOf } from './flag.ts';

export function addressFlag(help: string): Flag<string> {
  return {
    help,
    placeholder: 'ADDRESS',
    parse(texts) {
      const text = lastOf(texts);
      const address = text === 'localhost' ? '127.0.0.1' : text.replace(/^\[(.*)\]$/, '$1');
      if (isIP(address) === 0)
        throw new ValidationError(
          formatValue(text),
          'is not an address of this machine, as in 127.0.0.1, 0.0.0.0 or ::',
        );
      return address;
    },
  };
}
