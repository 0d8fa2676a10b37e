// The flags of `wm task update`: one for each parameter of the contract, made from the parameter's own row, and the short
// forms that people prefer to JSON. What the flags say together is to-update.ts.

import {
  formatValue,
  list as listValue,
  type Schema,
  type TypeOf,
  ValidationError,
} from '../../../contract/schema.ts';
import {
  durationMinutes,
  effortMode,
  metadataEntry,
  taskEffort,
  taskUpdateParameters,
} from '../../../contract/task.ts';
import { booleanFlag, type Flag, listFlag, parseText, textFlag, valueFlag } from '../../flag.ts';
import { durationInput } from './duration.ts';
import { customFieldNamed, notBlank } from './name-or-id.ts';
import { inputSchemas, type ParameterName, parameterNames } from './parameter-schemas.ts';
import { dateInput } from './relative-date.ts';
import type { CustomField, TitledField, UnresolvedUpdate } from './unresolved-update.ts';

type ParameterFlags = { readonly [K in ParameterName]: Flag<NonNullable<UnresolvedUpdate[K]>> };

const metadata: Flag<readonly TypeOf<typeof metadataEntry>[]> = {
  help: `${taskUpdateParameters.metadata.meaning}; as KEY=VALUE or JSON`,
  placeholder: 'KEY=VALUE',
  repeats: true,
  acceptsFile: true,
  parse: (given) =>
    parseEntries(given, taskUpdateParameters.metadata.schema, (text) =>
      parsePair(text, (key, one) => ({ key, value: one })),
    ),
};

/** JSON lists are taken as they are; anything else is one short form each. The whole is checked together. */
function parseEntries<T>(
  given: readonly string[],
  kind: Schema<readonly T[]>,
  short: (text: string) => unknown,
): readonly T[] {
  const all = given.flatMap((text): readonly unknown[] =>
    text.trimStart().startsWith('[') ? parseText(kind, text) : [short(text)],
  );
  return kind.validate(all);
}

function parsePair<T>(text: string, build: (name: string, value: string) => T): T {
  const at = text.indexOf('=');
  if (at < 1) throw new ValidationError(formatValue(text), 'is not of the form NAME=VALUE');
  return build(text.slice(0, at), text.slice(at + 1));
}

/** `FIELD=VALUE`, or `FIELD[]=a,b` with the choices, which the service takes as a JSON list. */
export function parseFieldAssignment(text: string): CustomField | TitledField {
  return parsePair(text, (typed, value) => {
    if (!typed.endsWith('[]')) return customFieldNamed(typed, value);
    const choices = parseChoices(value);
    return customFieldNamed(typed.slice(0, -2), JSON.stringify(choices), choices);
  });
}

