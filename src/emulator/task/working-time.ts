// Working time: 480 minutes a day, from 09:00 to 17:00, on the account's working days or on every day. Scheduling dates have
// no time zone; here they are handled as UTC.

import { formatTimestamp } from '../../contract/date.ts';
import { limit } from '../../contract/limit.ts';

const minute = 60_000;
const wholeDay = 86_400_000;
const opens = 9 * 60 * minute;
const closes = opens + limit.minutesPerDay * minute;
const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Names of days, as an account has them. */
export type WorkDays = readonly string[];

export const everyDay: WorkDays = names;

export function instant(date: string): number {
  return Date.parse(`${date}Z`);
}

/** The inverse of {@link instant}. */
export function dateOf(milliseconds: number): string {
  return formatTimestamp(milliseconds).slice(0, -1);
}

export function startOfWork(date: string): string {
  return date.length === 10 ? `${date}T09:00:00` : date;
}

export function endOfWork(date: string): string {
  return date.length === 10 ? `${date}T17:00:00` : date;
}

function works(day: number, workDays: WorkDays): boolean {
  return workDays.includes(names[new Date(day).getUTCDay()] ?? '');
}

const dayOf = (time: number) => Math.floor(time / wholeDay) * wholeDay;

/** Minutes of work between two dates; 0 unless the second is later. */
export function workingMinutes(start: string, due: string, workDays: WorkDays): number {
  const [from, to] = [instant(start), instant(due)];
  let milliseconds = 0;
  for (let day = dayOf(from); day < to; day += wholeDay) {
    if (!works(day, workDays)) continue;
    milliseconds += Math.max(0, Math.min(to, day + closes) - Math.max(from, day + opens));
  }
  return Math.round(milliseconds / minute);
}

/** When `minutes` of work that start at `start` are done; undefined if there are no working days. */
export function workEnd(start: string, minutes: number, workDays: WorkDays): string | undefined {
  if (!names.some((name) => workDays.includes(name))) return undefined;
  const from = instant(start);
  let left = minutes * minute;
  if (left === 0) return start;
  for (let day = dayOf(from); ; day += wholeDay) {
    if (!works(day, workDays)) continue;
    const begins = Math.max(from, day + opens);
    const hours = Math.max(0, day + closes - begins);
    if (hours >= left) return dateOf(begins + left);
    left -= hours;
  }
}
