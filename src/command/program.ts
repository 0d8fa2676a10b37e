// The only file that knows commander: it finds the command by its words, loads that one, turns what was typed into typed
// values, runs it, and turns whatever went wrong into a message and an exit status.

import { Command as Commander, CommanderError, Option } from 'commander';
import { Refused } from '../contract/value.ts';
import { asFailure, Failure, usage } from '../failure.ts';
import { version } from '../version.ts';
import type { World } from '../world/world.ts';
import {
  type Arguments,
  type Command,
  type Flag,
  type Flags,
  kebab,
  type ParsedArguments,
  type ParsedFlags,
} from './command.ts';
import { commands, groups } from './commands.ts';
import { type Context, createContext } from './context.ts';
import { commonFlags, negativeOnly } from './flags.ts';

/** Runs what was typed (without `node` and the script) and gives the exit status. Never throws. */
export async function runProgram(typed: readonly string[], world: World): Promise<number> {
  let context: Context | undefined;
  try {
    if (typed.length === 0) return await home(world);
    let status = 0;
    const root = build(world, async (command, given) => {
      const common = parseFlags(commonFlags, given.flags);
      context = createContext(world, common);
      const operands = named(command.arguments, given.operands);
      const flags = parseFlags(command.flags, await readFiles(world, command.flags, given.flags));
      status = (await command.run({ arguments: operands, flags }, context)) ?? 0;
    });
    await root.parseAsync(arrange(typed), { from: 'user' });
    return status;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const failure = failureOf(thrown);
    const fallback = { json: typed.includes('--json'), color: !typed.includes('--no-color') };
    const { report } = context ?? createContext(world, fallback);
    await report.failure(failure);
    if (failure.code === 'internal' && world.environment['WM_DEBUG']) await report.warn(stackOf(failure));
    return failure.exitStatus;
  }
}

/** `wm` alone. */
async function home(world: World): Promise<number> {
  const { home: show } = await import('./home.ts');
  await show(createContext(world, {}));
  return 0;
}

/** Flags that people expect from other tools, and that would put a secret into the process list. */
const secretFlag = /unknown option '--(?:[a-z-]*(?:secret|password|token))\b/;
const secretHint =
  'A secret never stands on the command line, where every user of the machine can read it: see --help for how to give it.';

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof CommanderError) {
    const [first = '', ...more] = thrown.message.replace(/^error: /, '').split('\n');
    const hint = more.join(' ').trim() || 'See --help.';
    return usage(capital(first), secretFlag.test(first) ? secretHint : hint);
  }
  if (thrown instanceof Refused) return usage(thrown.message);
  return asFailure(thrown);
}

function stackOf(failure: Failure): string {
  return failure.cause instanceof Error ? (failure.cause.stack ?? failure.message) : failure.message;
}

/** `wm help webhook list` is `wm webhook list --help`; flags in front of the words go behind them. */
function arrange(typed: readonly string[]): string[] {
  if (typed[0] === 'help') return [...typed.slice(1), '--help'];
  let words = 0;
  while (words < typed.length && typed[words]?.startsWith('-') && typed[words] !== '--') {
    const flag = Object.entries(commonFlags).find(([name]) => typed[words] === `--${kebab(name)}`)?.[1];
    words += flag && 'placeholder' in flag ? 2 : 1;
  }
  if (words === 0 || words >= typed.length) return [...typed];
  const rest = typed.slice(words);
  const end = rest.indexOf('--');
  const at = end === -1 ? rest.length : end;
  return [...rest.slice(0, at), ...typed.slice(0, words), ...rest.slice(at)];
}

// ------------------------------------------------------------------------------------------------ what was typed

interface Given {
  readonly operands: readonly string[];
  readonly flags: ReadonlyMap<string, readonly [string, ...string[]]>;
}

type Run = (command: Command, given: Given) => Promise<void>;

/** Puts what a file or standard input holds in the place of `@FILE` and `-`, for the flags that allow it. */
async function readFiles(world: World, flags: Flags, given: Given['flags']): Promise<Given['flags']> {
  const read = new Map(given);
  for (const [name, texts] of given) {
    if (!flags[name]?.mayBeFile || !texts.some((text) => text === '-' || text.startsWith('@'))) continue;
    const { readValue } = await import('./file-value.ts');
    const [first, ...more] = await Promise.all(texts.map((text) => readValue(world, text, kebab(name))));
    if (first !== undefined) read.set(name, [first, ...more]);
  }
  return read;
}

/** Where a value does not fit, the refusal names the flag. */
function parseFlags<F extends Flags>(flags: F, given: Given['flags']): ParsedFlags<F> {
  const parsed: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(flags)) {
    const texts = given.get(name);
    if (texts === undefined) continue;
    try {
      parsed[name] = flag.parse(texts);
    } catch (error) {
      if (error instanceof Refused) throw usage(`--${kebab(name)}: ${error.message}`);
      throw error;
    }
  }
  // Each value has the type that its own row parsed it to, which the compiler cannot follow through the loop.
  return parsed as ParsedFlags<F>;
}

