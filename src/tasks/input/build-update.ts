// Turns the values of flags into a task update: short forms become the contract's own values, relative dates become dates.
// Names stay names; names/ resolves them.

import { type ParsedFlags, toKebabCase } from '#cli/flags/flag.ts';
import { withValueName } from '#cli/parse-values.ts';
import { customFieldEntry } from '#contract/custom-field-schemas.ts';
import {
  isTaskUpdateParameter,
  type TaskDates,
  type TaskUpdateParameter,
  taskUpdateParameters,
} from '#contract/task.ts';
import { isEmptyValue } from '#contract/task-rules.ts';
import { resolveDate } from '#dates/relative-date.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { customFieldNamed, splitFields, type UnresolvedUpdate, uniqueBy } from './unresolved-update.ts';
import type { updateFlags } from './update-flags.ts';

export type UpdateFlagValues = ParsedFlags<typeof updateFlags>;

export interface BuiltUpdate {
  readonly update: UnresolvedUpdate;
  readonly allowsClearingDates: boolean;
  readonly keepsStart: boolean;
  /** Set if {@link isPlainParameter} is true of each of its parameters. */
  readonly isPlain?: boolean;
  /** Dates such as `tomorrow`, each with the date that it stands for, to be shown before anything is sent. */
  readonly relativeDates: readonly { readonly flag: string; readonly typed: string; readonly date: string }[];
}

/** `now` in milliseconds since 1970. Throws a usage failure for flags that cannot be combined. */
export function buildUpdate(flags: UpdateFlagValues, now: number): BuiltUpdate {
  const update: Record<string, unknown> = {};
  for (const name in flags)
    if (isTaskUpdateParameter(name) && flags[name] !== undefined && !isEmptyValue(name, flags[name]))
      update[name] = flags[name];
  const relativeDates: BuiltUpdate['relativeDates'][number][] = [];
  const dates = buildDates(flags, (flag, text) => {
    const date = withValueName(`--${flag}`, () => resolveDate(text, now));
    if (date !== text) relativeDates.push({ flag, typed: text, date });
    return date;
  });
  if (dates) update['dates'] = dates;
  const { effortMode, totalEffort, customField = [], removeCustomField = [] } = flags;
  if ((effortMode ?? totalEffort) !== undefined) update['effortAllocation'] = buildEffort(flags);
  if (customField.length + removeCustomField.length > 0) update['customFields'] = buildCustomFields(flags);
  const { metadata = [], removeMetadata = [] } = flags;
  if (metadata.length + removeMetadata.length > 0) {
    const entries = [...metadata, ...removeMetadata.map((key) => ({ key, value: null }))];
    const uniqueEntries = uniqueBy(entries, ({ key, value }) => [key, value]);
    update['metadata'] = validate('metadata', 'metadata', uniqueEntries);
  }
  // Every member was validated by its own flag or above.
  const built = update as UnresolvedUpdate;
  const { allowClearingDates: allowsClearingDates = false, keepStart: keepsStart = false } = flags;
  return { update: built, relativeDates, allowsClearingDates, keepsStart };
}

/** The fields of `--custom-fields`, `--custom-field` and `--remove-custom-field` together. Fields with titles come last. */
function buildCustomFields(flags: UpdateFlagValues): UnresolvedUpdate['customFields'] {
  const { customFields = [], customField = [], removeCustomField = [] } = flags;
  const { withId, withTitle } = splitFields([
    ...customFields,
    ...customField,
    ...removeCustomField.map((field) => customFieldNamed(field, null)),
  ]);
  const ids = uniqueBy(withId, ({ id, value }) => [id, value]);
  if (ids.length > 0) validate('custom-field', 'customFields', ids);
  const titles = uniqueBy(withTitle, ({ title, value }) => [title, value]);
  for (const { value } of titles)
    withValueName('--custom-field', () => customFieldEntry.shape.value.validate(value));
  return [...ids, ...titles];
}

/** Validates a value that several flags make together. */
function validate(flag: string, name: TaskUpdateParameter, input: unknown): unknown {
  return withValueName(`--${flag}`, () => taskUpdateParameters[name].schema.validate(input));
}

function buildEffort({ effortMode, totalEffort, effortAllocation }: UpdateFlagValues) {
  if (effortAllocation !== undefined)
    throw usageError(
      '--effort-allocation cannot be combined with --effort-mode or --total-effort',
      'Use one of the two forms.',
    );
  if (effortMode === undefined)
    throw usageError(
      `--total-effort needs --effort-mode`,
      'Add --effort-mode Basic, Flexible, FullTime or None.',
      'the service sets mode and total effort together',
    );
  return { mode: effortMode, ...omitUndefined({ totalEffort }) };
}

/** Undefined without a short form. */
function buildDates(flags: UpdateFlagValues, resolve: (flag: string, text: string) => string) {
  const { start, due, duration, workOnWeekends, milestone, backlog } = flags;
  if (milestone && backlog) throw usageError('--milestone and --backlog cannot be combined');
  // Member by member: a million rows pass here.
  const dates: { -readonly [K in keyof TaskDates]: TaskDates[K] } = {};
  if (milestone || backlog) dates.type = milestone ? 'Milestone' : 'Backlog';
  if (start !== undefined) dates.start = resolve('start', start);
  if (due !== undefined) dates.due = resolve('due', due);
  if (duration !== undefined) dates.duration = duration;
  if (workOnWeekends !== undefined) dates.workOnWeekends = workOnWeekends;
  let isEmpty = true;
  for (const _ in dates) isEmpty = false;
  if (isEmpty) return undefined;
  if (flags.dates === undefined) return dates;
  const type = milestone ? 'milestone' : 'backlog';
  const shortFlags = Object.keys(dates).map((name) => `--${toKebabCase(name === 'type' ? type : name)}`);
  throw usageError(`--dates cannot be combined with ${shortFlags.join(', ')}`, 'Use one of the two forms.');
}
