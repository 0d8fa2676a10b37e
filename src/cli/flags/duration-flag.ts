// Parses durations: `90s`, `5m`, `1h30m`, `2d`, `250ms`. A bare number is seconds.

import { formatValue, ValidationError } from '#contract/schema.ts';
import { entryFlag } from './flag.ts';

const units = [
  { form: /^\d+(?:\.\d+)?ms$/, ms: 1 },
  { form: /^\d+(?:\.\d+)?s$/, ms: 1_000 },
  { form: /^\d+(?:\.\d+)?m$/, ms: 60_000 },
  { form: /^\d+(?:\.\d+)?h$/, ms: 3_600_000 },
  { form: /^\d+(?:\.\d+)?d$/, ms: 86_400_000 },
];

export function parseDurationMs(text: string): number {
  const parts = /^[\d.]+$/.test(text) ? [`${text}s`] : text.split(/(?<=[a-z])(?=\d)/);
  const milliseconds = parts.map((part) => {
    const unit = units.find(({ form }) => form.test(part));
    if (unit === undefined)
      throw new ValidationError(formatValue(text), 'is not a duration, such as 90s, 5m or 1h30m');
    return Number.parseFloat(part) * unit.ms;
  });
  // Rounds to milliseconds: in floating point, 4.1 hours are a little less.
  return Math.round(milliseconds.reduce((sum, part) => sum + part, 0));
}

export const durationFlag = (help: string) => entryFlag('DURATION', help, parseDurationMs);
