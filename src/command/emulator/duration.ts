// A span of time as it is typed: `90s`, `5m`, `1h30m`, `2d`, `250ms`. A bare number is seconds.

import { formatValue, ValidationError } from '../../contract/schema.ts';
import type { Flag } from '../flag.ts';

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const form = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

export function parseDurationMs(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * 1_000);
  if (!form.test(text))
    throw new ValidationError(formatValue(text), 'is not a duration, such as 90s, 5m or 1h30m');
  // To the millisecond: in floating point, 4.1 hours are a little less.
  const all = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (milliseconds[unit ?? 's'] ?? 0),
    0,
  );
  return Math.round(all);
}

/** Milliseconds. */
export function durationFlag(help: string): Flag<number> {
  return { help, placeholder: 'DURATION', parse: (given) => parseDurationMs(given.at(-1) ?? given[0]) };
}