/** `Print,"a, b",Web`: a comma inside quotes is none; a doubled quote is one. */
export function parseChoices(text: string): readonly string[] {
  const cells = text.match(/\s*(?:"(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/g) ?? [];
  return cells
    .map((cell) => cell.replace(/,$/, '').trim())
    .map((cell) => (/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    .filter((cell) => cell !== '');
}

/** What stands for a value in help, by its kind. */
const placeholders: Readonly<Record<string, string>> = {
  title: 'TEXT',
  TaskStatus: 'STATUS',
  TaskImportance: 'IMPORTANCE',
  TaskId: 'TASK',
  FolderId: 'FOLDER',
  PlaceholderId: 'PLACEHOLDER',
  EntityTypeId: 'TYPE',
  WorkScheduleId: 'SCHEDULE',
  BillingType: 'TYPE',
  EffortMode: 'MODE',
  'field name': 'NAME',
};

function placeholderOf({ type }: Schema<unknown>): string {
  return placeholders[type] ?? type.toUpperCase().replace(/[^A-Z]+/g, '-');
}

/** The flag of a parameter, by its kind: a switch, a list, or one value. */
function createFlag(name: ParameterName): Flag<unknown> {
  if (name === 'metadata') return metadata;
  const { meaning } = taskUpdateParameters[name];
  const kind: Schema<unknown> = inputSchemas[name];
  const { item } = kind;
  const choices = kind.choices ?? item?.choices;
  if (kind.type === 'boolean') return booleanFlag(meaning, { negatable: true });
  const help = choices ? `${meaning}: ${choices.join(', ')}` : meaning;
  if (name === 'description') return { ...valueFlag(kind, placeholderOf(kind), help), acceptsFile: true };
  if (kind.wireFormat === 'text') return valueFlag(kind, placeholderOf(kind), help);
  // A list of ids or names is plain to type; a list of objects is JSON.
  if (item?.wireFormat === 'text')
    return listFlag(kind as Schema<readonly unknown[]>, `${placeholderOf(item)},...`, help);
  return { ...valueFlag(kind, 'JSON', `${help}; as JSON`), acceptsFile: true };
}

// Each flag parses to its parameter's own type, since it is made from that parameter's row.
const parameterFlags = Object.fromEntries(
  parameterNames.map((name) => [name, createFlag(name)]),
) as ParameterFlags;

const shortFlags = {
  start: valueFlag(
    dateInput,
    'DATE',
    'Set the start: 2026-12-04, 2026-12-04 17:00, tomorrow, next monday, in 3 days',
  ),
  due: valueFlag(dateInput, 'DATE', 'Set the due date; takes the same forms as --start'),
  duration: valueFlag(
    durationInput(durationMinutes),
    'DURATION',
    'Set the duration: 2d4h, 1.5h, 90m, or minutes; a day has 480',
  ),
  workOnWeekends: booleanFlag('Count weekends as working days', { negatable: true }),
  milestone: booleanFlag('Make the task a milestone: a due date, no start'),
  backlog: booleanFlag('Move the task to the backlog: no dates'),
  allowClearingDates: booleanFlag('Allow a duration without a start, which clears the dates'),
  customField: {
    ...textFlag('FIELD=VALUE', 'Set a custom field, by its title or id; FIELD[]=a,b sets several choices'),
    repeats: true,
    parse: (given: readonly string[]): readonly (CustomField | TitledField)[] =>
      given.map(parseFieldAssignment),
  },
  removeCustomField: listFlag(listValue(fieldName()), 'FIELD,...', 'Clear custom fields'),
  removeMetadata: listFlag(listValue(metadataEntry.shape.key), 'KEY,...', 'Remove metadata entries'),
  effortMode: valueFlag(
    effortMode,
    placeholderOf(effortMode),
    `Set the effort mode: ${effortMode.choices?.join(', ')}`,
  ),
  totalEffort: valueFlag(
    durationInput(taskEffort.shape.totalEffort),
    'DURATION',
    'Set the total effort: 12h, 2d4h; needs --effort-mode',
  ),
} as const;

/** Of which parameter each short form says a part. */
export const parameterOfShortFlag: {
  readonly [K in Exclude<keyof typeof shortFlags, 'allowClearingDates'>]: ParameterName;
} = {
  start: 'dates',
  due: 'dates',
  duration: 'dates',
  workOnWeekends: 'dates',
  milestone: 'dates',
  backlog: 'dates',
  customField: 'customFields',
  removeCustomField: 'customFields',
  removeMetadata: 'metadata',
  effortMode: 'effortAllocation',
  totalEffort: 'effortAllocation',
};

/** The id or the title of a custom field. */
function fieldName(): Schema<string> {
  const check = (input: unknown): string => {
    if (typeof input !== 'string')
      throw new ValidationError(formatValue(input), 'is not the id or the title of a custom field');
    return notBlank(input, 'a custom field');
  };
  return { type: 'FIELD', wireFormat: 'text', validate: check, fromWire: check, toWire: (text) => text };
}

export const updateFlags = { ...parameterFlags, ...shortFlags };
