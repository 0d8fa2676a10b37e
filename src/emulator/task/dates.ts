// Changes a task's dates: to another type, to a due date alone, to a duration alone, and to the due date that follows from a start
// and a duration. A start on a day off moves. contract/task-rules.ts rejects contradictory dates.

import type { AssumptionId } from '#contract/assumption.ts';
import { formatTimestamp } from '#contract/date.ts';
import { limit } from '#contract/limit.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import type { TaskDates } from '#contract/task.ts';
import { datesHazard, validateDates } from '#contract/task-rules.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { WorkDays } from '../state/store.ts';

function reject(value: string, why: string, id: AssumptionId): never {
  throw new ValidationError(value, why, id);
}

/** What the new dates of a task depend on. */
export function datesAssumptions(current: TaskDates, update: TaskDates, days: WorkDays): AssumptionId[] {
  const { type, start, due, duration } = update;
  const ids: AssumptionId[] = [];
  if (start?.length === 10 || due?.length === 10) ids.push('date-without-time');
  if (start !== undefined && due !== undefined && duration !== undefined) ids.push('three-dates');
  if (start !== undefined && due === undefined) ids.push('duration-with-start');
  if (start === undefined && due !== undefined && duration !== undefined) ids.push('duration-with-due');
  if ((type === 'Planned' || type === 'Milestone') && start === undefined && due === undefined)
    ids.push('type-without-dates');
  const isDayOff = (date: string) => !isWorkDay(Date.parse(date.slice(0, 10)), daysOf(current, update, days));
  if ((due !== undefined && isDayOff(due)) || (start !== undefined && start.length > 10 && isDayOff(start)))
    ids.push('weekend-dates');
  return ids;
}

const daysOf = (current: TaskDates, update: TaskDates, accountDays: WorkDays): WorkDays =>
  (update.workOnWeekends ?? current.workOnWeekends) ? everyDay : accountDays;

/** Throws {@link ValidationError} for impossible dates. */
export function reschedule(current: TaskDates, update: TaskDates, accountDays: WorkDays): TaskDates {
  validateDates(update);
  const workOnWeekends = update.workOnWeekends ?? current.workOnWeekends;
  const weekends = workOnWeekends === undefined ? {} : { workOnWeekends };
  const days = daysOf(current, update, accountDays);
  const start = update.start && withTime(update.start, '09:00:00');
  const due = update.due && withTime(update.due, '17:00:00');

  if (start !== undefined && due !== undefined)
    return { ...plannedUntil(start, due, update.duration, days), ...weekends };
  // A start without either was rejected above.
  if (start !== undefined && update.duration !== undefined)
    return { ...plannedFor(toWorkDay(start, days), update.duration, days), ...weekends };
  if (datesHazard(update) === 'clears-dates' || update.type === 'Backlog')
    return { type: 'Backlog', ...omitUndefined({ duration: update.duration }), ...weekends };
  if (update.type === 'Milestone' || (due !== undefined && update.type === undefined)) {
    const date = due ?? current.due;
    if (date === undefined)
      reject('"Milestone"', 'needs a due date, and the task has none', 'type-without-dates');
    return { type: 'Milestone', due: date, ...weekends };
  }
  if (update.type === 'Planned') return { ...becomePlanned(current, due, days), ...weekends };
  if (update.workOnWeekends === undefined || current.start === undefined || current.due === undefined)
    return { ...current, ...weekends };
  // Such a change changes the amount of work between two dates, and may move the start.
  return { ...current, ...plannedUntil(current.start, current.due, undefined, days), ...weekends };
}

function plannedUntil(from: string, until: string, duration: number | undefined, days: WorkDays): TaskDates {
  // Possible on a single day, if the start is after the end of work.
  if (until < from)
    reject(formatValue(until), `is before the start ${formatValue(from)}`, 'due-before-start');
  const start = toWorkDay(from, days);
  // Where the start has moved past the due date, that moves too.
  const moved = start <= until ? until : toWorkDay(until, days);
  const due = moved < start ? start : moved;
  return { type: 'Planned', duration: duration ?? workingMinutes(start, due, days), start, due };
}

function plannedFor(start: string, minutes: number, days: WorkDays): TaskDates {
  const end = workEnd(start, minutes, days);
  if (end >= limit.dateBelow)
    reject(`${minutes}`, `minutes from ${start} end after ${limit.dateBelow}`, 'duration-with-start');
  return { type: 'Planned', duration: minutes, start, due: end };
}

/** `Planned` without a start: uses the current start, or else the morning of the due date. */
function becomePlanned(current: TaskDates, newDue: string | undefined, days: WorkDays): TaskDates {
  const due = newDue ?? current.due;
  const needs = 'needs a start and a due date or a duration, and the task has none';
  if (due === undefined) reject('"Planned"', needs, 'type-without-dates');
  const morning = withTime(due.slice(0, 10), '09:00:00');
  const hasStart = current.start !== undefined && current.start <= due;
  const start = hasStart ? current.start : due < morning ? due : morning;
  return plannedUntil(start, due, undefined, days);
}

const minute = 60_000;
const dayMs = 86_400_000;
const opensAt = 9 * 60 * minute;
const closesAt = opensAt + limit.minutesPerDay * minute;

const everyDay: WorkDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const instant = (date: string) => Date.parse(`${date}Z`);

const withTime = (date: string, time: string) => (date.length === 10 ? `${date}T${time}` : date);

function isWorkDay(day: number, workDays: WorkDays): boolean {
  // `Mon, 02 Mar 2026 00:00:00 GMT`
  const text = new Date(day).toUTCString();
  return workDays.some((name) => text.startsWith(name));
}

/** The same time of the next working day, unless this is one. */
function toWorkDay(date: string, workDays: WorkDays): string {
  let time = instant(date);
  while (!isWorkDay(time, workDays)) time += dayMs;
  return formatTimestamp(time).slice(0, -1);
}

const dayOf = (time: number) => Math.floor(time / dayMs) * dayMs;

/** Minutes of work between two dates; 0 unless the second is later. */
function workingMinutes(start: string, due: string, workDays: WorkDays): number {
  const [from, to] = [instant(start), instant(due)];
  let milliseconds = 0;
  for (let day = dayOf(from); day < to; day += dayMs) {
    if (!isWorkDay(day, workDays)) continue;
    milliseconds += Math.max(0, Math.min(to, day + closesAt) - Math.max(from, day + opensAt));
  }
  return Math.round(milliseconds / minute);
}

function workEnd(start: string, minutes: number, workDays: WorkDays): string {
  const from = instant(start);
  let remaining = minutes * minute;
  for (let day = dayOf(from); ; day += dayMs) {
    if (!isWorkDay(day, workDays)) continue;
    const begin = Math.max(from, day + opensAt);
    const available = Math.max(0, day + closesAt - begin);
    if (available >= remaining) return formatTimestamp(begin + remaining).slice(0, -1);
    remaining -= available;
  }
}
