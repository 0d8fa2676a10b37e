// Working time: 480 minutes a day, from 09:00 to 17:00, on the account's working days or on every day. Scheduling dates have
// no time zone; here they are handled as UTC.

import { formatTimestamp } from '../../contract/date.ts';
import { limit } from '../../contract/limit.ts';
import type { WorkDays } from '../state/store.ts';

const minute = 60_000;
const wholeDay = 86_400_000;
const opens = 9 * 60 * minute;
const closes = opens + limit.minutesPerDay * minute;

export const everyDay: WorkDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

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
  // Its text begins with the English name: `Mon, 02 Mar 2026 00:00:00 GMT`.
  const text = new Date(day).toUTCString();
  return workDays.some((name) => text.startsWith(name));
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

/** When `minutes` of work that start at `start` are done; at least one. */
export function workEnd(start: string, minutes: number, workDays: WorkDays): string {
  const from = instant(start);
  let left = minutes * minute;
  for (let day = dayOf(from); ; day += wholeDay) {
    if (!works(day, workDays)) continue;
    const begins = Math.max(from, day + opens);
    const hours = Math.max(0, day + closes - begins);
    if (hours >= left) return dateOf(begins + left);
    left -= hours;
  }
}
