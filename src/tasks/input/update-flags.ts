// The flags of `wm task update`: one for each parameter of the contract, made from the parameter's own row, and short forms
// for values that would otherwise be JSON. build-update.ts combines their values.

import { booleanFlag, type Flag, listFlag, parseText, textFlag, valueFlag } from '#cli/flags/flag.ts';
import {
  invalidValue,
  list as listSchema,
  replaceError,
  type Schema,
  type TypeOf,
  ValidationError,
} from '#contract/schema.ts';
import {
  durationMinutes,
  effortMode,
  metadataEntry,
  type TaskUpdateParameter,
  taskEffort,
  taskUpdateParameterNames,
  taskUpdateParameters,
} from '#contract/task.ts';
import { dateInput } from '#dates/relative-date.ts';
import { durationInput } from './duration.ts';
import {
  type CustomField,
  customFieldNamed,
  customStatusInput,
  fieldInput,
  placedInput,
  type TitledField,
  type UnresolvedUpdate,
  userInput,
} from './unresolved-update.ts';

/** For flags and for the rows of a file: the contract's own schemas, but permalinks and names may stand for ids. */
type InputSchemas = { readonly [K in TaskUpdateParameter]: Schema<NonNullable<UnresolvedUpdate[K]>> };

// Each is the schema of its parameter, or accepts more ways to write the same values.
export const inputSchemas = Object.fromEntries(
  taskUpdateParameterNames.map((name) => [name, schemaOf(name)]),
) as InputSchemas;

function schemaOf(name: TaskUpdateParameter): Schema<unknown> {
  if (name === 'customStatus') return customStatusInput;
  const { schema }: { readonly schema: Schema<unknown> } = taskUpdateParameters[name];
  const { item } = schema;
  if (name === 'status') return withCustomStatusHint(schema);
  if (item?.type === 'UserId') return listSchema(userInput);
  if (item && isLinkable(item)) return listSchema(placedInput(item));
  return isLinkable(schema) ? placedInput(schema) : schema;
}

function withCustomStatusHint(schema: Schema<unknown>): Schema<unknown> {
  const validate = (input: unknown) =>
    replaceError(
      ValidationError,
      () => schema.validate(input),
      ({ value, problem }) =>
        new ValidationError(value, problem.replace(/(?=;|$)/, ' (custom statuses: --custom-status)')),
    );
  return { ...schema, validate, fromWire: validate };
}

/** True for ids that a permalink can hold. */
function isLinkable(schema: Schema<unknown>): schema is Schema<string> {
  return schema.type === 'TaskId' || schema.type === 'FolderId';
}

type ParameterFlags = { readonly [K in TaskUpdateParameter]: Flag<NonNullable<UnresolvedUpdate[K]>> };

const metadata: Flag<readonly TypeOf<typeof metadataEntry>[]> = {
  help: 'Set metadata entries: KEY=VALUE, or JSON, in which null removes one',
  placeholder: 'KEY=VALUE',
  repeats: true,
  acceptsFile: true,
  parse(texts) {
    const { schema } = taskUpdateParameters.metadata;
    const entries = texts.flatMap((text): readonly unknown[] => {
      if (text.trimStart().startsWith('[')) return parseText(schema, text);
      const [key, value] = parsePair(text);
      return [{ key, value }];
    });
    // Their number is limited too.
    return schema.validate(entries);
  },
};

function parsePair(text: string): readonly [name: string, value: string] {
  const index = text.indexOf('=');
  if (index < 1) throw invalidValue(text, 'is not of the form NAME=VALUE');
  return [text.slice(0, index), text.slice(index + 1)];
}

/** `FIELD=VALUE`, or `FIELD[]=a,b` with the choices, which the service takes as a JSON list. */
export function parseFieldAssignment(text: string): CustomField | TitledField {
  const [field, value] = parsePair(text);
  if (!field.endsWith('[]')) return customFieldNamed(field, value);
  const choices = parseChoices(value);
  return customFieldNamed(field.slice(0, -2), JSON.stringify(choices), choices);
}

/** `Print,"a, b",Web`: a comma inside quotes does not separate; a doubled quote stands for one. */
export function parseChoices(text: string): readonly string[] {
  const cells = text.matchAll(/\s*(?:"(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/g);
  return [...cells]
    .map(([cell]) => cell.replace(/,$/, '').trim())
    .map((cell) => (/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    .filter((cell) => cell !== '');
}

const placeholders: Readonly<Record<string, string>> = { title: 'TEXT', 'field name': 'NAME' };

/** The placeholder of a value in help: `WorkScheduleId` is SCHEDULE, `EffortMode` is MODE. */
function placeholderOf({ type }: Schema<unknown>): string {
  const [, word = type] = /([A-Z][a-z]+)(?:Id)?$/.exec(type) ?? [];
  return placeholders[type] ?? word.toUpperCase().replace(/[^A-Z]+/g, '-');
}

/** The flag of a parameter: a boolean flag, a list or one value, according to its schema. */
function createFlag(name: TaskUpdateParameter): Flag<unknown> {
  if (name === 'metadata') return metadata;
  const { meaning } = taskUpdateParameters[name];
  const schema: Schema<unknown> = inputSchemas[name];
  const { item } = schema;
  const choices = schema.choices ?? item?.choices;
  if (schema.type === 'boolean') return booleanFlag(meaning, { negatable: true });
  const help = choices ? `${meaning}: ${choices.join(', ')}` : meaning;
  if (name === 'description') return { ...valueFlag(schema, placeholderOf(schema), help), acceptsFile: true };
  if (schema.wireFormat === 'text') return valueFlag(schema, placeholderOf(schema), help);
  // A list of ids or names is easy to type; a list of objects is JSON.
  if (item?.wireFormat === 'text')
    return listFlag(schema as Schema<readonly unknown[]>, placeholderOf(item), help);
  return { ...valueFlag(schema, 'JSON', `${help}; as JSON`), acceptsFile: true };
}

// Each flag is made from the row of its parameter, so it parses to that parameter's type.
const parameterFlags = Object.fromEntries(
  taskUpdateParameterNames.map((name) => [name, createFlag(name)]),
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
  keepStart: booleanFlag('With --due alone: read the task first, and send its start along'),
  allowClearingDates: booleanFlag('Allow a duration without a start, which clears the dates'),
  customField: {
    ...textFlag('FIELD=VALUE', 'Set a custom field, by its title or id; FIELD[]=a,b sets several choices'),
    repeats: true,
    parse: (texts: readonly string[]): readonly (CustomField | TitledField)[] =>
      texts.map(parseFieldAssignment),
  },
  removeCustomField: listFlag(listSchema(fieldInput), 'FIELD', 'Clear custom fields'),
  removeMetadata: listFlag(listSchema(metadataEntry.shape.key), 'KEY', 'Remove metadata entries'),
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

export const parameterOfShortFlag: {
  readonly [K in Exclude<keyof typeof shortFlags, 'allowClearingDates' | 'keepStart'>]: TaskUpdateParameter;
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

export const updateFlags = { ...parameterFlags, ...shortFlags };
