// Rules of a task update that concern several parameters: the command line checks them before it sends, the emulator on receipt.

import type { AssumptionId } from './assumption.ts';
import { limit } from './limit.ts';
import { formatValue, ValidationError } from './schema.ts';
import { isTaskUpdateParameter, type TaskDates, type TaskUpdate, taskUpdateParameters } from './task.ts';

export type DatesHazard =
  /** A due date alone makes a planned task a milestone. */
  | 'becomes-milestone'
  /** A duration without a start clears the start and the due date. */
  | 'clears-dates';

/** Compares only the days if one date has no time, since the working hours depend on the account. */
function isBefore(due: string, start: string): boolean {
  const length = Math.min(due.length, start.length);
  return due.slice(0, length) < start.slice(0, length);
}

/** The rules that dates can break, each with its assumption unless the contract states the rule and its consequence. */
const datesRules = {
  'start-alone': 'start-alone',
  'start-without-plan': 'contradictory-dates',
  'due-in-backlog': 'contradictory-dates',
  'duration-of-milestone': 'contradictory-dates',
  'due-before-start': 'due-before-start',
  'no-duration': undefined,
} as const satisfies Record<string, AssumptionId | undefined>;

export type DatesRule = keyof typeof datesRules;

/** Dates that the service rejects together, and the rule that they break. */
export class DatesValidationError extends ValidationError {
  readonly brokenRule: DatesRule;

  constructor(broken: DatesRule, value: unknown, rule: string) {
    super(formatValue(value), rule, datesRules[broken]);
    this.brokenRule = broken;
  }
}

function reject(rule: DatesRule, value: unknown, problem: string): never {
  throw new DatesValidationError(rule, value, problem);
}

export function validateDates(dates: TaskDates): void {
  const { type, start, due, duration } = dates;
  if (start !== undefined && due === undefined && duration === undefined)
    reject('start-alone', start, 'is a start date without a due date or a duration');
  if (type !== undefined && type !== 'Planned' && start !== undefined)
    reject('start-without-plan', start, `is a start date, which a ${type} task cannot have`);
  if (type === 'Backlog' && due !== undefined)
    reject('due-in-backlog', due, 'is a due date, which a Backlog task cannot have');
  if (type === 'Milestone' && duration !== undefined)
    reject('duration-of-milestone', duration, 'is a duration, which a Milestone cannot have');
  if (start !== undefined && due !== undefined && isBefore(due, start))
    reject('due-before-start', due, `is a due date before the start ${formatValue(start)}`);
  const planned = type === 'Planned' || start !== undefined;
  const least = limit.plannedDurationMinutes;
  if (planned && due === undefined && duration !== undefined && duration < least) {
    const range = `[${least}, ${limit.durationMinutesBelow}) minutes`;
    reject(
      'no-duration',
      duration,
      `is not in the range ${range}, which a Planned task without a due date needs`,
    );
  }
}

/** How these dates destroy data, unless their type shows that it is intended. */
export function datesHazard({ type, start, due, duration }: TaskDates): DatesHazard | undefined {
  if (type === 'Milestone' || type === 'Backlog' || start !== undefined) return undefined;
  if (duration !== undefined) return 'clears-dates';
  return due !== undefined && type === undefined ? 'becomes-milestone' : undefined;
}

/** The day of a start on a weekend, and the Monday to which the service moves it. The account may have other working days. */
export function movedStart({ start, workOnWeekends }: { readonly [K in keyof TaskDates]?: unknown }) {
  if (typeof start !== 'string' || workOnWeekends === true) return undefined;
  const date = new Date(start.slice(0, 10));
  const weekday = { 0: 'Sunday', 6: 'Saturday' }[date.getUTCDay()];
  if (weekday === undefined) return undefined;
  date.setUTCDate(date.getUTCDate() + (weekday === 'Sunday' ? 1 : 2));
  return { weekday, monday: date.toISOString().slice(0, 10) };
}

/** True if at least one parameter changes the task. Some only shape the response. */
export function hasChanges(update: { readonly [K in keyof TaskUpdate]?: unknown }): boolean {
  for (const name in update) {
    if (!isTaskUpdateParameter(name) || taskUpdateParameters[name].shapesResponse) continue;
    if (!isEmptyValue(name, update[name])) return true;
  }
  return false;
}

/** True for empty dates and lists. An empty `setResponsibleAllocation` replaces the current list, so it is a value. */
export function isEmptyValue(name: string, value: unknown): boolean {
  if (name === 'setResponsibleAllocation') return false;
  if (Array.isArray(value)) return value.length === 0;
  return name === 'dates' && value instanceof Object && Object.keys(value).length === 0;
}
