// Parses a command line into a command, its arguments, and the texts of its flags. Commander parses; this file first moves help after
// its subject and flags after the words of the command, and turns what commander says into failures. Loads only the command that runs.

import { type Arguments, type Command, needsDoubleDash, type ParsedArguments } from '#cli/command.ts';
import { agree } from '#cli/count-of.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import type { Flag, FlagTexts } from '#cli/flags/flag.ts';
import {
  findFlag,
  formsIn,
  isBooleanWord,
  misplacedBoolean,
  mistypedFlag,
  secretHint,
  splitAtEquals,
  switchForm,
} from '#cli/flags/flag-forms.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { type Failure, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { World } from '#world/world.ts';
import { declare, everything, flagsOf, runParser } from './commander.ts';
import { commands, findCommand, groups } from './commands.ts';
import { helpWidth, printHelp } from './print-help.ts';
import { helpTopics } from './topics/topics.ts';
import type { Line } from './unknown-command-or-flag.ts';

/** `words`: of the command; empty for `wm` alone. Undefined if it printed help or the version. @throws {Failure} `usage` */
export async function parse(typed: readonly string[], world: World) {
  const argv = reorderArguments(typed);
  const group = isGroup(argv[0]) ? argv[0] : undefined;
  const next = argv[group === undefined ? 0 : 1];
  const isWord = next !== undefined && (!next.startsWith('-') || next === '--');
  const row = findCommand(argv);
  if (row === undefined) rejectEarlyFlag(typed);
  if (isWord && row === undefined) throw (await import('./unknown-command-or-flag.ts')).unknownCommand(argv);
  const words = row?.words ?? group ?? '';
  const command: Command | undefined = (await row?.load())?.default;
  const flags = new Map<string, FlagTexts>();
  const rest = argv.slice(words === '' ? 0 : words.split(' ').length);
  const { line, flagNames, misplaced } = checkValues(rest, command);
  const declared = declare(row ?? { words }, command, flagNames, flags);
  const stop = runParser(declared, line);
  if (stop?.code === 'commander.version') {
    if (!rest.some((word) => /^--json(?:=true)?$/i.test(word))) return printHelp(world, `${version}\n`);
    const { describeVersion } = await import('./describe-version.ts');
    return printHelp(world, await describeVersion(world), { pager: false });
  }
  if (
    stop?.code === 'commander.helpDisplayed' ||
    (stop === undefined && command === undefined && words !== '')
  ) {
    const { formatHelp } = await import('./command-help.ts');
    const text = await formatHelp(words, command, argv, helpWidth(world));
    return printHelp(world, text, argv.includes('--no-pager') ? { pager: false } : {});
  }
  // An unknown flag before a word for yes or no may be a typing error.
  if (misplaced !== undefined && stop?.code !== 'commander.unknownOption') throw misplaced;
  if (stop !== undefined) {
    const quoted = /'(.*)'/s.exec(stop.message)?.[1] ?? '';
    throw (await failures[stop.code]?.(quoted, { command, declared, argv, world })) ?? stop;
  }
  const values: readonly unknown[] = declared.processedArgs;
  const names = Object.keys(command?.arguments ?? {});
  const entries = names.map((name, index) => [name, values[index]]);
  // One value for each row, in the row's type.
  const parsed = Object.fromEntries(entries) as ParsedArguments<Arguments>;
  return { words, command: command ?? (await import('./welcome.ts')).default, arguments: parsed, flags };
}

