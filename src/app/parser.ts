// The only file that imports commander: turns words into a command, its operands, and the texts of its flags. Knows
// every command by name, but loads only the one that is run.

import { Command as Commander, CommanderError, Option, type ParseOptionsResult } from 'commander';
import { type Command, detailsOf } from '#cli/command.ts';
import { normalizeBooleanFlags, rejectBooleanArgument } from '#cli/flags/boolean-flags.ts';
import { everywhereFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import type { Flag, Flags, GivenFlags } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { type Failure, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { World } from '#world/world.ts';
import { commands, formatFirstPage, formatOverview, groups } from './commands.ts';
import { formatArgument, formatFlag, formatUsage, needsDoubleDash } from './format-usage.ts';
import {
  everything,
  firstPage,
  formatExample,
  formatItem,
  helpWidth,
  wrap,
  wrapAfterLabel,
  wrapParagraphs,
} from './help-layout.ts';
import { printHelp } from './print-help.ts';
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
  let help = '';
  const root = await buildRoot(world, (text) => (help += text), typed, state);
  try {
    await root.parseAsync(typed, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageFailure(error, typed, state, world.process.platform);
  }
  if (help !== '') await printHelp(world, help, typed.includes('--no-pager') ? { pager: false } : {});
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
  const { errors } = world.streams;
  const layout = { width: helpWidth(world) };
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
        getOutHelpWidth: () => layout.width,
        getErrHelpWidth: () => layout.width,
      })
      .configureHelp({
        boxWrap: wrap,
        optionTerm: (option) => (option instanceof FlagOption ? option.term : option.flags),
        styleTitle: (title) => (title === 'Options:' ? 'Flags:' : title),
        styleUsage: (usage) => wrapAfterLabel('Usage: ', usage, layout.width),
        formatItem: (term, termWidth, text) => formatItem(term, termWidth, text, layout.width),
      });

  const root = settle(new CommanderCommand('wm')).version(version, '-V, --version', 'Show the version');
  root.helpInformation = () =>
    findTopicName(typed) === everything ? formatOverview(layout.width) : formatFirstPage(layout.width);
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
      const topic = await topicPage(command, words, typed, layout.width);
      const isAll = findTopicName(typed) === everything;
      one.formatHelp = () => topic ?? commandPage(one, command, words, isAll, layout);
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

/** Everything, where that is asked for or fits on a first page; otherwise what people need first. Always the same, however wide. */
function commandPage(
  one: CommanderCommand,
  command: Command,
  words: string,
  isAll: boolean,
  layout: { width: number },
): string {
  const { arguments: rows } = command;
  // All are optional to commander, since wm reports a missing one itself.
  for (const [name, row] of Object.entries(rows))
    one.argument(`[${formatArgument(name, row)}]`, capitalize(row.help));
  one.usage(formatUsage(rows));
  const { width } = layout;
  const format = (shows: PageParts, pageWidth: number): string => {
    layout.width = pageWidth;
    one.showOnly(shows.flags === 'all' ? undefined : (command.firstFlags ?? Object.keys(command.flags)));
    return one.helpInformation() + formatRest(command, words, shows, pageWidth);
  };
  const isShort = (shows: PageParts) =>
    format(shows, firstPage.width).split('\n').length - 1 <= firstPage.lines;
  const fitting = isAll ? everyPart : [everyPart, mostParts].find(isShort);
  return format(fitting ?? firstParts, width);
}

/** What a page shows of a command: flags, text about them, and how many examples. */
interface PageParts {
  readonly flags: 'all' | 'first';
  readonly details: boolean;
  readonly examples: number;
}

const everyPart: PageParts = { flags: 'all', details: true, examples: Number.POSITIVE_INFINITY };
const mostParts: PageParts = { flags: 'first', details: true, examples: 3 };
const firstParts: PageParts = { ...mostParts, details: false };

/** What the help of a command says beside its flags. */
function formatRest(command: Command, words: string, shows: PageParts, width: number): string {
  const { pipeColumns, examples, topics, sendsRequests } = command;
  const isWhole = shows.flags === 'all';
  const order =
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(({ title }) => title).join(', ')}.`;
  const { experimental } = command;
  const about = shows.details
    ? [detailsOf(command), order]
    : [detailsOf(experimental ? { experimental } : {})];
  const more = about.filter((text) => text !== undefined).map((text) => `\n${wrapParagraphs(text, width)}\n`);
  const listed = topics && isWhole ? `\n${topicList(topics, words, width)}\n` : '';
  const lines = examples
    .slice(0, shows.examples)
    .map((one) => formatExample(one, width))
    .join('\n\n');
  const page = `${more.join('')}${listed}\nExamples:\n${lines}\n`;
  if (isWhole) return page;
  const common = sendsRequests ? '--dry-run, --json and --yes' : '--json and --yes';
  const rest = [
    `All flags, such as ${common}, and details: wm ${words} --help ${everything}`,
    ...(topics ? [`Topics (wm ${words} --help TOPIC): ${Object.keys(topics).join(', ')}`] : []),
  ];
  return `${page}\n${rest.map((line) => wrap(line, width)).join('\n')}\n`;
}

function topicList(topics: NonNullable<Command['topics']>, words: string, width: number): string {
  const longest = Math.max(...Object.keys(topics).map((name) => name.length));
  const rows = Object.entries(topics).map(([name, { summary }]) => formatItem(name, longest, summary, width));
  return [wrap(`Topics (wm ${words} --help TOPIC):`, width), ...rows].join('\n');
}

/** `--help dates` shows that page in place of the command's own. Throws a usage failure for a topic that does not exist. */
async function topicPage(
  { topics }: Command,
  words: string,
  typed: readonly string[],
  width: number,
): Promise<string | undefined> {
  const name = findTopicName(typed);
  if (topics === undefined || name === undefined || name === everything) return undefined;
  const { formatTopic: topicText, unknownTopic } = await import('./help-topic.ts');
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) throw unknownTopic(words, name, Object.keys(topics));
  return topicText(`wm ${words}`, name, topic, (await topic.load()).default, width);
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
  const own = addFlags(one, command.flags, typed, (option, name) => one.nameOption(option, name));
  const common = addFlags(one, Object.fromEntries(others), typed, (option) =>
    one.nameOption(option.helpGroup(commonFlagsTitle)),
  );
  const help = new Option('-h, --help', 'Show help').helpGroup(commonFlagsTitle);
  one.addHelpOption(one.nameOption(help));
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
  shownAs: (option: Option, name: string) => Option,
): GivenFlags {
  const flags = new Map<string, [string, ...string[]]>();
  for (const [name, flag] of Object.entries(rows)) {
    for (const option of createOptions(name, flag)) {
      one.addOption(shownAs(option, name));
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
  /** The help of a command, once it is shown. */
  formatHelp: (() => string) | undefined;
  /** The flags that help may show, and the names of its own. */
  readonly #shown: { readonly option: Option; readonly name: string | undefined }[] = [];

  nameOption(option: Option, name?: string): Option {
    if (!option.hidden) this.#shown.push({ option, name });
    return option;
  }

  /** Hides the flags with other names, and the common ones; all are shown where no names are given. */
  showOnly(names: readonly string[] | undefined): void {
    for (const { option, name } of this.#shown)
      option.hidden = names !== undefined && (name === undefined || !names.includes(name));
  }

  override createCommand(name?: string): CommanderCommand {
    return new CommanderCommand(name);
  }

  override outputHelp(): void {
    if (this.formatHelp === undefined) super.outputHelp();
    else this.configureOutput().writeOut?.(this.formatHelp());
  }

  override parseOptions(typed: string[]): ParseOptionsResult {
    return super.parseOptions(normalizeBooleanFlags(typed, this.forms, this.runsAnother));
  }
}
