// How an update changes a task's dates: its type, a due date alone, a duration alone, and the due date that follows from a
// start and a duration. contract/task-rules.ts rejects contradictory dates.

import type { AssumptionId } from '#contract/assumption.ts';
import { formatTimestamp } from '#contract/date.ts';
import { limit } from '#contract/limit.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import type { TaskDates } from '#contract/task.ts';
import { datesHazard, validateDates } from '#contract/task-rules.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { WorkDays } from '../state/store.ts';

/** The rows that say what these dates mean, where the contract does not. */
export function rulesOf({ type, start, due, duration }: TaskDates): readonly AssumptionId[] {
  const found: AssumptionId[] = [];
  if (start?.length === 10 || due?.length === 10) found.push('date-without-time');
  if (start !== undefined && due !== undefined && duration !== undefined) found.push('three-dates');
  if (start !== undefined && due === undefined) found.push('duration-with-start');
  if (start === undefined && due !== undefined && duration !== undefined) found.push('duration-with-due');
  if ((type === 'Planned' || type === 'Milestone') && start === undefined && due === undefined)
    found.push('type-without-dates');
  return found;
}

/** Throws {@link ValidationError} for impossible dates. */
export function reschedule(current: TaskDates, sent: TaskDates, accountDays: WorkDays): TaskDates {
  validateDates(sent);
  const workOnWeekends = sent.workOnWeekends ?? current.workOnWeekends;
  const weekends = workOnWeekends === undefined ? {} : { workOnWeekends };
  const days = workOnWeekends ? everyDay : accountDays;
  const start = sent.start === undefined ? undefined : startOfWork(sent.start);
  const due = sent.due === undefined ? undefined : endOfWork(sent.due);

  if (start !== undefined && due !== undefined)
    return { ...plannedUntil(start, due, sent.duration, days), ...weekends };
  // A start without either was rejected above.
  if (start !== undefined && sent.duration !== undefined)
    return { ...plannedFor(start, sent.duration, days), ...weekends };
  if (datesHazard(sent) === 'clears-dates') return { ...backlog(sent.duration), ...weekends };
  if (sent.type === 'Backlog') return { ...backlog(sent.duration), ...weekends };
  if (sent.type === 'Milestone' || (due !== undefined && sent.type === undefined)) {
    return { ...milestone(due ?? current.due), ...weekends };
  }
  if (sent.type === 'Planned') return { ...becomesPlanned(current, due, days), ...weekends };
  return { ...current, ...weekends, ...recount(current, sent, days) };
}

function plannedUntil(start: string, due: string, duration: number | undefined, days: WorkDays): TaskDates {
  // This happens on a single day, with a start after the end of work.
  if (due < start)
    throw new ValidationError(
      formatValue(due),
      `is before the start ${formatValue(start)}`,
      'due-before-start',
    );
  return { type: 'Planned', start, due, duration: duration ?? workingMinutes(start, due, days) };
}

function plannedFor(start: string, minutes: number, days: WorkDays): TaskDates {
  const end = workEnd(start, minutes, days);
  if (end >= limit.dateBelow)
    throw new ValidationError(
      String(minutes),
      `minutes from ${start} end after ${limit.dateBelow}`,
      'duration-with-start',
    );
  return { type: 'Planned', start, due: end, duration: minutes };
}

function backlog(duration: number | undefined): TaskDates {
  return { type: 'Backlog', ...omitUndefined({ duration }) };
}

function milestone(due: string | undefined): TaskDates {
  if (due === undefined)
    throw new ValidationError('"Milestone"', 'needs a due date, and the task has none', 'type-without-dates');
  return { type: 'Milestone', due };
}

/** `Planned` without a start: uses the task's own start, or the start of the day when it is due. */
function becomesPlanned(current: TaskDates, sentDue: string | undefined, days: WorkDays): TaskDates {
  const due = sentDue ?? current.due;
  if (due === undefined)
    throw new ValidationError(
      '"Planned"',
      'needs a start and a due date or a duration, and the task has none',
      'type-without-dates',
    );
  const own = current.start !== undefined && current.start <= due ? current.start : undefined;
  const morning = startOfWork(due.slice(0, 10));
  if (own === undefined && due < morning) return plannedUntil(due, due, undefined, days);
  return plannedUntil(own ?? morning, due, undefined, days);
}

/** A change of `workOnWeekends` changes the amount of work between two dates. */
function recount({ start, due }: TaskDates, sent: TaskDates, days: WorkDays): TaskDates {
  if (sent.workOnWeekends === undefined || start === undefined || due === undefined) return {};
  return { duration: workingMinutes(start, due, days) };
}

const minute = 60_000;
const wholeDay = 86_400_000;
const opens = 9 * 60 * minute;
const closes = opens + limit.minutesPerDay * minute;

const everyDay: WorkDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function instant(date: string): number {
  return Date.parse(`${date}Z`);
}

/** The inverse of {@link instant}. */
function dateOf(milliseconds: number): string {
  return formatTimestamp(milliseconds).slice(0, -1);
}

function startOfWork(date: string): string {
  return date.length === 10 ? `${date}T09:00:00` : date;
}

function endOfWork(date: string): string {
  return date.length === 10 ? `${date}T17:00:00` : date;
}

function works(day: number, workDays: WorkDays): boolean {
  // Its text begins with the English name: `Mon, 02 Mar 2026 00:00:00 GMT`.
  const text = new Date(day).toUTCString();
  return workDays.some((name) => text.startsWith(name));
}

const dayOf = (time: number) => Math.floor(time / wholeDay) * wholeDay;

/** Minutes of work between two dates; 0 unless the second is later. */
function workingMinutes(start: string, due: string, workDays: WorkDays): number {
  const [from, to] = [instant(start), instant(due)];
  let milliseconds = 0;
  for (let day = dayOf(from); day < to; day += wholeDay) {
    if (!works(day, workDays)) continue;
    milliseconds += Math.max(0, Math.min(to, day + closes) - Math.max(from, day + opens));
  }
  return Math.round(milliseconds / minute);
}

function workEnd(start: string, minutes: number, workDays: WorkDays): string {
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
