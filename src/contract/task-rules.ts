// The rules of a task update that concern several parameters together. Both sides read them: the command line before it
// sends, the emulator when it judges.

import { limit } from './limit.ts';
import type { TaskDates, TaskUpdate } from './task.ts';
import { taskUpdateParameters } from './task.ts';
import { Refused, shown } from './value.ts';

/** Dates that destroy data without being wrong. */
export type DatesHazard =
  /** A due date alone makes a planned task a milestone. */
  | 'becomes-milestone'
  /** A duration without the start (and the due date) clears both. */
  | 'clears-dates';

const changing: ReadonlySet<string> = new Set(
  Object.entries(taskUpdateParameters)
    .filter(([, parameter]) => !parameter.shapesAnswer)
    .map(([name]) => name),
);

/** By their days where one has no time: from when to when a day is worked is the account's affair. */
function isBefore(due: string, start: string): boolean {
  const length = Math.min(due.length, start.length);
  return due.slice(0, length) < start.slice(0, length);
}

/** Throws {@link Refused} for dates that the service cannot accept together. */
export function checkDates(dates: TaskDates): void {
  const { type, start, due, duration } = dates;
  if (start !== undefined && due === undefined && duration === undefined) {
    throw new Refused(shown(start), 'is a start date alone; a due date or a duration must come with it');
  }
  if (type !== undefined && type !== 'Planned' && start !== undefined) {
    throw new Refused(shown(start), `is a start date, which a ${type} task cannot have`);
  }
  if (type === 'Backlog' && due !== undefined) {
    throw new Refused(shown(due), 'is a due date, which a Backlog task cannot have');
  }
  if (type === 'Milestone' && duration !== undefined) {
    throw new Refused(shown(duration), 'is a duration, which a Milestone cannot have');
  }
  if (start !== undefined && due !== undefined && isBefore(due, start)) {
    throw new Refused(shown(due), `is a due date before the start ${shown(start)}`);
  }
  const planned = type === 'Planned' || start !== undefined;
  if (planned && due === undefined && duration === 0) {
    throw new Refused(
      '0',
      `is not in the range [1, ${limit.durationMinutesBelow}) minutes, which a Planned task without a due date needs`,
    );
  }
}

/** What these dates would destroy, unless a kind of task without that date is named, which says that it is meant. */
export function datesHazard({ type, start, due, duration }: TaskDates): DatesHazard | undefined {
  if (type === 'Milestone' || type === 'Backlog' || start !== undefined) return undefined;
  if (duration !== undefined) return 'clears-dates';
  return due !== undefined && type === undefined ? 'becomes-milestone' : undefined;
}

/** True where at least one parameter changes the task, rather than only shaping the answer. */
export function changesSomething(update: TaskUpdate): boolean {
  for (const name in update) if (changing.has(name)) return true;
  return false;
}
