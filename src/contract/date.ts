// The two ways the service writes time: timestamps in records (UTC), and the dates of scheduling, which have no zone
// and whose time part may be left out.

import { limit } from './limit.ts';
import { Refused, shown, text, type Value } from './value.ts';

/** Milliseconds since 1970 as a record's timestamp: `2026-01-31T09:00:00Z`. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export const timestampValue: Value<string> = text('timestamp', {
  pattern: { test: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, says: "yyyy-MM-dd'T'HH:mm:ss'Z'" },
});

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const dayAndTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** A date that looks right but is not in the calendar (2026-02-30) is caught by writing it back. */
function inCalendar(full: string): boolean {
  const time = Date.parse(`${full}Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(full);
}

function dated(type: string, says: string, accepts: (input: string) => boolean): Value<string> {
  const check = (input: unknown): string => {
    if (typeof input !== 'string' || !accepts(input))
      throw new Refused(shown(input), `is not a date: ${says}`);
    const full = input.length === 10 ? `${input}T00:00:00` : input;
    if (!inCalendar(full)) throw new Refused(shown(input), 'is not in the calendar');
    if (full < limit.dateFrom || full >= limit.dateBelow) {
      throw new Refused(shown(input), `is not in the range [${limit.dateFrom}, ${limit.dateBelow})`);
    }
    return input;
  };
  return { type, wire: 'text', check, fromWire: check, toWire: (value) => value };
}

/** A scheduling date: `2026-01-31` or `2026-01-31T09:00:00`, in the range the service allows. */
export const schedulingDate = dated(
  'date',
  "yyyy-MM-dd, or yyyy-MM-dd'T'HH:mm:ss",
  (input) => dayPattern.test(input) || dayAndTimePattern.test(input),
);

/** A day of an effort allocation: `2026-01-31`. */
export const day = dated('day', 'yyyy-MM-dd', (input) => dayPattern.test(input));
