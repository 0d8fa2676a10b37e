// Parses a time in the past: a date as everywhere, a time as `wm` prints it, or how long ago.

import { anyDate, timestampSchema } from '#contract/date.ts';
import { invalidValue, type Schema, unlessInvalid } from '#contract/schema.ts';
import { acceptRelative, anyDateInput, resolveDate } from './relative-date.ts';

/** A date, or a time as the history shows it. */
export const timeInput: Schema<string> = {
  ...anyDateInput,
  fromWire: (text) => (isTimestamp(text) ? text : anyDateInput.fromWire(withDay(text))),
};

/** A time alone, such as `16:20`, is today. */
const withDay = (text: string) =>
  text.replace(/^\s*(?=(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s*$)/, 'today ');

const ago = /^(\d{1,5}) ?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?)(?: ago)?$/i;
const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs };

const pastDate = acceptRelative(anyDate, '30m, 12h, 7d, yesterday, 2026-12-31; a date to come is rejected');

/** Also how long ago: `7d`, `2 weeks`, `12h`, `30m`. Validates only the form; {@link resolveSince} resolves it. */
export const sinceInput: Schema<string> = {
  ...timeInput,
  fromWire(text) {
    const plain = text.trim();
    if (ago.test(plain)) return plain;
    // Elsewhere this is a future date.
    if (/^(?:\+|in )/i.test(plain)) throw invalidValue(text, 'is in the future: 7d is 7 days ago');
    return isTimestamp(text) ? text : pastDate.fromWire(withDay(text));
  },
};

/** Milliseconds since 1970. */
export function resolveSince(text: string, now: number): number {
  const [, count, unit = ''] = ago.exec(text) ?? [];
  if (count === undefined) return startOf(text, now);
  return now - Number(count) * (unitMs[unit.charAt(0).toLowerCase()] ?? 0);
}

/** Milliseconds since 1970. A date without a zone is local. */
function startOf(text: string, now: number): number {
  const date = resolveDate(text, now, anyDate);
  return Date.parse(isDay(date) ? `${date}T00:00:00` : date);
}

/** The first moment after the time, which includes its whole second. */
export function endOf(text: string, now: number): number {
  const date = resolveDate(text, now, anyDate);
  const start = new Date(startOf(date, now));
  if (!isDay(date)) return start.getTime() + 1000;
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime();
}

function isTimestamp(text: string): boolean {
  return unlessInvalid(() => timestampSchema.validate(text)) !== undefined && !Number.isNaN(Date.parse(text));
}

const isDay = (date: string): boolean => date.length === 'yyyy-mm-dd'.length;
