// Describes the program as data, from the parser's definitions: for `wm help --json`, the reference and the man pages. An absent
// member means no, or none. Loads every command.

import { type Arguments, type Command, listExamples, type Topic } from '#cli/command.ts';
import { otherVariables, variables } from '#cli/environment-variables.ts';
import { exitStatusRows } from '#cli/exit-statuses.ts';
import { everywhereFlags, requestFlags } from '#cli/flags/common-flags.ts';
import { type Flag, type Flags, toKebabCase } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { version } from '#version.ts';
import { formatFlag, formatUsage } from '../commander.ts';
import { type CommandRow, commands, detailsOf, groups, programSummary, sections } from '../commands.ts';
import { helpTopics } from '../topics/topics.ts';

/** Every command, or the ones that the words name. Throws a usage failure for words that name none. */
export async function describeProgram(words: readonly string[] = []): ReturnType<typeof describeAll> {
  const program = await describeAll();
  if (words.length === 0) return program;
  const line = ['wm', ...words].join(' ');
  const named = program.commands.filter(
    ({ command: name, aliases }) => name === line || aliases?.includes(line) || name.startsWith(`${line} `),
  );
  if (named.length === 0) throw unknownTopic(words.join(' '));
  return { ...program, groups: groups.filter(({ word }) => word === words[0]), commands: named };
}

function unknownTopic(line: string): Failure {
  const names = [
    ...Object.keys(helpTopics),
    ...groups.map(({ word }) => word),
    ...commands.map(({ words }) => words),
  ];
  return usageError(
    `Unknown command or help topic '${line}'`,
    didYouMean(line, names, (name) => `wm help ${name}`) ?? commandHint('See: ', 'wm help --help'),
  );
}

async function describeAll() {
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
    environment: Object.entries(variables).map(([name, { meaning, isSwitch, secret }]) => ({
      name,
      meaning,
      kind: isSwitch ? 'switch' : 'value',
      ...omitUndefined({ secret }),
    })),
    otherVariables,
  };
}

async function describeCommand(section: string, row: CommandRow, command: Command) {
  const { words, alias, summary, experimental } = row;
  const { pipeColumns, sendsRequests, topics } = command;
  const group = words.replace(/ ?\S+$/, '');
  return {
    command: `wm ${words}`,
    ...omitUndefined({ aliases: alias === undefined ? undefined : [`wm ${group} ${alias}`] }),
    section,
    summary,
    usage: `wm ${words} ${formatUsage(command.arguments)}`,
    changes: command.changes,
    ...omitUndefined({ experimental, sendsRequests }),
    arguments: describeArguments(command.arguments),
    flags: describeFlags(command.flags),
    ...omitUndefined({
      details: detailsOf(row, command.details),
      pipeColumns: pipeColumns?.map(({ title }) => title),
      topics: topics && (await describeTopics(topics)),
    }),
    examples: listExamples(command.examples),
  };
}

function describeArguments(rows: Arguments) {
  return Object.entries(rows).map(([name, { help, optional, many, afterDoubleDash }]) => ({
    name: toKebabCase(name).toUpperCase(),
    help,
    ...omitUndefined({ required: optional ? undefined : true, repeatable: many, afterDoubleDash }),
  }));
}

function describeTopics(topics: Readonly<Record<string, Topic>>) {
  return Promise.all(
    Object.entries(topics).map(async ([name, { summary, load }]) => {
      const { parts, examples } = (await load()).default;
      return { name, summary, parts, examples: listExamples(examples) };
    }),
  );
}

/** Reads the default and the variables of a flag from its help, where they have the forms in CONTRIBUTING.md. */
function describeFlags(flags: Flags) {
  return Object.entries<Flag<unknown>>(flags).map(([name, flag]) => {
    const { help, placeholder, choices, minimum, maximum } = flag;
    const note = notes.exec(help)?.[1] ?? '';
    const { long, opposite, short } = formsOf(name, flag);
    return {
      flag: long,
      ...omitUndefined({ short }),
      usage: formatFlag(name, flag),
      help,
      type: placeholder === undefined ? 'boolean' : (flag.type ?? 'text'),
      ...omitUndefined({
        choices,
        minimum,
        maximum,
        default: /\bdefault: (.*)$/.exec(note)?.[1],
        environment: note.match(/\bWM_[A-Z_]+/g) ?? undefined,
        required: flag.required === undefined ? undefined : true,
        repeatable: flag.repeats,
        negatable: opposite === undefined ? undefined : flag.negatable,
        acceptsFile: flag.acceptsFile,
      }),
    };
  });
}

const notes = /\((or WM_[^)]*|default: [^)]*)\)/;
