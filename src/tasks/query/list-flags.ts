// The flags of `wm task list`, and the values of --status and --sort.

import {
  booleanFlag,
  entriesFlag,
  type Flag,
  integerFlag,
  listFlag,
  type ParsedFlags,
  textFlag,
  valueFlag,
} from '#cli/flags/flag.ts';
import { choice, list, type Schema, type TypeOf } from '#contract/schema.ts';
import { taskStatus } from '#contract/task.ts';
import { taskFilters } from '#contract/task-list.ts';
import { dateInput } from '#dates/relative-date.ts';
import { sinceInput } from '#dates/time-input.ts';
import {
  type CustomField,
  customFieldNamed,
  customStatusInput,
  type TitledField,
  userInput,
} from '../input/unresolved-update.ts';
import { parseFieldAssignment } from '../input/update-flags.ts';

/** The values of --sort, with the service's name for each. The newest date comes first, except for due dates. */
export const sortKeys = {
  created: { field: 'CreatedDate', order: 'Desc' },
  updated: { field: 'UpdatedDate', order: 'Desc' },
  completed: { field: 'CompletedDate', order: 'Desc' },
  due: { field: 'DueDate', order: 'Asc' },
  status: { field: 'Status', order: 'Asc' },
  importance: { field: 'Importance', order: 'Asc' },
  title: { field: 'Title', order: 'Asc' },
} as const;

type SortKey = keyof typeof sortKeys;
// The object's keys are the sort keys and nothing else.
const sortKey: Schema<SortKey> = choice('sort key', Object.keys(sortKeys) as SortKey[]);

/** One of the four statuses, or a custom status by its name or id. */
function parseStatus(entry: unknown): string {
  const standard = taskStatus.choices.find(
    (status) => typeof entry === 'string' && status.toLowerCase() === entry.toLowerCase(),
  );
  return standard ?? customStatusInput.validate(entry);
}

type MetadataFilter = TypeOf<typeof taskFilters.metadata.schema>;
type FieldFilter = CustomField | TitledField;

function parseMetadata(text: string): MetadataFilter {
  const [key = '', ...rest] = text.split('=');
  return taskFilters.metadata.schema.validate(rest.length === 0 ? { key } : { key, value: rest.join('=') });
}

/** Without a value, its value is null. */
function parseField(text: string): FieldFilter {
  return text.includes('=') ? parseFieldAssignment(text) : customFieldNamed(text, null);
}

export const listFlags = {
  folder: textFlag('FOLDER', 'Only tasks in this folder or project (title or id)'),
  space: textFlag('SPACE', 'Only tasks in this space (title or id)'),
  recursive: booleanFlag('With --folder or --space: also the folders below, and subtasks'),
  status: {
    ...entriesFlag(
      parseStatus,
      'STATUS',
      `Only tasks with this status: ${taskStatus.choices.join(', ')}, or a custom status (name or id)`,
    ),
    completes: 'status',
  },
  responsible: listFlag(
    list(userInput),
    'USER',
    'Only tasks assigned to any of these users: @me, e-mail, name or id',
  ),
  unassigned: booleanFlag('Only tasks without an assignee (filtered by wm)'),
  title: textFlag('TEXT', 'Only tasks with this text in the title, ignoring case (filtered by wm)'),
  dueBefore: valueFlag(dateInput, 'DATE', 'Only tasks due before this date: 2026-12-31, tomorrow, fri'),
  dueAfter: valueFlag(dateInput, 'DATE', 'Only tasks due after this date'),
  metadata: {
    help: 'Only tasks with this metadata entry; KEY alone: with any value',
    placeholder: 'KEY=VALUE',
    repeats: true,
    parse: (texts): readonly MetadataFilter[] => texts.map(parseMetadata),
  } satisfies Flag<readonly MetadataFilter[]>,
  customField: {
    help: 'Only tasks with this value of a custom field (title or id); FIELD alone: with any value',
    placeholder: 'FIELD=VALUE',
    repeats: true,
    parse: (texts): readonly FieldFilter[] => texts.map(parseField),
  } satisfies Flag<readonly FieldFilter[]>,
  updatedSince: valueFlag(
    sinceInput,
    'DATE',
    'Only tasks updated since this date: 7d, yesterday, 2026-12-31',
  ),
  sort: valueFlag(sortKey, 'KEY', `Sort by ${Object.keys(sortKeys).join(', ')} (sorted by the service)`),
  reverse: booleanFlag('With --sort: the other way round'),
  limit: integerFlag('N', 'Print at most N tasks', 1, 1_000_000),
} as const;

export type ListFlags = ParsedFlags<typeof listFlags>;
