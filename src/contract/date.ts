// The two ways the service writes time: timestamps in records (UTC), and the dates of scheduling, which have no zone
// and whose time part may be left out.

import { limit } from './limit.ts';
import { type DateRules, formatValue, type Schema, text, ValidationError } from './schema.ts';

/** Milliseconds since 1970 as a record's timestamp: `2026-01-31T09:00:00Z`. */
export function formatTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export const timestampSchema: Schema<string> = text('timestamp', {
  pattern: { regex: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, description: "yyyy-MM-dd'T'HH:mm:ss'Z'" },
});

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const dayAndTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date that looks right exists (2026-02-30 does not). By hand, as `Date` would take most of a bulk's time. */
function existsInCalendar(date: string): boolean {
  const two = (at: number) => (date.charCodeAt(at) - 48) * 10 + date.charCodeAt(at + 1) - 48;
  const year = two(0) * 100 + two(2);
  const month = two(5);
  const day = two(8);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && !leap ? 28 : (monthDays[month - 1] ?? 0);
  const hasTime = date.length > 10;
  return day >= 1 && day <= days && (!hasTime || (two(11) < 24 && two(14) < 60 && two(17) < 60));
}

/** The form of a date, for error messages and help. */
const formats = {
  optional: {
    says: "yyyy-MM-dd, or yyyy-MM-dd'T'HH:mm:ss",
    accepts: (input: string) => dayPattern.test(input) || dayAndTimePattern.test(input),
  },
  none: { says: 'yyyy-MM-dd', accepts: (input: string) => dayPattern.test(input) },
} as const;

function dateSchema(type: string, rules: DateRules): Schema<string> {
  const { range } = rules;
  // A range begins and ends with a day.
  const days = range && { from: range.from.slice(0, 10), below: range.below.slice(0, 10) };
  const { says, accepts } = formats[rules.time];
  const validate = (input: unknown): string => {
    if (typeof input !== 'string' || !accepts(input))
      throw new ValidationError(formatValue(input), `is not a date: ${says}`);
    if (!existsInCalendar(input))
      throw new ValidationError(formatValue(input), 'is not a date in the calendar');
    const day = input.slice(0, 10);
    if (days && (day < days.from || day >= days.below)) {
      throw new ValidationError(formatValue(input), `is not in the range [${range?.from}, ${range?.below})`);
    }
    return input;
  };
  const rule = range ? `${says}, in the range [${range.from}, ${range.below})` : says;
  const form = { kind: 'date', rules } as const;
  return { type, wireFormat: 'text', form, validate, fromWire: validate, toWire: (value) => value, rule };
}

/** A start or a due date: `2026-01-31` or `2026-01-31T09:00:00`, in the range the service allows. */
export const schedulingDate = dateSchema('date', {
  time: 'optional',
  range: { from: limit.dateFrom, below: limit.dateBelow },
});

/** The same form for everything else, as the value of a custom field. The contract gives it no range. */
export const anyDate = dateSchema('date', { time: 'optional' });

/** A day of an effort allocation: `2026-01-31`. The contract gives it no range. */
export const day = dateSchema('day', { time: 'none' });