/** By commander's code. Its message quotes the flag or the argument, and may show a secret. */
const failures: Readonly<Record<string, (quoted: string, line: Line) => Failure | Promise<Failure>>> = {
  'commander.optionMissingArgument': (usage) =>
    usageError(`${usage.replace(/ .*/, '')} needs a value`, `Write ${usage}. See --help.`),
  'commander.missingArgument': (name, { command, declared }) => {
    const [first] = Object.values(command?.arguments ?? {});
    // `wm api /tasks` lacks the method.
    const typed = declared.args[0]?.toLowerCase();
    const lacksFirst = first?.choices?.every((choice) => choice.toLowerCase() !== typed);
    const row = declared.registeredArguments.find((argument) => lacksFirst || argument.name() === name);
    return usageError(`Missing: ${row?.name()}`, `${row?.name()} is ${row?.description}. See --help.`);
  },
  'commander.excessArguments': async (_quoted, { command, declared, argv }) => {
    const { args, registeredArguments } = declared;
    if (command === undefined) {
      const { unknownCommand } = await import('./unknown-command-or-flag.ts');
      return unknownCommand([...argv.slice(0, isGroup(argv[0]) ? 1 : 0), ...args]);
    }
    const names = registeredArguments.map((argument) => argument.name());
    return usageError(
      `Too many arguments: ${args.length} ${agree(args.length, 'was')} given`,
      mistypedFlag(argv) ??
        command.tooManyArgumentsHint ??
        (names.length === 0
          ? 'This command takes no arguments. Put the value of a flag directly after the flag. See --help.'
          : `This command takes at most ${names.length}: ${joinWithAnd(names)}. Quote values that contain spaces. See --help.`),
    );
  },
  'commander.unknownOption': async (flag, line) =>
    (await import('./unknown-command-or-flag.ts')).unknownFlag(flag, line),
};

const neverValues: readonly string[] = ['--', '--help', '-h', '--version', '-V'];

/**
 * Checks what commander would take for a value or an argument, and writes `--x=true` as `--x` and `--x=false` as `--no-x`.
 * `misplaced`: a failure, unless the line asks for help. Throws a usage failure.
 */
function checkValues(rest: readonly string[], command: Command | undefined) {
  const flags = flagsOf(command);
  const runsOtherProgram = needsDoubleDash(command?.arguments ?? {});
  const end = rest.indexOf('--');
  const line: string[] = [];
  const flagNames: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < (end === -1 ? rest.length : end); index++) {
    const word = rest[index] ?? '';
    const next = rest[index + 1];
    const [form, value] = splitAtEquals(word);
    const forms = formsIn(form);
    const rows = forms.map((one) => findFlag(flags, one));
    const isKnown = forms.every((one, at) => rows[at] !== undefined || neverValues.includes(one));
    const found = isKnown ? rows : [];
    flagNames.push(...found.flatMap((row) => row?.[0] ?? []));
    // Of `-qy`, that of the last letter.
    const flag = found.at(-1)?.[1];
    if (word === '-help' || form === '--help' || (isKnown && forms.includes('-h'))) {
      // Commander takes it only alone.
      line.push('--help');
    } else if (form === '--version') {
      line.push(form);
    } else if (flag === undefined) {
      line.push(word);
      if (!word.startsWith('-') || (runsOtherProgram && end === -1)) operands.push(word);
    } else if (flag.placeholder === undefined) {
      line.push(value === undefined ? word : switchForm(form, value));
      if (next !== undefined && isBooleanWord(next) && !runsOtherProgram) throw misplacedBoolean(next, word);
    } else {
      line.push(word);
      if (value !== undefined || next === undefined) continue;
      if (neverValues.includes(next) || findFlag(flags, next))
        throw usageError(
          `${form} needs a value, but ${next} follows it`,
          `If that is the value, write ${form}=${next}`,
        );
      line.push(next);
      index++;
    }
  }
  if (end !== -1) line.push(...rest.slice(end));
  return { line, flagNames, misplaced: findMisplaced(operands, command) };
}

/** `operands`: those before `--`. */
function findMisplaced(operands: readonly string[], command: Command | undefined): Failure | undefined {
  const rows = command?.arguments ?? {};
  if (needsDoubleDash(rows) && operands.length > 0) {
    // In `wm emulator exec wm whoami --json` the flag is ambiguous.
    const hint = `For example: ${Object.values(command?.examples ?? {})[0]}`;
    return usageError(`Put -- before the command: ${operands.join(' ')}`, hint);
  }
  // An id of this form has to come after `--`.
  const word = operands.find((operand) => /^(?:true|false)$/i.test(operand));
  return word === undefined || Object.values(rows).at(-1)?.mayBeBoolean ? undefined : misplacedBoolean(word);
}

