// The only file that knows commander: from words to a command, its operands, and the texts of its flags. Every command
// is known by name; only the one that was asked for is loaded and given its flags.

import { Command as Commander, CommanderError, Option } from 'commander';
import { shown } from '../contract/value.ts';
import { version } from '../version.ts';
import type { World } from '../world/world.ts';
import type { Arguments, Command } from './command.ts';
import { commands, groups, overview } from './commands.ts';
import { type Flag, type Flags, kebab } from './flag.ts';
import { everywhereFlags, negativeOnly, requestFlags } from './flags.ts';
import { behind, example, item, prose, usualWidth, wrap } from './help-layout.ts';
import type { GivenFlags } from './typed.ts';

export interface Parsed {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flags: GivenFlags;
}

type Found = (parsed: Parsed) => void;

/** Help or the version was shown, and nothing is left to do. */
export class ShownHelp extends Error {}

/** What was typed is no command, or not with these flags. */
export class WrongUsage extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Throws {@link ShownHelp} or {@link WrongUsage}. */
export async function parse(typed: readonly string[], world: World): Promise<Parsed> {
  let parsed: Parsed | undefined;
  const written: Promise<void>[] = [];
  const write = (text: string) => void written.push(world.streams.output.write(text));
  const root = await build(world, write, typed, (found) => {
    parsed = found;
  });
  try {
    await root.parseAsync(typed, { from: 'user' }).finally(() => Promise.all(written));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw error.exitCode === 0 ? new ShownHelp() : wrongUsage(error, typed);
  }
  // A group alone shows its commands.
  if (!parsed) throw new ShownHelp();
  return parsed;
}

/** Flags that people expect from other tools, and that would put a secret into the process list. */
const secretFlag = /unknown option '--(?:[a-z-]*(?:secret|password|token))\b/;
const secretHint =
  'A secret never stands on the command line, where every user of the machine can read it: see --help for how to give it.';

function wrongUsage({ message, code }: CommanderError, [word, second]: readonly string[]): WrongUsage {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  const suggestion = more
    .join(' ')
    .trim()
    .replace(/^\((.*)\)$/, '$1');
  if (code === 'commander.unknownCommand' && groups.some((group) => group.word === word)) {
    return new WrongUsage(
      `There is no command: wm ${word} ${second}`,
      suggestion || `See wm ${word} --help.`,
    );
  }
  const hint = secretFlag.test(first) ? secretHint : suggestion || 'See --help.';
  return new WrongUsage(first.charAt(0).toUpperCase() + first.slice(1), hint);
}

async function build(
  world: World,
  write: (text: string) => void,
  typed: readonly string[],
  found: Found,
): Promise<Commander> {
  const { output, errors } = world.streams;
  const width = output.columns ?? usualWidth;
  const settle = (one: Commander): Commander =>
    one
      .exitOverride()
      .helpOption('-h, --help', 'Show help')
      .helpCommand(false)
      .showSuggestionAfterError()
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
        styleUsage: (usage) => behind('Usage: ', usage, width),
        formatItem: (term, termWidth, text) => item(term, termWidth, text, width),
      });

  const root = settle(new Commander('wm')).version(version, '-V, --version', 'Show the version');
  root.helpInformation = () => overview(width);
  const parents = new Map<string, Commander>();
  for (const { word, summary } of groups) {
    const group = settle(root.command(word)).description(summary);
    // Alone it shows its commands. Without an action commander itself says what is none of them, and what is near.
    if (typed[0] === word && isNoWord(typed[1])) {
      addFlags(group, everywhereFlags, typed, (option) => option.hideHelp());
      group.action(() => group.outputHelp());
    }
    parents.set(word, group);
  }
  for (const { words, summary, alias, load } of commands) {
    const [first = '', second] = words.split(' ');
    const parent = second === undefined ? root : (parents.get(first) ?? root);
    const one = settle(parent.command(second ?? first)).description(summary);
    if (alias) one.alias(alias);
    parent.hook('preSubcommand', async (_parent, chosen) => {
      if (chosen !== one) return;
      const { default: command } = await load();
      describe(one, command, width);
      equip(one, command, typed, found);
    });
  }
  if (isNoWord(typed[0])) equip(root, (await import('./home.ts')).default, typed, found);
  return root;
}

function isNoWord(typed: string | undefined): boolean {
  return typed === undefined || (typed.startsWith('-') && typed !== '--');
}

const standsBehindDashes = (rows: Arguments): boolean =>
  Object.values(rows).some(({ afterDashes }) => afterDashes);

