// Finds mistakes in an update before anything is sent: it changes nothing, it contradicts itself, or its dates are not a valid
// combination or would lose data.

import { toWords } from '#cli/flags/flag.ts';
import { formatValue } from '#contract/schema.ts';
import { isTaskUpdateParameter, type TaskDates, type TaskUpdateParameter } from '#contract/task.ts';
import {
  type DatesHazard,
  type DatesRule,
  DatesValidationError,
  datesHazard,
  hasChanges,
  validateDates,
} from '#contract/task-rules.ts';
import { type Failure, usageError } from '#failure.ts';
import type { BuiltUpdate } from './build-update.ts';
import { me, type NameAndValue, splitFields, type UnresolvedUpdate } from './unresolved-update.ts';

const planHint = 'For a planned task, give --start with --due or --duration';

/** How to fix an invalid combination of dates. Tests follow each hint to the letter. */
const hints: Readonly<Record<DatesRule, string>> = {
  'start-alone': 'Give --start with --due or --duration.',
  'start-without-plan': `A milestone has only a due date (--due DATE --milestone); a backlog task has no dates. ${planHint}, without --milestone or --backlog.`,
  'due-in-backlog': `A backlog task has no dates: leave out --due. ${planHint}, without --backlog.`,
  'duration-of-milestone': `A milestone has only a due date: leave out --duration. ${planHint}, without --milestone.`,
  'due-before-start': 'Swap the two, or give a --due on or after the start.',
  'no-duration': 'Give --due with --start, or a --duration of at least 1 minute.',
};

/** Throws usage failures. Returns the dates if they are a due date alone: whether that is valid depends on the task. */
export function validateUpdate(built: Omit<BuiltUpdate, 'relativeDates'>): TaskDates | undefined {
  const { update, allowsClearingDates, keepsStart, isPlain } = built;
  if (!hasChanges(update))
    throw usageError(
      'This update changes nothing',
      'Give at least one change, such as --status Completed. See --help.',
    );
  if (!isPlain) assertNoContradictions(update);
  const hazard = update.dates && hazardOf(update.dates, allowsClearingDates);
  if (hazard === 'becomes-milestone') return update.dates;
  if (keepsStart) throw usageError('--keep-start needs --due, without --start, --duration or --milestone');
  return undefined;
}

function hazardOf(dates: TaskDates, allowsClearingDates: boolean): DatesHazard | undefined {
  try {
    validateDates(dates);
  } catch (error) {
    if (!(error instanceof DatesValidationError)) throw error;
    throw usageError(`dates: ${error.message}`, hints[error.brokenRule]);
  }
  const hazard = datesHazard(dates);
  if (hazard === 'clears-dates' && !allowsClearingDates)
    throw usageError(
      `A duration (${dates.duration} minutes) without a start would clear the dates of the task`,
      `Add the dates: --start DATE --due DATE --duration ${dates.duration}. To clear them: --allow-clearing-dates. If the task has none: --backlog`,
      'the service needs start and due with every duration',
    );
  return hazard;
}

/** Throws for two values of a field, and for a folder added and removed. Names are texts: call it again with ids. */
export function assertNoContradictions(update: UnresolvedUpdate): void {
  const { customFields, metadata } = update;
  if (customFields) {
    const { withId, withTitle } = splitFields(customFields);
    assertOneValue('custom field', withId, ({ id, value }) => [id, value]);
    assertOneValue('custom field', withTitle, ({ title, value }) => [title, value]);
  }
  if (metadata) assertOneValue('metadata entry', metadata, ({ key, value }) => [key, value]);
  for (const name in update) {
    if (!name.startsWith('add') || !isTaskUpdateParameter(name)) continue;
    const opposite = name.replace('add', 'remove');
    if (!isTaskUpdateParameter(opposite)) continue;
    const removed = idsOrNames(update, opposite);
    const both = idsOrNames(update, name).find((idOrName) => removed.includes(idOrName));
    if (both !== undefined)
      throw contradiction(`${formatValue(both)} is both in ${toWords(name)} and in ${toWords(opposite)}`);
  }
  if (update.follow === false && update.addFollowers?.includes(me))
    throw contradiction(`The update both adds you (${me}) as a follower and stops you from following`);
  const { priorityBefore, priorityAfter } = update;
  if (priorityBefore !== undefined && priorityBefore === priorityAfter)
    throw contradiction(`The update places the task both before and after ${priorityBefore}`);
}

function assertOneValue<T>(kind: string, entries: readonly T[], read: (entry: T) => NameAndValue): void {
  const values = new Map<string, string | null>();
  for (const [name, value] of entries.map(read)) {
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (before !== value) throw conflictingValues(kind, name, before, value);
  }
}

function conflictingValues(kind: string, name: string, first: string | null, second: string | null): Failure {
  const describe = (value: string | null) => (value === null ? 'removed' : `set to ${formatValue(value)}`);
  return contradiction(
    `The ${kind} ${formatValue(name)} is both ${describe(first)} and ${describe(second)}`,
    kind === 'custom field' && first !== null && second !== null
      ? ' For several choices, write FIELD[]=a,b once.'
      : '',
  );
}

function idsOrNames(update: UnresolvedUpdate, parameter: TaskUpdateParameter): readonly unknown[] {
  const value: unknown = update[parameter];
  return Array.isArray(value) ? value : [];
}

const contradiction = (problem: string, advice = ''): Failure => usageError(problem, `Choose one.${advice}`);
