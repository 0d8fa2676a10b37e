// Turns the values of flags into a task update: short forms become the contract's own values, relative dates become dates.
// Names stay names; resolve/ looks them up.

import {
  customFieldEntry,
  isTaskUpdateParameter,
  type TaskDates,
  type TaskUpdate,
  type TaskUpdateParameter,
  taskUpdateParameters,
} from '../../../contract/task.ts';
import { usageError } from '../../../failure.ts';
import { type ParsedFlags, toKebabCase } from '../../flag.ts';
import { withFlagName } from '../../with-flag-name.ts';
import { customFieldNamed } from './name-or-id.ts';
import { resolveDate } from './relative-date.ts';
import { splitFields, type UnresolvedUpdate, uniqueBy } from './unresolved-update.ts';
import type { updateFlags } from './update-flags.ts';

export type UpdateFlagValues = ParsedFlags<typeof updateFlags>;

/** A date such as `tomorrow` with the date that it stands for, to be shown before anything is sent. */
export interface RelativeDate {
  readonly flag: string;
  readonly typed: string;
  readonly date: string;
}

export interface BuiltUpdate {
  readonly update: UnresolvedUpdate;
  readonly relativeDates: readonly RelativeDate[];
}

/** `now` in milliseconds since 1970. Throws a usage failure for flags that cannot be combined. */
export function buildUpdate(flags: UpdateFlagValues, now: number): BuiltUpdate {
  const update: Record<string, unknown> = {};
  for (const name in flags)
    if (isTaskUpdateParameter(name) && flags[name] !== undefined) update[name] = flags[name];
  const { dates, relativeDates } = buildDates(flags, now);
  if (dates) update['dates'] = dates;
  const effort = buildEffort(flags);
  if (effort) update['effortAllocation'] = effort;
  const customFields = buildCustomFields(flags);
  if (customFields) update['customFields'] = customFields;
  const entriesOfMetadata = [
    ...(flags.metadata ?? []),
    ...(flags.removeMetadata ?? []).map((key) => ({ key, value: null })),
  ];
  if (entriesOfMetadata.length > 0) {
    const each = uniqueBy(entriesOfMetadata, ({ key, value }) => [key, value]);
    update['metadata'] = validate('metadata', 'metadata', each);
  }
  // Every member was validated by its own flag or above.
  return { update: update as UnresolvedUpdate, relativeDates };
}

/** What `--custom-fields`, `--custom-field` and `--remove-custom-field` set together; those with titles come last. */
function buildCustomFields(flags: UpdateFlagValues): UnresolvedUpdate['customFields'] {
  const { customFields = [], customField = [], removeCustomField = [] } = flags;
  if (customField.length === 0 && removeCustomField.length === 0) return flags.customFields;
  const { withId, withTitle } = splitFields([
    ...customFields,
    ...customField,
    ...removeCustomField.map((field) => customFieldNamed(field, null)),
  ]);
  const ids = uniqueBy(withId, ({ id, value }) => [id, value]);
  if (ids.length > 0) validate('custom-field', 'customFields', ids);
  const titles = uniqueBy(withTitle, ({ title, value }) => [title, value]);
  for (const { value } of titles)
    withFlagName('custom-field', () => customFieldEntry.shape.value.validate(value));
  return [...ids, ...titles];
}

/** Validates what several flags make together. */
function validate(flag: string, name: TaskUpdateParameter, input: unknown): unknown {
  return withFlagName(flag, () => taskUpdateParameters[name].schema.validate(input));
}

function buildEffort({
  effortMode,
  totalEffort,
  effortAllocation,
}: UpdateFlagValues): TaskUpdate['effortAllocation'] {
  if (effortMode === undefined && totalEffort === undefined) return undefined;
  if (effortAllocation !== undefined) {
    throw usageError(
      '--effort-allocation cannot be combined with --effort-mode or --total-effort',
      'Use one of the two forms.',
    );
  }
  if (effortMode === undefined) {
    throw usageError(
      `--total-effort needs --effort-mode`,
      'Add --effort-mode Basic, Flexible, FullTime or None.',
      'the service sets mode and total effort together',
    );
  }
  return { mode: effortMode, ...(totalEffort === undefined ? {} : { totalEffort }) };
}

function buildDates(
  flags: UpdateFlagValues,
  now: number,
): { dates?: TaskDates; relativeDates: readonly RelativeDate[] } {
  const { start, due, duration, workOnWeekends, milestone, backlog } = flags;
  if (milestone && backlog) throw usageError('--milestone and --backlog cannot be combined');
  const relativeDates: RelativeDate[] = [];
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
  const type = milestone ? 'milestone' : 'backlog';
  const flagsGiven = given.map((name) => `--${toKebabCase(name === 'type' ? type : name)}`);
  throw usageError(`--dates cannot be combined with ${flagsGiven.join(', ')}`, 'Use one of the two forms.');
}
