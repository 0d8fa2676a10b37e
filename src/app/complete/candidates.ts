// Finds the completions of an unfinished word: commands, flags and values, from the parser's definitions and from `sources`.

import { type Command, needsDoubleDash } from '#cli/command.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import { type CompletedValue, type Flag, type Flags, toKebabCase } from '#cli/flags/flag.ts';
import { findFlag, formsOf, splitAtEquals } from '#cli/flags/flag-forms.ts';
import { foldName } from '#cli/resolve/text-match.ts';
import { everything, flagsOf } from '../commander.ts';
import { commands, findCommand, groups, lastWords } from '../commands.ts';

export interface Candidate {
  readonly word: string;
  /** The distinguishing part of the word, for a list. */
  readonly label: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell completes a file name after this part of the word. */
  readonly filesAfter?: string;
}

export interface Value {
  readonly text: string;
  readonly description: string;
  /** True if the words of its description also find it: the title of a task. */
  readonly isNamed?: true;
}

/** Returns values that are not in the definitions. `profile`: the value of --profile. */
export type ValueSource = (kind: CompletedValue, profile: string | undefined) => Promise<readonly Value[]>;

const nothing: Completion = { candidates: [] };

/** `before`: the unquoted words between `wm` and the unfinished one. */
export async function findCandidates(
  before: readonly string[],
  word: string,
  source: ValueSource,
): Promise<Completion> {
  const line = await readLine(before);
  if (line === undefined) return nothing;
  const { flagBefore, command, isAfterDoubleDash, isHelp, operands } = line;
  if (flagBefore !== undefined) return completeFlagValue(flagBefore, '', word, line, source);
  if (command && needsDoubleDash(command.arguments)) {
    // These words belong to another program, which may be wm again.
    if (isAfterDoubleDash)
      return operands[0] === 'wm'
        ? findCandidates(operands.slice(1), word, source)
        : { ...nothing, filesAfter: '' };
    if (!word.startsWith('-'))
      return toCompletion([{ text: '--', description: 'The command follows' }], word);
  }
  if (!isAfterDoubleDash && word.startsWith('-')) {
    const [form, value] = splitAtEquals(word);
    if (value === undefined) return toCompletion(flagForms(line, word), word);
    const [, flag] = findFlag(line.flags, form) ?? [];
    return flag ? completeFlagValue(flag, `${form}=`, value, line, source) : nothing;
  }
  if (command === undefined) {
    const help = isHelp && line.group === undefined && commands.find(({ words }) => words === 'help');
    const topics = help ? topicValues((await help.load()).default) : [];
    return toCompletion([...commandValues(line), ...topics], word);
  }
  if (isHelp) return toCompletion(topicValues(command), word);
  return completeOperand(line, word, source);
}

function topicValues(command: Command): readonly Value[] {
  const topics = Object.entries(command.topics ?? {});
  return [
    { text: everything, description: 'Show all of it' },
    ...topics.map(([text, { summary }]) => ({ text, description: summary })),
  ];
}

function commandValues({ group, isHelp }: Line): readonly Value[] {
  if (group === undefined) {
    const single = commands.filter(({ words }) => !words.includes(' ') && !(isHelp && words === 'help'));
    return [
      ...groups.map(({ word, summary }) => ({ text: word, description: summary })),
      ...single.map(({ words, summary }) => ({ text: words, description: summary })),
    ];
  }
  return commands
    .filter(({ words }) => words.startsWith(`${group} `))
    .flatMap((row) => lastWords(row).map((text) => ({ text, description: row.summary })));
}

/** Omits a flag that the line already has, unless it may be repeated. Offers `--no-` forms after `--no`, or if help shows them. */
function flagForms({ flags, flagValues, command, group, isHelp }: Line, word: string): readonly Value[] {
  const values = Object.entries(flags).flatMap(([name, flag]): Value[] => {
    if (flagValues.has(name) && !flag.repeats) return [];
    const { long, opposite, short } = formsOf(name, flag);
    const showsOpposite = opposite !== undefined && (flag.negatable || word.startsWith('--no'));
    return [
      { text: long, description: flag.help },
      ...(showsOpposite ? [{ text: opposite, description: `The opposite of ${long}` }] : []),
      ...(short !== undefined && short === word ? [{ text: short, description: flag.help }] : []),
    ];
  });
  const help = isHelp ? [] : [{ text: '--help', description: 'Show help' }];
  const isRoot = command === undefined && group === undefined;
  return [...values, ...help, ...(isRoot ? [{ text: '--version', description: 'Show the version' }] : [])];
}

async function completeOperand(line: Line, word: string, source: ValueSource): Promise<Completion> {
  const rows = Object.entries(line.command?.arguments ?? {});
  const last = rows.at(-1);
  const [name = '', row] = rows[line.operands.length] ?? (last?.[1].many ? last : []);
  const placeholder = toKebabCase(name).toUpperCase();
  const values = row ? await valuesOf({ ...row, placeholder }, line, source) : [];
  const remaining = values.filter(({ text }) => !line.operands.includes(text));
  if (remaining.length > 0 || word !== '' || line.isAfterDoubleDash) return toCompletion(remaining, word);
  return toCompletion(flagForms(line, word), word);
}

