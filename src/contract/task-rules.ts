// The rules of a task update that concern several parameters together. The command line checks them before it sends, and the
// emulator when it receives.

import type { AssumptionId } from './assumption.ts';
import { limit } from './limit.ts';
import { formatValue, ValidationError } from './schema.ts';
import type { TaskDates, TaskUpdate, TaskUpdateParameter } from './task.ts';
import { taskUpdateParameters } from './task.ts';

/** Dates that are valid but destroy data. */
export type DatesHazard =
  /** A due date alone makes a planned task a milestone. */
  | 'becomes-milestone'
  /** A duration without a start clears the start and the due date. */
  | 'clears-dates';

const changingParameters: ReadonlySet<string> = new Set(
  Object.entries(taskUpdateParameters)
    .filter(([, parameter]) => !parameter.shapesResponse)
    .map(([name]) => name),
);

function isChanging(name: string): name is TaskUpdateParameter {
  return changingParameters.has(name);
}

/** Compares only the days if one date has no time, since the working hours depend on the account. */
function isBefore(due: string, start: string): boolean {
  const length = Math.min(due.length, start.length);
  return due.slice(0, length) < start.slice(0, length);
}

/** The rules that dates can break. */
export type DatesRule =
  | 'start-alone'
  | 'start-without-plan'
  | 'due-in-backlog'
  | 'duration-of-milestone'
  | 'due-before-start'
  | 'no-duration';

/** The contract does not state these rules, or not their consequence. */
const assumedRules: { readonly [R in DatesRule]?: AssumptionId } = {
  'start-alone': 'start-alone',
  'start-without-plan': 'contradictory-dates',
  'due-in-backlog': 'contradictory-dates',
  'duration-of-milestone': 'contradictory-dates',
  'due-before-start': 'due-before-start',
};

/** Dates that the service rejects together, and the rule that they break. */
export class DatesValidationError extends ValidationError {
  readonly brokenRule: DatesRule;

  constructor(broken: DatesRule, value: unknown, rule: string) {
    super(formatValue(value), rule, assumedRules[broken]);
    this.brokenRule = broken;
  }
}

/** Throws {@link DatesValidationError}. */
export function validateDates(dates: TaskDates): void {
  const { type, start, due, duration } = dates;
  if (start !== undefined && due === undefined && duration === undefined) {
    throw new DatesValidationError('start-alone', start, 'is a start date without a due date or a duration');
  }
  if (type !== undefined && type !== 'Planned' && start !== undefined) {
    throw new DatesValidationError(
      'start-without-plan',
      start,
      `is a start date, which a ${type} task cannot have`,
    );
  }
  if (type === 'Backlog' && due !== undefined) {
    throw new DatesValidationError('due-in-backlog', due, 'is a due date, which a Backlog task cannot have');
  }
  if (type === 'Milestone' && duration !== undefined) {
    throw new DatesValidationError(
      'duration-of-milestone',
      duration,
      'is a duration, which a Milestone cannot have',
    );
  }
  if (start !== undefined && due !== undefined && isBefore(due, start)) {
    throw new DatesValidationError(
      'due-before-start',
      due,
      `is a due date before the start ${formatValue(start)}`,
    );
  }
  const planned = type === 'Planned' || start !== undefined;
  const least = limit.plannedDurationMinutes;
  if (planned && due === undefined && duration !== undefined && duration < least) {
    throw new DatesValidationError(
      'no-duration',
      duration,
      `is not in the range [${least}, ${limit.durationMinutesBelow}) minutes, which a Planned task without a due date needs`,
    );
  }
}

/** How these dates destroy data, unless their type shows that it is intended. */
export function datesHazard({ type, start, due, duration }: TaskDates): DatesHazard | undefined {
  if (type === 'Milestone' || type === 'Backlog' || start !== undefined) return undefined;
  if (duration !== undefined) return 'clears-dates';
  return due !== undefined && type === undefined ? 'becomes-milestone' : undefined;
}

/** True if at least one parameter changes the task. Some only shape the response. */
export function hasChanges(update: { readonly [K in keyof TaskUpdate]?: unknown }): boolean {
  for (const name in update) if (isChanging(name) && !isEmptyValue(name, update[name])) return true;
  return false;
}

/** True for empty dates and lists. An empty `setResponsibleAllocation` replaces the current list, so it is a value. */
export function isEmptyValue(name: string, value: unknown): boolean {
  if (name === 'setResponsibleAllocation') return false;
  if (Array.isArray(value)) return value.length === 0;
  return name === 'dates' && value instanceof Object && Object.keys(value).length === 0;
}
