// The two formats of time: timestamps of records, in UTC, and scheduling dates, which have no zone and may omit the time.

import { limit } from './limit.ts';
import { type DateRules, invalidValue, type Schema, text } from './schema.ts';

/** Milliseconds since 1970 as a record's timestamp: `2026-01-31T09:00:00Z`. */
export function formatTimestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export const timestampSchema: Schema<string> = text('timestamp', {
  pattern: { regex: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, description: "yyyy-MM-dd'T'HH:mm:ss'Z'" },
});

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date of the right format exists; 2026-02-30 does not. `Date` would take most of the time of a bulk run. */
function existsInCalendar(date: string): boolean {
  const digits = (index: number) => (date.charCodeAt(index) - 48) * 10 + date.charCodeAt(index + 1) - 48;
  const year = digits(0) * 100 + digits(2);
  const month = digits(5);
  const day = digits(8);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && !leap ? 28 : (monthDays[month - 1] ?? 0);
  const hasTime = date.length > 10;
  return day >= 1 && day <= days && (!hasTime || (digits(11) < 24 && digits(14) < 60 && digits(17) < 60));
}

export const dateFormats = {
  optional: {
    description: "yyyy-MM-dd, or yyyy-MM-dd'T'HH:mm:ss",
    regex: /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/,
  },
  none: { description: 'yyyy-MM-dd', regex: /^\d{4}-\d\d-\d\d$/ },
} as const;

function dateSchema(type: string, rules: DateRules): Schema<string> {
  const { range } = rules;
  // A range begins and ends with a day.
  const days = range && { from: range.from.slice(0, 10), below: range.below.slice(0, 10) };
  const { description, regex } = dateFormats[rules.time];
  const validate = (input: unknown): string => {
    if (typeof input !== 'string' || !regex.test(input))
      throw invalidValue(input, `is not a date: ${description}`);
    if (!existsInCalendar(input)) throw invalidValue(input, 'is not a date in the calendar');
    const day = input.slice(0, 10);
    if (days && (day < days.from || day >= days.below))
      throw invalidValue(input, `is not in the range [${range?.from}, ${range?.below})`);
    return input;
  };
  const form = { kind: 'date', rules } as const;
  return { type, wireFormat: 'text', form, validate, fromWire: validate, toWire: (value) => value };
}

/** A start or a due date: `2026-01-31` or `2026-01-31T09:00:00`, in the range that the service allows. */
export const schedulingDate = dateSchema('date', {
  time: 'optional',
  range: { from: limit.dateFrom, below: limit.dateBelow },
});

/** The same format for other dates, such as the value of a custom field. The contract gives no range. */
export const anyDate = dateSchema('date', { time: 'optional' });
/** A day, such as that of an effort allocation. The contract gives no range. */
export const day = dateSchema('day', { time: 'none' });