/** What the help of a command says beside its flags. */
function describe(one: Commander, command: Command, width: number): void {
  const { arguments: rows, details, columns, examples } = command;
  const labels = Object.entries(rows).map(([name, { help, optional, many }]) => {
    const label = `${kebab(name).toUpperCase()}${many ? '...' : ''}`;
    // All are optional to commander: a missing one is told in our words.
    one.argument(`[${label}]`, optional ? `${help} (optional)` : help);
    return optional ? `[${label}]` : label;
  });
  one.usage((standsBehindDashes(rows) ? ['[flags]', '--', ...labels] : [...labels, '[flags]']).join(' '));
  const lines = examples.map((one) => example(one, width)).join('\n\n');
  const order = columns && `In a pipe, tab-separated: ${columns.map(({ title }) => title).join(', ')}.`;
  const more = [details, order]
    .filter((text) => text !== undefined)
    .map((text) => `\n${prose(text, width)}\n`);
  one.addHelpText('after', `${more.join('')}\nExamples:\n${lines}`);
}

/** Gives the command that was asked for its flags, and hears what is typed for it. */
function equip(one: Commander, command: Command, typed: readonly string[], found: Found): void {
  const shared = { ...(command.showsRequests ? requestFlags : {}), ...everywhereFlags };
  const others = Object.entries(shared).filter(([name]) => !(name in command.flags));
  const own = addFlags(one, command.flags, typed, (option) => option);
  const common = addFlags(one, Object.fromEntries(others), typed, (option) =>
    option.helpGroup('Flags that mean the same everywhere:'),
  );
  const dashed = standsBehindDashes(command.arguments);
  // A flag of the other program is no reason to speak of flags, where what is missing is --.
  if (dashed && !typed.includes('--')) one.allowUnknownOption();
  one.allowExcessArguments().action(() => {
    const operands = [...own.operands, ...common.operands, ...one.args];
    if (dashed) refuseBeforeDashes(operands, command, typed);
    found({ command, operands, flags: new Map([...own.flags, ...common.flags]) });
  });
}

/** `wm emulator exec wm whoami --json`: whose flag is it? */
function refuseBeforeDashes(
  operands: readonly string[],
  { examples: [{ line }] }: Command,
  typed: readonly string[],
): void {
  const dashes = typed.indexOf('--');
  const behind = dashes === -1 ? 0 : typed.length - dashes - 1;
  const before = operands.slice(0, operands.length - behind);
  if (before.length === 0) return;
  throw new WrongUsage(`-- is missing before the command: ${before.join(' ')}`, `As in: ${line}`);
}

interface Heard {
  readonly flags: GivenFlags;
  /** What stood after a switch, and is not its value. */
  readonly operands: readonly string[];
}

/** Filled while the line is parsed. */
function addFlags(
  one: Commander,
  rows: Flags,
  typed: readonly string[],
  shownAs: (option: Option) => Option,
): Heard {
  const flags = new Map<string, [string, ...string[]]>();
  const operands: string[] = [];
  for (const [name, flag] of Object.entries(rows)) {
    for (const option of optionsOf(name, flag)) {
      one.addOption(shownAs(option));
      one.on(`option:${option.name()}`, (text: string | null | undefined) => {
        let value = option.negate ? 'false' : (text ?? 'true');
        if (flag.negatable && value !== 'true' && value !== 'false') {
          refuseAsTruth(option, value, typed);
          // `--follow IEAAA`: what comes after a switch is not its value.
          operands.push(value);
          value = 'true';
        }
        if (flag.placeholder !== undefined) refuseFlagAsValue(one, option, value, typed);
        const before = flags.get(name);
        if (before) before.push(value);
        else flags.set(name, [value]);
      });
    }
  }
  return { flags, operands };
}

/** `--follow=no` would be yes, and "no" the id of a task. */
function refuseAsTruth({ long }: Option, value: string, typed: readonly string[]): void {
  if (!typed.includes(`${long}=${value}`) && !/^(?:true|false|yes|no|y|n|on|off|0|1)$/i.test(value)) return;
  throw new WrongUsage(
    `${long}: ${shown(value)} is not true or false`,
    `Write ${long} for yes, and --no-${long?.slice(2)} for no.`,
  );
}

/** `--title --status Completed` has lost its title: nobody means a flag's name as a value without saying so. */
function refuseFlagAsValue(one: Commander, { long }: Option, value: string, typed: readonly string[]): void {
  const isFlag = one.options.some((option) => option.long === value || option.short === value);
  if (!isFlag || typed.includes(`${long}=${value}`)) return;
  throw new WrongUsage(
    `${long} lacks its value: ${value} came after it`,
    `If it is the value, write ${long}=${value}`,
  );
}

function optionsOf(name: string, flag: Flag<unknown>): Option[] {
  const long = `--${kebab(name)}`;
  if (negativeOnly.includes(name)) return [new Option(`--no-${kebab(name)}`, flag.help)];
  const short = flag.short ? `-${flag.short}, ` : '';
  if (flag.placeholder !== undefined) return [new Option(`${short}${long} <${flag.placeholder}>`, flag.help)];
  if (!flag.negatable) return [new Option(`${short}${long}`, flag.help)];
  return [
    new Option(`${short}${long} [true|false]`, flag.help),
    new Option(`--no-${kebab(name)}`, `The opposite of ${long}`).hideHelp(),
  ];
}
