// The flags of `wm task update`: one for each parameter of the contract, made from the parameter's own row, and the short
// forms that people prefer to JSON.

import { schedulingDate } from '../../contract/date.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import {
  customFieldEntry,
  durationMinutes,
  metadataEntry,
  type TaskDates,
  type TaskUpdate,
  taskUpdateParameters,
} from '../../contract/task.ts';
import { list as listValue, Refused, shown, type TypeOf, type Value } from '../../contract/value.ts';
import { usage } from '../../failure.ts';
import { type Flag, kebab, list, type ParsedFlags, toggle, value, words } from '../command.ts';

type Parameters = typeof taskUpdateParameters;
type ParameterName = keyof Parameters;
type ParameterFlags = { readonly [K in ParameterName]: Flag<NonNullable<TaskUpdate[K]>> };

const metadata: Flag<readonly TypeOf<typeof metadataEntry>[]> = {
  help: `${taskUpdateParameters.metadata.meaning}; as KEY=VALUE or JSON`,
  placeholder: 'KEY=VALUE',
  repeats: true,
  mayBeFile: true,
  parse: (given) =>
    entries(given, taskUpdateParameters.metadata.value, (text) =>
      pair(text, (key, one) => ({ key, value: one })),
    ),
};

/** JSON lists are taken as they are; anything else is one short form each. The whole is checked together. */
function entries<T>(
  given: readonly string[],
  kind: Value<readonly T[]>,
  short: (text: string) => unknown,
): readonly T[] {
  const all = given.flatMap((text): readonly unknown[] =>
    text.trimStart().startsWith('[') ? kind.fromWire(text) : [short(text)],
  );
  return kind.check(all);
}

function pair<T>(text: string, build: (name: string, value: string) => T): T {
  const at = text.indexOf('=');
  if (at < 1) throw new Refused(shown(text), 'is not of the form NAME=VALUE');
  return build(text.slice(0, at), text.slice(at + 1));
}

/** The flag of a parameter, by its kind: a switch, a list, or one value. */
function flagOf(name: ParameterName): Flag<unknown> {
  if (name === 'metadata') return metadata;
  const { value: kind, meaning } = taskUpdateParameters[name];
  const row: Value<unknown> = kind;
  const choices = row.choices ?? row.item?.choices;
  if (row.type === 'boolean') return toggle(meaning, { negatable: true });
  const help = choices ? `${meaning}: ${choices.join(', ')}` : meaning;
  if (name === 'description') return { ...value(row, row.type, help), mayBeFile: true };
  if (row.wire === 'text') return value(row, row.type, help);
  // A list of ids or names is plain to type; a list of objects is JSON.
  if (row.item?.wire === 'text') return list(kind as Value<readonly unknown[]>, row.item.type, help);
  return { ...value(row, 'JSON', `${help}; as JSON`), mayBeFile: true };
}

const names = Object.keys(taskUpdateParameters) as readonly ParameterName[];

// Each flag parses to its parameter's own type, since it is made from that parameter's row.
const parameterFlags = Object.fromEntries(names.map((name) => [name, flagOf(name)])) as ParameterFlags;

const shortFlags = {
  start: value(schedulingDate, 'DATE', 'Start: yyyy-MM-dd, or with a time, yyyy-MM-ddTHH:mm:ss'),
  due: value(schedulingDate, 'DATE', 'Due: the same'),
  duration: value(durationMinutes, 'MINUTES', 'Duration in minutes of work; a day has 480'),
  workOnWeekends: toggle('Weekends count as working days', { negatable: true }),
  milestone: toggle('Make the task a milestone: what a due date alone does'),
  backlog: toggle('Make the task a backlog task, without dates'),
  allowClearingDates: toggle('Send a duration without a start, which clears the dates'),
  customField: {
    ...words('ID=VALUE', 'Set a custom field'),
    repeats: true,
    parse: (given: readonly string[]) => given,
  },
  removeCustomField: list(listValue(customFieldEntry.shape.id), 'ID', 'Remove the value of a custom field'),
  removeMetadata: list(listValue(metadataEntry.shape.key), 'KEY', 'Remove a metadata entry'),
} as const;

export const updateFlags = { ...parameterFlags, ...shortFlags };

/** What was typed becomes the parameters of the call. Throws a usage failure where two forms say different things. */
export function toUpdate(flags: ParsedFlags<typeof updateFlags>): TaskUpdate {
  const update: Record<string, unknown> = {};
  for (const name of names) if (flags[name] !== undefined) update[name] = flags[name];
  const dates = datesOf(flags);
  if (dates) update['dates'] = dates;
  const customFields = [
    ...(flags.customFields ?? []),
    ...(flags.customField ?? []).map((text) => customFieldOf(text)),
    ...(flags.removeCustomField ?? []).map((id) => ({ id, value: null })),
  ];
  if (customFields.length > 0) update['customFields'] = checked('custom-field', 'customFields', customFields);
  const entriesOfMetadata = [
    ...(flags.metadata ?? []),
    ...(flags.removeMetadata ?? []).map((key) => ({ key, value: null })),
  ];
  if (entriesOfMetadata.length > 0) update['metadata'] = checked('metadata', 'metadata', entriesOfMetadata);
  // Every member was checked by its own row above.
  return update as ArgumentsOf<Parameters>;
}

function checked(flag: string, name: ParameterName, input: unknown): unknown {
  try {
    return taskUpdateParameters[name].value.check(input);
  } catch (error) {
    if (error instanceof Refused) throw usage(`--${flag}: ${error.message}`);
    throw error;
  }
}

function customFieldOf(text: string): unknown {
  try {
    return customFieldEntry.check(pair(text, (id, one) => ({ id, value: one })));
  } catch (error) {
    if (error instanceof Refused) throw usage(`--custom-field: ${error.message}`);
    throw error;
  }
}

function datesOf(flags: ParsedFlags<typeof updateFlags>): TaskDates | undefined {
  const { start, due, duration, workOnWeekends, milestone, backlog } = flags;
  if (milestone && backlog) throw usage('--milestone and --backlog exclude each other');
  const short: TaskDates = {
    ...(milestone ? { type: 'Milestone' } : backlog ? { type: 'Backlog' } : {}),
    ...(start === undefined ? {} : { start }),
    ...(due === undefined ? {} : { due }),
    ...(duration === undefined ? {} : { duration }),
    ...(workOnWeekends === undefined ? {} : { workOnWeekends }),
  };
  if (Object.keys(short).length === 0) return flags.dates;
  if (flags.dates === undefined) return short;
  const given = Object.keys(short).map((name) => `--${kebab(name === 'type' ? 'milestone' : name)}`);
  throw usage(`--dates and ${given.join(', ')} say the same thing twice`, 'Use one of the two forms.');
}