function named<A extends Arguments>(rows: A, operands: readonly string[]): ParsedArguments<A> {
  const entries: [string, unknown][] = [];
  const left = [...operands];
  for (const [name, row] of Object.entries(rows)) {
    const value = row.many ? left.splice(0) : left.shift();
    const missing = value === undefined || (Array.isArray(value) && value.length === 0);
    if (missing && !row.optional) throw usage(`Missing: ${kebab(name).toUpperCase()}`, `It is ${row.help}. See --help.`);
    entries.push([name, value]);
  }
  if (left.length > 0) throw usage(`Too many arguments: ${left.join(' ')}`, 'See --help.');
  return Object.fromEntries(entries) as ParsedArguments<A>;
}

// ---------------------------------------------------------------------------------------------------- commander

function build(world: World, run: Run): Commander {
  const { output, errors } = world.streams;
  const settle = (command: Commander): Commander =>
    command
      .exitOverride()
      .helpOption('-h, --help', 'Show help')
      .helpCommand(false)
      .showSuggestionAfterError()
      .configureOutput({
        writeOut: (text) => void output.write(text),
        writeErr: (text) => void errors.write(text),
        // Told by the report, with our exit status.
        outputError: () => {},
        getOutHelpWidth: () => output.columns ?? 100,
        getErrHelpWidth: () => errors.columns ?? 100,
      });

  const root = settle(new Commander('wm'))
    .description('Tasks, webhooks and sign-in of a work-management service, from a terminal or a script.')
    .version(version, '-V, --version', 'Show the version')
    .addHelpText('after', '\nTry `wm demo`, which needs no account, or `wm COMMAND --help`, which shows examples.');
  const parents = new Map<string, Commander>();
  for (const { word, summary } of groups) {
    const group = settle(root.command(word)).description(summary);
    // A group alone shows its commands; a wrong word after it is a usage error.
    group.allowExcessArguments().action((_flags, self: Commander) => {
      const [wrong] = self.args;
      if (wrong === undefined) return self.outputHelp();
      throw usage(`There is no command: wm ${word} ${wrong}`, `See wm ${word} --help.`);
    });
    parents.set(word, group);
  }
  for (const row of commands) {
    const all = row.words.split(' ');
    const name = all.at(-1) ?? row.words;
    const parent = all.length === 1 ? root : (parents.get(all[0] ?? '') ?? root);
    const one = settle(parent.command(name)).description(row.summary);
    if (row.alias) one.alias(row.alias);
    parent.hook('preSubcommand', async (_parent, chosen) => {
      if (chosen === one) equip(one, (await row.load()).default, run);
    });
  }
  return root;
}

/** Gives the command that was asked for its arguments, flags, examples and work. */
function equip(one: Commander, command: Command, run: Run): void {
  const given = new Map<string, [string, ...string[]]>();
  const operandsFromSwitches: string[] = [];
  for (const [name, { help, optional, many }] of Object.entries(command.arguments)) {
    const label = `${kebab(name).toUpperCase()}${many ? '...' : ''}`;
    // All are optional to commander: a missing one is told by us, in our words.
    one.argument(`[${label}]`, optional ? `${help} (optional)` : help);
  }
  const add = (name: string, flag: Flag<unknown>, common: boolean): void => {
    for (const option of optionsOf(name, flag)) {
      if (common) option.helpGroup('Flags that every command takes:');
      one.addOption(option);
      one.on(`option:${option.name()}`, (text: string | null | undefined) => {
        let value = option.negate ? 'false' : (text ?? 'true');
        if (flag.negatable && value !== 'true' && value !== 'false') {
          // `--follow IEAAA`: what comes after a switch is not its value.
          operandsFromSwitches.push(value);
          value = 'true';
        }
        const before = given.get(name);
        if (before) before.push(value);
        else given.set(name, [value]);
      });
    }
  };
  for (const [name, flag] of Object.entries(command.flags)) add(name, flag, false);
  for (const [name, flag] of Object.entries(commonFlags)) if (!(name in command.flags)) add(name, flag, true);

  const examples = command.examples.map(({ does, line }) => `  # ${does}\n  ${line}`).join('\n\n');
  one.addHelpText('after', `${command.details ? `\n${command.details}\n` : ''}\nExamples:\n${examples}`);
  one.usage(usageLine(command));
  one.allowExcessArguments().action(async () => {
    await run(command, { operands: [...operandsFromSwitches, ...one.args], flags: given });
  });
}

function usageLine(command: Command): string {
  const operands = Object.entries(command.arguments).map(([name, { optional, many }]) => {
    const label = `${kebab(name).toUpperCase()}${many ? '...' : ''}`;
    return optional ? `[${label}]` : label;
  });
  return [...operands, '[flags]'].join(' ');
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
