// The flags for a duration, and for the address on which a command listens.

import { isIP } from 'node:net';
import { invalidValue } from '#contract/schema.ts';
import { entryFlag } from './flag.ts';

const unitMs = new Map(Object.entries({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }));

function parseDurationMs(text: string): number {
  const parts = /^[\d.]+$/.test(text) ? [`${text}s`] : text.split(/(?<=[a-z])(?=\d)/);
  const milliseconds = parts.map((part) => {
    const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(part) ?? [];
    const ms = unitMs.get(unit);
    if (ms === undefined) throw invalidValue(text, 'is not a duration, such as 90s, 5m or 1h30m');
    return Number(count) * ms;
  });
  // Rounds to milliseconds: in floating point, 4.1 hours are a little less.
  return Math.round(milliseconds.reduce((sum, part) => sum + part, 0));
}

/** `90s`, `5m`, `1h30m`, `2d`, `250ms`. A bare number is seconds. */
export const durationFlag = (help: string) => entryFlag('DURATION', help, parseDurationMs);

export const addressFlag = (help: string) =>
  entryFlag('ADDRESS', help, (text) => {
    const address = text === 'localhost' ? '127.0.0.1' : text.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0) return address;
    throw invalidValue(text, 'is not an address of this machine, as in 127.0.0.1, 0.0.0.0 or ::');
  });
