// What was said becomes the parameters of the call: the short forms are put into the contract's own, and dates are
// resolved. What only the service can tell (names) is left to look-up/, and marked here.

import { ValidationError } from '../../contract/schema.ts';
import {
  customFieldEntry,
  type TaskDates,
  type TaskUpdate,
  taskUpdateParameters,
} from '../../contract/task.ts';
import { usage } from '../../failure.ts';
import { kebab, type ParsedFlags } from '../flag.ts';
import { eachOnce } from './contradictions.ts';
import { dateOf } from './short/day.ts';
import { isParameter, type ParameterName } from './short/kinds.ts';
import { isFieldTitle, isPersonName, isStatusName } from './short/name.ts';
import type { SaidField, updateFlags } from './update-flags.ts';

export type SaidFlags = ParsedFlags<typeof updateFlags>;

export interface Said {
  /** Names still stand in it where ids belong, if any of the following says so. */
  readonly update: TaskUpdate;
  /** Custom fields that were said by their titles. */
  readonly titles: readonly SaidField[];
  readonly statusByName: boolean;
  readonly peopleByName: readonly PeopleParameter[];
  /** Relative dates with what they stand for, for the person to see. */
  readonly dates: readonly { readonly flag: string; readonly said: string; readonly date: string }[];
}

export const peopleParameters = [
  'addShareds',
  'removeShareds',
  'addResponsibles',
  'removeResponsibles',
  'addFollowers',
] as const;
export type PeopleParameter = (typeof peopleParameters)[number];

export function needsLookUp({ titles, statusByName, peopleByName }: Said): boolean {
  return titles.length > 0 || statusByName || peopleByName.length > 0;
}

/** The ids that a custom field, a custom status or a person may have as a name, each with what it is the id of. */
export function idsIn(update: TaskUpdate): readonly string[] {
  const { customFields, customStatus } = update;
  const ids: string[] = customStatus === undefined ? [] : [`status ${customStatus}`];
  if (customFields) for (const { id } of customFields) ids.push(`field ${id}`);
  for (const name of peopleParameters) for (const id of update[name] ?? []) ids.push(`person ${id}`);
  return ids;
}

/** `now` in milliseconds since 1970. Throws a usage failure where two forms say different things. */
export function toUpdate(flags: SaidFlags, now: number): Said {
  const update: Record<string, unknown> = {};
  for (const name in flags) if (isParameter(name) && flags[name] !== undefined) update[name] = flags[name];
  const { dates, said } = datesOf(flags, now);
  if (dates) update['dates'] = dates;
  const effort = effortOf(flags);
  if (effort) update['effortAllocation'] = effort;
  const titles = customFieldsInto(update, flags);
  const entriesOfMetadata = [
    ...(flags.metadata ?? []),
    ...(flags.removeMetadata ?? []).map((key) => ({ key, value: null })),
  ];
  if (entriesOfMetadata.length > 0) {
    const each = eachOnce(entriesOfMetadata, ({ key, value }) => [key, value]);
    update['metadata'] = checked('metadata', 'metadata', each);
  }
  // Every member was checked by its own row above, and those with names in them are marked.
  return marked(update as TaskUpdate, titles, said);
}

/** Finds the names that stand in the place of ids. */
export function marked(
  update: TaskUpdate,
  titles: readonly SaidField[] = [],
  dates: Said['dates'] = [],
): Said {
  const { customStatus } = update;
  return {
    update,
    titles,
    dates,
    statusByName: customStatus !== undefined && isStatusName(customStatus),
    peopleByName: peopleParameters.filter((name) => update[name]?.some(isPersonName)),
  };
}

/** Puts the fields that were said by their ids into the update; gives back the others. */
function customFieldsInto(update: Record<string, unknown>, flags: SaidFlags): readonly SaidField[] {
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
  const all = eachOnce([...(customFields ?? []), ...byId], ({ id, value }) => [id, value]);
  if (all.length > 0) update['customFields'] = checked('custom-field', 'customFields', all);
  const titles = eachOnce(
    said.filter(({ isTitle }) => isTitle),
    ({ name, value }) => [name, value],
  );
  for (const { value } of titles)
    refuseAs('custom-field', () => customFieldEntry.shape.value.validate(value));
  return titles;
}

/** Checks once more, for the whole that several flags make. */
function checked(flag: string, name: ParameterName, input: unknown): unknown {
  return refuseAs(flag, () => taskUpdateParameters[name].schema.validate(input));
}

function refuseAs<T>(flag: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ValidationError) throw usage(`--${flag}: ${error.message}`);
    throw error;
  }
}

function effortOf({ effortMode, totalEffort, effortAllocation }: SaidFlags): TaskUpdate['effortAllocation'] {
  if (effortMode === undefined && totalEffort === undefined) return undefined;
  if (effortAllocation !== undefined) {
    throw usage(
      '--effort-allocation says the same as --effort-mode and --total-effort',
      'Use one of the two forms.',
    );
  }
  if (effortMode === undefined) {
    throw usage(
      `--total-effort needs --effort-mode`,
      'Say which mode the task is to have: --effort-mode Basic, Flexible, FullTime or None',
      'the service sets mode and total effort together',
    );
  }
  return { mode: effortMode, ...(totalEffort === undefined ? {} : { totalEffort }) };
}

function datesOf(flags: SaidFlags, now: number): { dates?: TaskDates; said: Said['dates'] } {
  const { start, due, duration, workOnWeekends, milestone, backlog } = flags;
  if (milestone && backlog) throw usage('--milestone and --backlog exclude each other');
  const said: { flag: string; said: string; date: string }[] = [];
  const resolved = (flag: string, text: string): string => {
    const date = refuseAs(flag, () => dateOf(text, now));
    if (date !== text) said.push({ flag, said: text, date });
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
  if (given.length === 0) return { ...(flags.dates === undefined ? {} : { dates: flags.dates }), said };
  if (flags.dates === undefined) return { dates: short, said };
  const flagsGiven = given.map((name) => `--${kebab(name === 'type' ? 'milestone' : name)}`);
  throw usage(`--dates and ${flagsGiven.join(', ')} say the same thing twice`, 'Use one of the two forms.');
}
