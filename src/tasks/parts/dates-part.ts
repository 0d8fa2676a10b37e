// The dates of a task are one part, since each type of task has other members. For a planned task, undo sends start, due and duration:
// the service clears the dates if it gets a duration without the other two.

import type { ShownDates, TaskDates } from '#contract/task.ts';
import { datesHazard, movedStart } from '#contract/task-rules.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { formatDates } from '../display/columns.ts';
import { type Inverse, type Part, withMembers } from './part.ts';

export function datesPart(sent: TaskDates): Part {
  return {
    name: 'dates',
    members: ['dates'],
    // A task without this member works on weekdays only.
    read: ({ dates }) => dates && { ...dates, workOnWeekends: dates.workOnWeekends ?? false },
    format: ({ dates }) =>
      [formatDates(dates), dates?.workOnWeekends ? 'with weekends' : ''].filter(Boolean).join(', '),
    apply: (task) => withMembers(task, { dates: datesAfter(task.dates, sent) }),
    matches: ({ dates }) => dates !== undefined && mayResultFrom(sent, dates),
    copy: ({ dates }, onto) => withMembers(onto, { dates }),
    inverse: (before, now) => invertDates(before.dates, now.dates),
  };
}

/** The dates after the update, as far as the update determines them. Only the service can compute the due date from a duration. */
export function datesAfter(current: ShownDates | undefined, sent: TaskDates): ShownDates {
  const { start, due, duration, workOnWeekends } = { ...current, ...sent };
  const type = typeAfter(current, sent);
  const all = { start, due, duration };
  const dates = type === 'Milestone' ? { due } : type === 'Backlog' ? { duration: sent.duration } : all;
  return omitUndefined({ type, ...dates, workOnWeekends });
}

/** A duration without a start clears the dates, even of a task that is sent as planned. */
function typeAfter(current: ShownDates | undefined, sent: TaskDates): ShownDates['type'] {
  const hazard = datesHazard(sent);
  if (hazard === 'clears-dates') return 'Backlog';
  if (hazard === 'becomes-milestone') return 'Milestone';
  return sent.start === undefined ? (sent.type ?? current?.type) : 'Planned';
}

/** A date without a time matches any time of that day. With a start on a weekend, the Monday after it matches too. */
function mayResultFrom(sent: TaskDates, now: ShownDates): boolean {
  const monday = movedStart(sent)?.monday ?? '';
  const isOn = (date: string | undefined, current = '') =>
    date === undefined || current.startsWith(date) || (date < monday && current.startsWith(monday));
  return (
    typeAfter(now, sent) === now.type &&
    isOn(sent.start, now.start) &&
    isOn(sent.due, now.due) &&
    (sent.duration === undefined || sent.duration === now.duration) &&
    (sent.workOnWeekends === undefined || sent.workOnWeekends === (now.workOnWeekends ?? false))
  );
}

function invertDates(before: ShownDates | undefined, now: ShownDates | undefined): Inverse {
  if (before?.type === undefined) return { notRestorable: 'the dates: the service did not show them before' };
  const { type, start, due, duration, workOnWeekends } = before;
  const isShown = workOnWeekends !== undefined || now?.workOnWeekends !== undefined;
  const weekends = isShown ? { workOnWeekends: workOnWeekends ?? false } : {};
  if (type === 'Backlog') return { update: { dates: { type, ...omitUndefined({ duration }), ...weekends } } };
  if (type === 'Milestone')
    return due === undefined
      ? { notRestorable: 'the dates: the milestone showed no due date before' }
      : { update: { dates: { type, due, ...weekends } } };
  if (start === undefined || (due === undefined && duration === undefined))
    return { notRestorable: 'the dates: the service did not show all of them before' };
  return { update: { dates: { type, start, ...omitUndefined({ due, duration }), ...weekends } } };
}