// Turns `wm help webhook list` and `wm webhook help list` into `wm webhook list --help`, and moves leading flags after the words. `wm -v`
// alone shows the version, as in other tools.
function reorderArguments(argv: readonly string[]): readonly string[] {
  if (argv.length === 1 && argv[0] === '-v') return ['--version'];
  const words: string[] = [];
  const flags: string[] = [];
  let index = 0;
  while (index < argv.length && words.length < (isGroup(words[0]) ? 2 : 1)) {
    const text = argv[index] ?? '';
    const flag = findCommonFlag(text);
    // `wm webhook --json list`: only common flags may be between the words of a command.
    if (text.startsWith('-') && text !== '--' && words.length > 0 && flag === undefined) break;
    const count = flag?.placeholder !== undefined && !text.includes('=') ? 2 : 1;
    // `--` has no effect here.
    if (text !== '--') (text.startsWith('-') ? flags : words).push(...argv.slice(index, index + count));
    index += count;
  }
  const rest = argv.slice(index);
  const [first = '', second] = words;
  if (first === 'version') return ['--version', ...flags, ...rest];
  if (first === 'help') return reorderHelp(rest, flags);
  if (second === 'help') return reorderHelp([first, ...rest], flags);
  const others = flags.filter((flag) => flag !== '--help' && flag !== '-h');
  if (first === everything && others.length < flags.length) return ['--help', everything, ...others, ...rest];
  // Keeps the order of flags, so that the last one still counts.
  return [...words, ...flags, ...rest];
}

// Leaves topics, every command as data, and unknown words that are closer to a topic than to a command, to the command `help`. `moved`:
// flags from before the word `help`, with their values.
function reorderHelp(typed: readonly string[], moved: readonly string[]): readonly string[] {
  const argv = typed.map((word) => word.replace(/^exit-status(?:es)?$/, 'exit-codes'));
  const words = argv.filter((word) => !word.startsWith('-'));
  const flags = [...argv.filter((word) => word.startsWith('-')), ...moved];
  const [first = '', second] = words;
  const isKnown =
    findCommand(words) !== undefined || (second === undefined && (first === '' || isGroup(first)));
  const isForHelpCommand =
    flags.some((flag) => /^(?:--json|--help|-h|--jq(?:=.*)?)$/s.test(flag)) ||
    (!isKnown && second === undefined && isTopic(first)) ||
    (first === '' && flags.some((flag) => flag.startsWith('-') && findCommonFlag(flag) === undefined));
  if (isForHelpCommand) return ['help', ...argv, ...moved];
  if (first === 'help' || first === 'version') return ['--help', ...flags];
  if (first === everything && second === undefined) return ['--help', everything, ...flags];
  if (!isKnown) return [...argv, ...moved];
  // After the words of the command comes a topic of its help.
  const count = isGroup(first) ? 2 : 1;
  return [...words.slice(0, count), '--help', ...words.slice(count), ...flags];
}

/** In `wm --limit 5 task list`, 5 would be the command. */
function rejectEarlyFlag(typed: readonly string[]): void {
  for (const [at, flag] of typed.entries()) {
    if (!flag.startsWith('-') || findCommonFlag(flag) !== undefined) continue;
    const row = findCommand([...typed.slice(0, at).filter(isGroup), ...typed.slice(at + 2)]);
    if (row)
      throw usageError(
        `${flag} must come after the command`,
        secretHint(flag) ?? `Write: wm ${row.words} ${flag} ${typed[at + 1]}`,
      );
  }
}

function isGroup(text: string | undefined): boolean {
  return groups.some(({ word }) => word === text);
}

function findCommonFlag(text: string): Flag<unknown> | undefined {
  const found = formsIn(splitAtEquals(text)[0]).map((form) => findFlag(commonFlags, form));
  return found.includes(undefined) ? undefined : found.at(-1)?.[1];
}

/** True for a topic, and for a word that is closer to one than to a command. */
function isTopic(word: string): boolean {
  const topics = Object.keys(helpTopics);
  const candidates = [...topics, ...commands.flatMap((row) => row.words.split(' '))];
  return [word, ...nearestWords(word, candidates)].some((near) => topics.includes(near));
}