/** `before`: the part of the word that stays, `--events=`. */
async function completeFlagValue(
  flag: Flag<unknown>,
  before: string,
  input: string,
  line: Line,
  source: ValueSource,
): Promise<Completion> {
  if (flag.placeholder === undefined) {
    const values = ['true', 'false'].map((text) => ({ text, description: '' }));
    return toCompletion(values, input, before);
  }
  if (flag.placeholder === 'FILE') return { ...nothing, filesAfter: before };
  if (flag.acceptsFile && input.startsWith('@')) return { ...nothing, filesAfter: `${before}@` };
  const values = await valuesOf(flag, line, source);
  if (!flag.placeholder.endsWith(',...')) return toCompletion(values, input, before);
  // Only the last entry of a list is unfinished.
  const entries = input.split(',');
  const entry = entries.pop() ?? '';
  const remaining = values.filter(({ text }) => !entries.includes(text));
  const start = before + entries.map((finished) => `${finished},`).join('');
  return toCompletion(remaining, entry, start);
}

/** By the contract's type, the placeholder in help, or the name of an argument. */
const completedValues: ReadonlyMap<string | undefined, CompletedValue> = new Map([
  ['TaskId', 'task'],
  ['FolderId', 'place'],
  ['UserId', 'user'],
  ['WebhookId', 'webhook'],
  ['TASK', 'task'],
  ['FOLDER', 'place'],
  ['SPACE', 'place'],
  ['USER', 'user'],
  ['EVENT', 'event'],
]);

async function valuesOf(row: Partial<Flag<unknown>>, { flagValues }: Line, source: ValueSource) {
  const { choices, completes, type, placeholder } = row;
  if (choices !== undefined) return choices.map((text) => ({ text, description: '' }));
  const name = placeholder?.replace(/,\.\.\.$/, '');
  const kind = completes ?? completedValues.get(type) ?? completedValues.get(name);
  return kind === undefined ? [] : source(kind, flagValues.get('profile')?.at(-1));
}

/** A shell lists every candidate, and users do not read more than this. */
const mostCandidates = 200;

/** The values that begin with the input, ignoring case; otherwise values whose names contain it. */
function toCompletion(values: readonly Value[], input: string, before = ''): Completion {
  const prefix = foldName(input);
  const byText = values.filter(({ text }) => foldName(text).startsWith(prefix));
  const matches =
    byText.length > 0
      ? byText
      : values.filter(({ isNamed, description }) => isNamed && foldName(description).includes(prefix));
  const candidates = matches
    .slice(0, mostCandidates)
    .map(({ text, description }) => ({ word: before + text, label: text, description }));
  return { candidates };
}

type Line = NonNullable<Awaited<ReturnType<typeof readLine>>>;

/** The words before the unfinished one, read like the parser. Never fails, as the line is incomplete: `undefined` for an unknown command. */
async function readLine(words: readonly string[]) {
  let group: string | undefined;
  let command: Command | undefined;
  /** The flags that may be given, the command's own first. */
  let flags: Flags = commonFlags;
  /** True after `wm help` or --help: the next word is a topic. */
  let isHelp = false;
  let isAfterDoubleDash = false;
  let valueName: string | undefined;
  /** By flag name; `true` for a flag without a value. */
  const flagValues = new Map<string, string[]>();
  const operands: string[] = [];
  const addValue = (name: string, value: string) =>
    flagValues.set(name, [...(flagValues.get(name) ?? []), value]);

  for (const word of words)
    if (valueName !== undefined) {
      addValue(valueName, word);
      valueName = undefined;
    } else if (isAfterDoubleDash) operands.push(word);
    else if (word === '--') isAfterDoubleDash = true;
    else if (word === '--help' || word === '-h') isHelp = true;
    else if (word.length > 1 && word.startsWith('-')) {
      const [form, value] = splitAtEquals(word);
      const [name, flag] = findFlag(flags, form) ?? [];
      if (name === undefined) continue;
      if (flag?.placeholder !== undefined && value === undefined) valueName = name;
      else addValue(name, value ?? 'true');
    } else if (command !== undefined) operands.push(word);
    else if (word === 'help') isHelp = true;
    else if (group === undefined && groups.some((candidate) => candidate.word === word)) group = word;
    else {
      const row = findCommand(group === undefined ? [word] : [group, word]);
      if (row === undefined) return undefined;
      command = (await row.load()).default;
      flags = flagsOf(command);
    }
  const flagBefore = valueName === undefined ? undefined : flags[valueName];
  return { group, command, flags, flagValues, flagBefore, operands, isHelp, isAfterDoubleDash };
}
