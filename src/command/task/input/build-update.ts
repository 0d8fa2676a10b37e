// What was said becomes the parameters of the call: the short forms are put into the contract's own, and dates are
// resolved. What only the service can tell (names) is left to resolve/, and marked here.

import { ValidationError } from '../../../contract/schema.ts';
import {
  customFieldEntry,
  type TaskDates,
  type TaskUpdate,
  taskUpdateParameters,
} from '../../../contract/task.ts';
import { usageError } from '../../../failure.ts';
import { type ParsedFlags, toKebabCase } from '../../flag.ts';
import { uniqueBy } from './contradictions.ts';
import { isFieldTitle, isStatusName, isUserName } from './name-or-id.ts';
import { isParameter, type ParameterName } from './parameter-schemas.ts';
import { resolveDate } from './relative-date.ts';
import type { FieldAssignment, updateFlags } from './update-flags.ts';

export type UpdateFlagValues = ParsedFlags<typeof updateFlags>;

export interface UnresolvedUpdate {
  /** Names still stand in it where ids belong, if any of the following says so. */
  readonly update: TaskUpdate;
  /** Custom fields that were said by their titles. */
  readonly titles: readonly FieldAssignment[];
  readonly statusByName: boolean;
  readonly usersByName: readonly UserParameter[];
  /** Relative dates with what they stand for, for the person to see. */
  readonly relativeDates: readonly { readonly flag: string; readonly typed: string; readonly date: string }[];
}

export const userParameters = [
  'addShareds',
  'removeShareds',
  'addResponsibles',
  'removeResponsibles',
  'addFollowers',
] as const;
export type UserParameter = (typeof userParameters)[number];

export function hasNames({ titles, statusByName, usersByName }: UnresolvedUpdate): boolean {
  return titles.length > 0 || statusByName || usersByName.length > 0;
}

/** The ids that a custom field, a custom status or a person may have as a name, each with what it is the id of. */
export function idsThatMayBeNames(update: TaskUpdate): readonly string[] {
  const { customFields, customStatus } = update;
  const ids: string[] = customStatus === undefined ? [] : [`status ${customStatus}`];
  if (customFields) for (const { id } of customFields) ids.push(`field ${id}`);
  for (const name of userParameters) for (const id of update[name] ?? []) ids.push(`person ${id}`);
  return ids;
}

/** `now` in milliseconds since 1970. Throws a usage failure where two forms say different things. */
export function buildUpdate(flags: UpdateFlagValues, now: number): UnresolvedUpdate {
  const update: Record<string, unknown> = {};
  for (const name in flags) if (isParameter(name) && flags[name] !== undefined) update[name] = flags[name];
  const { dates, relativeDates } = buildDates(flags, now);
  if (dates) update['dates'] = dates;
  const effort = buildEffort(flags);
  if (effort) update['effortAllocation'] = effort;
  const titles = addCustomFields(update, flags);
  const entriesOfMetadata = [
    ...(flags.metadata ?? []),
    ...(flags.removeMetadata ?? []).map((key) => ({ key, value: null })),
  ];
  if (entriesOfMetadata.length > 0) {
    const each = uniqueBy(entriesOfMetadata, ({ key, value }) => [key, value]);
    update['metadata'] = validated('metadata', 'metadata', each);
  }
  // Every member was checked by its own row above, and those with names in them are marked.
  return findNames(update as TaskUpdate, titles, relativeDates);
}

/** Finds the names that stand in the place of ids. */
export function findNames(
  update: TaskUpdate,
  titles: readonly FieldAssignment[] = [],
  dates: UnresolvedUpdate['relativeDates'] = [],
): UnresolvedUpdate {
  const { customStatus } = update;
  return {
    update,
    titles,
    relativeDates: dates,
    statusByName: customStatus !== undefined && isStatusName(customStatus),
    usersByName: userParameters.filter((name) => update[name]?.some(isUserName)),
  };
}

/** Puts the fields that were said by their ids into the update; gives back the others. */
function addCustomFields(
  update: Record<string, unknown>,
  flags: UpdateFlagValues,
): readonly FieldAssignment[] {
  const { customFields, customField, removeCustomField } = flags;
  if (!customField && !removeCustomField) return [];
  const said = [
    ...(customField ?? []),
    ...(removeCustomField ?? []).map((name) => ({
      name,
      isTitle: isFieldTitle(name),
      value: null,
    })),
  ];
  const byId = said.filter(({ isTitle }) => !isTitle).map(({ name, value }) => ({ id: name, value }));
  const all = uniqueBy([...(customFields ?? []), ...byId], ({ id, value }) => [id, value]);
  if (all.length > 0) update['customFields'] = validated('custom-field', 'customFields', all);
  const titles = uniqueBy(
    said.filter(({ isTitle }) => isTitle),
    ({ name, value }) => [name, value],
  );
  for (const { value } of titles)
    withFlagName('custom-field', () => customFieldEntry.shape.value.validate(value));
  return titles;
}

/** Checks once more, for the whole that several flags make. */
function validated(flag: string, name: ParameterName, input: unknown): unknown {
  return withFlagName(flag, () => taskUpdateParameters[name].schema.validate(input));
}

function withFlagName<T>(flag: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ValidationError) throw usageError(`--${flag}: ${error.message}`);
    throw error;
  }
}

function buildEffort({
  effortMode,
  totalEffort,
  effortAllocation,
}: UpdateFlagValues): TaskUpdate['effortAllocation'] {
  if (effortMode === undefined && totalEffort === undefined) return undefined;
  if (effortAllocation !== undefined) {
    throw usageError(
      '--effort-allocation says the same as --effort-mode and --total-effort',
      'Use one of the two forms.',
    );
  }
  if (effortMode === undefined) {
    throw usageError(
      `--total-effort needs --effort-mode`,
      'Say which mode the task is to have: --effort-mode Basic, Flexible, FullTime or None',
      'the service sets mode and total effort together',
    );
  }
  return { mode: effortMode, ...(totalEffort === undefined ? {} : { totalEffort }) };
}

function buildDates(
  flags: UpdateFlagValues,
  now: number,
): { dates?: TaskDates; relativeDates: UnresolvedUpdate['relativeDates'] } {
  const { start, due, duration, workOnWeekends, milestone, backlog } = flags;
  if (milestone && backlog) throw usageError('--milestone and --backlog exclude each other');
  const relativeDates: { flag: string; typed: string; date: string }[] = [];
  const resolved = (flag: string, text: string): string => {
    const date = withFlagName(flag, () => resolveDate(text, now));
    if (date !== text) relativeDates.push({ flag, typed: text, date });
    return date;
  };
  const short: TaskDates = {
    ...(milestone ? { type: 'Milestone' } : backlog ? { type: 'Backlog' } : {}),
    ...(start === undefined ? {} : { start: resolved('start', start) }),
    ...(due === undefined ? {} : { due: resolved('due', due) }),
    ...(duration === undefined ? {} : { duration }),
    ...(workOnWeekends === undefined ? {} : { workOnWeekends }),
  };
  const given = Object.keys(short);
  if (given.length === 0)
    return { ...(flags.dates === undefined ? {} : { dates: flags.dates }), relativeDates };
  if (flags.dates === undefined) return { dates: short, relativeDates };
  const flagsGiven = given.map((name) => `--${toKebabCase(name === 'type' ? 'milestone' : name)}`);
  throw usageError(
    `--dates and ${flagsGiven.join(', ')} say the same thing twice`,
    'Use one of the two forms.',
  );
}
