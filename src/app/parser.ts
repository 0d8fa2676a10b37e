// The only file that imports commander: turns words into a command, its operands, and the texts of its flags. Knows
// every command by name, but loads only the one that is run.

import { Command as Commander, CommanderError, Option, type ParseOptionsResult } from 'commander';
import { type Command, detailsOf } from '#cli/command.ts';
import { normalizeBooleanFlags, rejectBooleanArgument } from '#cli/flags/boolean-flags.ts';
import { everywhereFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import type { Flag, Flags } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import type { GivenFlags } from '#cli/parse-values.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { type Failure, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { World } from '#world/world.ts';
import { commands, formatOverview, groups } from './commands.ts';
import { formatArgument, formatFlag, formatUsage, needsDoubleDash } from './format-usage.ts';
import {
  defaultWidth,
  formatExample,
  formatItem,
  wrap,
  wrapAfterLabel,
  wrapParagraphs,
} from './help-layout.ts';
import { unknownCommand, unknownFlag } from './unknown-command-or-flag.ts';

export interface Parsed {
  /** Of the command; none where only `wm` was typed. */
  readonly words: string;
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flags: GivenFlags;
}

/** What was found while the line was parsed. */
interface ParseState {
  line?: CommanderCommand;
  command?: Command;
  parsed?: Parsed;
}

/** Undefined where help or the version was shown, and nothing is left to do. @throws {Failure} `usage` */
export async function parse(typed: readonly string[], world: World): Promise<Parsed | undefined> {
  const state: ParseState = {};
  const written: Promise<void>[] = [];
  const write = (text: string) => void written.push(world.streams.output.write(text));
  const root = await buildRoot(world, write, typed, state);
  try {
    await root.parseAsync(typed, { from: 'user' }).finally(() => Promise.all(written));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageFailure(error, typed, state, world.process.platform);
  }
  return state.parsed;
}

function toUsageFailure(
  { message, code }: CommanderError,
  typed: readonly string[],
  seen: ParseState,
  platform: NodeJS.Platform,
): Failure {
  if (code === 'commander.unknownCommand') return unknownCommand(typed);
  const flag = /unknown option '(.*)'$/s.exec(message)?.[1];
  if (flag !== undefined)
    return unknownFlag(flag, seen.line?.forms ?? new Map(), seen.command, typed, (text) =>
      quoteForShell(text, platform),
    );
  const lacking = /^error: option '(?:-., )?(--[a-z-]+) <(.*)>' argument missing$/.exec(message);
  if (lacking)
    return usageError(`${lacking[1]} needs a value`, `Write ${lacking[1]} ${lacking[2]}. See --help.`);
  return usageError(message.replace(/^error: o/, 'O'), 'See --help.');
}

async function buildRoot(
  world: World,
  write: (text: string) => void,
  typed: readonly string[],
  seen: ParseState,
): Promise<CommanderCommand> {
  const { output, errors } = world.streams;
  const width = output.columns ?? defaultWidth;
  const settle = (one: CommanderCommand): CommanderCommand =>
    one
      .exitOverride()
      .helpOption('-h, --help', 'Show help')
      .helpCommand(false)
      .showSuggestionAfterError(false)
      .configureOutput({
        writeOut: write,
        writeErr: (text) => void errors.write(text),
        // Told by the report, with our exit status.
        outputError: () => {},
        getOutHelpWidth: () => width,
        getErrHelpWidth: () => width,
      })
      .configureHelp({
        boxWrap: wrap,
        optionTerm: (option) => (option instanceof FlagOption ? option.term : option.flags),
        styleTitle: (title) => (title === 'Options:' ? 'Flags:' : title),
        styleUsage: (usage) => wrapAfterLabel('Usage: ', usage, width),
        formatItem: (term, termWidth, text) => formatItem(term, termWidth, text, width),
      });

  const root = settle(new CommanderCommand('wm')).version(version, '-V, --version', 'Show the version');
  root.helpInformation = () => formatOverview(width);
  const parents = new Map<string, CommanderCommand>();
  const named = namedCommands(typed);
  for (const { word, summary } of groups) {
    if (named.length > 0 && word !== typed[0]) continue;
    const group = settle(root.command(word)).description(summary).usage('COMMAND [arguments] [flags]');
    // Alone it shows its commands. Without an action commander itself says what is none of them, and what is near.
    if (typed[0] === word && isFlagOrNothing(typed[1])) {
      addFlags(group, everywhereFlags, typed, (option) => option.hideHelp());
      seen.line = group;
      group.action(() => group.outputHelp());
    }
    parents.set(word, group);
  }
  for (const { words, summary, alias, load } of named.length > 0 ? named : commands) {
    const [first = '', second] = words.split(' ');
    const parent = parents.get(first) ?? root;
    const one = settle(parent.command(second ?? first)).description(summary);
    if (alias) one.alias(alias);
    parent.hook('preSubcommand', async (_parent, chosen) => {
      if (chosen !== one) return;
      const { default: command } = await load();
      if (!(await showTopic(one, command, words, typed, width)))
        one.addHelp = () => addHelp(one, command, words, width);
      addFlagsAndAction(one, command, words, typed, seen);
    });
  }
  if (isFlagOrNothing(typed[0]))
    addFlagsAndAction(root, (await import('./welcome.ts')).default, '', typed, seen);
  return root;
}

/** The command that was typed, or those of the group that was. Building all of them would take longer than most commands run. */
function namedCommands([first, second]: readonly string[]): typeof commands {
  const isCalled = (word: string | undefined, { words, alias }: (typeof commands)[number]) =>
    words.split(' ').at(-1) === word || (alias !== undefined && alias === word);
  const inGroup = commands.filter(({ words }) => words.startsWith(`${first} `));
  if (inGroup.length === 0) return commands.filter((one) => !one.words.includes(' ') && isCalled(first, one));
  const exact = inGroup.filter((one) => isCalled(second, one));
  return exact.length > 0 ? exact : inGroup;
}

function isFlagOrNothing(typed: string | undefined): boolean {
  return typed === undefined || (typed.startsWith('-') && typed !== '--');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the help of a command says beside its flags. */
function addHelp(one: CommanderCommand, command: Command, words: string, width: number): void {
  const { arguments: rows, pipeColumns, examples, topics } = command;
  // All are optional to commander, since wm reports a missing one itself.
  for (const [name, row] of Object.entries(rows))
    one.argument(`[${formatArgument(name, row)}]`, capitalize(row.help));
  one.usage(formatUsage(rows));
  const lines = examples.map((one) => formatExample(one, width)).join('\n\n');
  const order =
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(({ title }) => title).join(', ')}.`;
  const more = [detailsOf(command), order]
    .filter((text) => text !== undefined)
    .map((text) => `\n${wrapParagraphs(text, width)}\n`);
  const listed = topics ? `\n${topicList(topics, words, width)}\n` : '';
  one.addHelpText('after', `${more.join('')}${listed}\nExamples:\n${lines}`);
}

function topicList(topics: NonNullable<Command['topics']>, words: string, width: number): string {
  const longest = Math.max(...Object.keys(topics).map((name) => name.length));
  const rows = Object.entries(topics).map(([name, { summary }]) => formatItem(name, longest, summary, width));
  return [wrap(`Topics (wm ${words} --help TOPIC):`, width), ...rows].join('\n');
}

/** `--help dates` shows that page in place of the command's own; true where it does. Throws a usage failure for a topic that does not exist. */
async function showTopic(
  one: CommanderCommand,
  { topics }: Command,
  words: string,
  typed: readonly string[],
  width: number,
): Promise<boolean> {
  const name = findTopicName(typed);
  if (topics === undefined || name === undefined) return false;
  const { formatTopic: topicText, unknownTopic } = await import('./help-topic.ts');
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) throw unknownTopic(words, name, Object.keys(topics));
  const text = topicText(`wm ${words}`, name, topic, (await topic.load()).default, width);
  one.helpInformation = () => text;
  return true;
}

/** The word behind `--help`, where there is one. */
function findTopicName(typed: readonly string[]): string | undefined {
  const at = typed.findIndex((text) => text === '--help' || text === '-h' || text === '--');
  const next = typed[at + 1];
  return at === -1 || typed[at] === '--' || next === undefined || next.startsWith('-') ? undefined : next;
}

const commonFlagsTitle = 'Common flags:';

/** Gives the command that was asked for its flags, and hears what is typed for it. */
function addFlagsAndAction(
  one: CommanderCommand,
  command: Command,
  words: string,
  typed: readonly string[],
  seen: ParseState,
): void {
  const others = Object.entries(sharedFlags(command)).filter(([name]) => !(name in command.flags));
  const own = addFlags(one, command.flags, typed, (option) => option);
  const common = addFlags(one, Object.fromEntries(others), typed, (option) =>
    option.helpGroup(commonFlagsTitle),
  );
  one.addHelpOption(new Option('-h, --help', 'Show help').helpGroup(commonFlagsTitle));
  seen.line = one;
  seen.command = command;
  const dashed = needsDoubleDash(command.arguments);
  one.runsAnother = dashed;
  // A flag of the other program is no reason to speak of flags, where what is missing is --.
  if (dashed && !typed.includes('--')) one.allowUnknownOption();
  one.allowExcessArguments().action(() => {
    const operands = one.args;
    const before = operands.slice(0, operands.length - countAfterDoubleDash(typed));
    if (dashed) rejectBeforeDoubleDash(before, command);
    if (!Object.values(command.arguments).some(({ mayBeBoolean }) => mayBeBoolean))
      rejectBooleanArgument(before);
    seen.parsed = { words, command, operands, flags: new Map([...own, ...common]) };
  });
}

/** How many words stand behind `--`, which are arguments whatever they look like. */
function countAfterDoubleDash(typed: readonly string[]): number {
  const dashes = typed.indexOf('--');
  return dashes === -1 ? 0 : typed.length - dashes - 1;
}

/** `wm emulator exec wm whoami --json`: whose flag is it? */
function rejectBeforeDoubleDash(before: readonly string[], { examples: [{ command }] }: Command): void {
  if (before.length === 0) return;
  throw usageError(`Put -- before the command: ${before.join(' ')}`, `For example: ${command}`);
}

/** Filled while the line is parsed. */
function addFlags(
  one: CommanderCommand,
  rows: Flags,
  typed: readonly string[],
  shownAs: (option: Option) => Option,
): GivenFlags {
  const flags = new Map<string, [string, ...string[]]>();
  for (const [name, flag] of Object.entries(rows)) {
    for (const option of createOptions(name, flag)) {
      one.addOption(shownAs(option));
      for (const form of [option.long, option.short]) {
        if (form) one.forms.set(form, option.required ? 'value' : 'switch');
      }
      one.on(`option:${option.name()}`, (text: string | null | undefined) => {
        const value = option.negate ? 'false' : (text ?? 'true');
        if (option.required) rejectFlagAsValue(one, option, value, typed);
        const before = flags.get(name);
        if (before) before.push(value);
        else flags.set(name, [value]);
      });
    }
  }
  return flags;
}

/** `--title --status Completed` has lost its title: nobody means a flag's name as a value without saying so. */
function rejectFlagAsValue(
  one: CommanderCommand,
  { long }: Option,
  value: string,
  typed: readonly string[],
): void {
  const isFlag =
    value === '--' || one.options.some((option) => option.long === value || option.short === value);
  if (!isFlag || typed.includes(`${long}=${value}`)) return;
  throw usageError(
    `${long} needs a value, but ${value} follows it`,
    `If that is the value, write ${long}=${value}`,
  );
}

/** Every switch has its opposite. Help names it where no is more than the absence of yes. */
function createOptions(name: string, flag: Flag<unknown>): Option[] {
  const { long, opposite, short } = formsOf(name, flag);
  const term = formatFlag(name, flag);
  const forms = short === undefined ? long : `${short}, ${long}`;
  if (flag.placeholder !== undefined) {
    const value = `<${flag.placeholder}>`;
    const alias = flag.alias ? [new Option(`--${flag.alias} ${value}`).hideHelp()] : [];
    return [new FlagOption(`${forms} ${value}`, flag.help, term), ...alias];
  }
  if (opposite === undefined) return [new FlagOption(long, flag.help, term)];
  return [new FlagOption(forms, flag.help, term), new Option(opposite, `The opposite of ${long}`).hideHelp()];
}

/** Shown as our own help writes it: commander knows a value by its brackets. */
class FlagOption extends Option {
  readonly term: string;

  constructor(forms: string, help: string, term: string) {
    super(forms, help);
    this.term = term;
  }
}

/** A command that takes every switch in each of its forms. */
class CommanderCommand extends Commander {
  readonly forms = new Map<string, 'switch' | 'value'>();
  /** Words of another program come after its flags: `true` is one of them. */
  runsAnother = false;
  /** Adds what help says beside the flags, once it is shown. */
  addHelp = () => {};

  override createCommand(name?: string): CommanderCommand {
    return new CommanderCommand(name);
  }

  override outputHelp(): void {
    this.addHelp();
    super.outputHelp();
  }

  override parseOptions(typed: string[]): ParseOptionsResult {
    return super.parseOptions(normalizeBooleanFlags(typed, this.forms, this.runsAnother));
  }
}
