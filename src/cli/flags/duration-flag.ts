// Parses durations: `90s`, `5m`, `1h30m`, `2d`, `250ms`. A bare number is seconds.

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

export const durationFlag = (help: string) => entryFlag('DURATION', help, parseDurationMs);
