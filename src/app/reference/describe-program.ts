// Describes the whole program as data, from the parser's definitions. Loads every command.

import { type Arguments, type Command, detailsOf, type Topic } from '#cli/command.ts';
import { otherVariables, type Variable, variables } from '#cli/environment-variables.ts';
import { exitStatusRows } from '#cli/exit-statuses.ts';
import { everywhereFlags, requestFlags } from '#cli/flags/common-flags.ts';
import { type Flag, type Flags, toKebabCase } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import {
  type ArgumentDescription,
  type CommandDescription,
  type FlagDescription,
  listExamples,
  type ProgramDescription,
  type TopicDescription,
} from '#cli/program-description.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { version } from '#version.ts';
import { type CommandRow, groups, programSummary, sections } from '../commands.ts';
import { formatFlag, formatUsage } from '../format-usage.ts';

export async function describeProgram(): Promise<ProgramDescription> {
  const variableRows: readonly (readonly [string, Variable])[] = Object.entries(variables);
  return {
    name: 'wm',
    version,
    summary: programSummary,
    groups,
    commands: await Promise.all(
      Object.entries(sections).flatMap(([title, rows]) =>
        rows.map(async (row) => describeCommand(title, row, (await row.load()).default)),
      ),
    ),
    commonFlags: describeFlags(everywhereFlags),
    requestFlags: describeFlags(requestFlags),
    exitStatuses: exitStatusRows(),
    environment: variableRows.map(([name, { meaning, kind, secret }]) => ({
      name,
      meaning,
      kind,
      ...(secret ? { secret } : {}),
    })),
    otherVariables,
  };
}

async function describeCommand(
  section: string,
  { words, alias, summary }: CommandRow,
  command: Command,
): Promise<CommandDescription> {
  const { experimental, pipeColumns, topics } = command;
  const details = detailsOf(command);
  const group = words.replace(/ ?\S+$/, '');
  return {
    command: `wm ${words}`,
    ...(alias === undefined ? {} : { aliases: [`wm ${group} ${alias}`] }),
    section,
    summary,
    usage: `wm ${words} ${formatUsage(command.arguments)}`,
    changes: command.changes,
    ...(experimental ? { experimental } : {}),
    ...(command.sendsRequests ? { sendsRequests: true } : {}),
    arguments: describeArguments(command.arguments),
    flags: describeFlags(command.flags),
    ...(details === undefined ? {} : { details }),
    ...(pipeColumns === undefined ? {} : { pipeColumns: pipeColumns.map(({ title }) => title) }),
    ...(topics === undefined ? {} : { topics: await describeTopics(topics) }),
    examples: listExamples(command.examples),
  };
}

function describeArguments(rows: Arguments): readonly ArgumentDescription[] {
  return Object.entries(rows).map(([name, { help, optional, many, afterDoubleDash }]) => ({
    name: toKebabCase(name).toUpperCase(),
    help,
    ...(optional ? {} : { required: true }),
    ...(many ? { repeatable: true } : {}),
    ...(afterDoubleDash ? { afterDoubleDash } : {}),
  }));
}

function describeTopics(topics: Readonly<Record<string, Topic>>): Promise<readonly TopicDescription[]> {
  return Promise.all(
    Object.entries(topics).map(async ([name, { summary, load }]) => {
      const { parts, examples } = (await load()).default;
      return { name, summary, parts, examples: listExamples(examples) };
    }),
  );
}

/** Reads the default and the variables of a flag from its help, where they have the forms in CONTRIBUTING.md. */
function describeFlags(flags: Flags): readonly FlagDescription[] {
  return Object.entries(flags).map(([name, flag]) => describeFlag(name, flag));
}

function describeFlag(name: string, flag: Flag<unknown>): FlagDescription {
  const { help, placeholder, choices, minimum, maximum } = flag;
  const note = notes.exec(help)?.[1] ?? '';
  const environment = note.match(/\bWM_[A-Z_]+/g) ?? [];
  const { long, opposite, short } = formsOf(name, flag);
  return {
    flag: long,
    ...omitUndefined({ short }),
    usage: formatFlag(name, flag),
    help,
    type: placeholder === undefined ? 'boolean' : (flag.type ?? 'text'),
    ...omitUndefined({ choices, minimum, maximum, default: /\bdefault: (.*)$/.exec(note)?.[1] }),
    ...(environment.length === 0 ? {} : { environment }),
    ...(flag.required === undefined ? {} : { required: true }),
    ...(flag.repeats ? { repeatable: true } : {}),
    ...(opposite !== undefined && flag.negatable ? { negatable: true } : {}),
    ...(flag.acceptsFile ? { acceptsFile: true } : {}),
  };
}

const notes = /\((or WM_[^)]*|default: [^)]*)\)/;
