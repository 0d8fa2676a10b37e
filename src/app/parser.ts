// Parses a command line into a command, its operands, and the texts of its flags, with Node's parseArgs. First moves help after
// its subject, and flags after the words of the command. Loads only the command that runs.

import { parseArgs } from 'node:util';
import { type Command, needsDoubleDash } from '#cli/command.ts';
import { commonFlags, everywhereFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import {
  type FlagForm,
  type FlagForms,
  formsOfAll,
  isBooleanWord,
  misplacedBoolean,
  switchValue,
} from '#cli/flags/flag-forms.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { type Failure, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { World } from '#world/world.ts';
import { commands, findCommand, formatFirstPage, groups } from './commands.ts';
import { everything, helpWidth } from './help-layout.ts';
import { printHelp } from './print-help.ts';
import { helpTopics } from './topics/topics.ts';

/** `words`: of the command; empty for `wm` alone. Undefined if it printed help or the version. @throws {Failure} `usage` */
export async function parse(typed: readonly string[], world: World) {
  const argv = reorderArguments(typed);
  if (argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h'))
    return printHelp(world, formatFirstPage(helpWidth(world)));
  const group = groups.find(({ word }) => word === argv[0]);
  const next = argv[group === undefined ? 0 : 1];
  const isBare = next === undefined || (next.startsWith('-') && next !== '--');
  const row = isBare ? undefined : findCommand(argv);
  if (!isBare && row === undefined) throw (await import('./unknown-command-or-flag.ts')).unknownCommand(argv);
  const words = row?.words ?? group?.word ?? '';
  const command: Command | undefined = row
    ? (await row.load()).default
    : group
      ? undefined
      : (await import('./welcome.ts')).default;
  const rest = argv.slice(words === '' ? 0 : words.split(' ').length);
  const { shows, ...line } = await readLine(rest, command, argv, world);
  if (shows === 'version') {
    if (line.flags.get('json')?.at(-1) !== 'true') return printHelp(world, `${version}\n`);
    const { describeVersion } = await import('./describe-version.ts');
    return printHelp(world, await describeVersion(world), { pager: false });
  }
  if (shows === 'help' || command === undefined) {
    const { formatHelp } = await import('./command-help.ts');
    const text = await formatHelp(words, command, argv, helpWidth(world));
    return printHelp(world, text, argv.includes('--no-pager') ? { pager: false } : {});
  }
  return { words, command, ...line };
}

/**
 * `rest`: what follows the words of the command. `command`: undefined for a group. `shows`: what to show instead of running the
 * command. Throws a usage failure.
 */
async function readLine(
  rest: readonly string[],
  command: Command | undefined,
  argv: readonly string[],
  world: World,
) {
  const forms = formsOfAll(command ? { ...sharedFlags(command), ...command.flags } : everywhereFlags);
  const rows = command?.arguments ?? {};
  const runsOtherProgram = needsDoubleDash(rows);
  const { tokens } = parseArgs({ args: [...rest], options: optionsOf(forms), strict: false, tokens: true });
  const flags = new Map<string, [string, ...string[]]>();
  const operandsBefore: string[] = [];
  let operandsAfter: string[] | undefined;
  let shows: 'help' | 'version' | undefined;
  let unknown: string | undefined;
  let lastWordIndex = -1;
  for (const [index, token] of tokens.entries()) {
    const word = rest[token.index] ?? '';
    if (token.kind === 'option-terminator') operandsAfter = [];
    else if (token.kind === 'positional') (operandsAfter ?? operandsBefore).push(token.value);
    else if (token.name === 'help' || token.name === 'version') shows ??= token.name;
    else {
      const form = forms.get(`--${token.name}`);
      if (form !== undefined) {
        const text =
          form.value === undefined
            ? requireValue(token, form, forms)
            : switchValue(token.value, form.long, form.value);
        const texts = flags.get(form.name);
        if (texts) texts.push(text);
        else flags.set(form.name, [text]);
        const next = tokens[index + 1];
        if (
          form.value !== undefined &&
          next?.kind === 'positional' &&
          !runsOtherProgram &&
          isBooleanWord(next.value)
        )
          throw misplacedBoolean(next.value, word);
      } else if (isNumber.test(word) || (runsOtherProgram && !rest.includes('--'))) {
        // parseArgs makes a token of each letter.
        if (lastWordIndex !== token.index) operandsBefore.push(word);
        lastWordIndex = token.index;
      } else unknown ??= word;
    }
  }
  const line = { operands: [...operandsBefore, ...(operandsAfter ?? [])], flags, shows };
  if (shows !== undefined) return line;
  if (unknown !== undefined) {
    const { unknownFlag } = await import('./unknown-command-or-flag.ts');
    throw unknownFlag(unknown, forms, command, argv, world.process.platform);
  }
  if (runsOtherProgram && operandsBefore.length > 0) throw beforeDoubleDash(operandsBefore, command);
  // An id of this form has to come after `--`.
  if (!Object.values(rows).at(-1)?.mayBeBoolean)
    for (const word of operandsBefore) if (/^(?:true|false)$/i.test(word)) throw misplacedBoolean(word);
  return line;
}

/** A negative number is an argument, although it begins with a dash. */
const isNumber = /^-\d*\.?\d+$/;

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

function optionsOf(forms: FlagForms): Options {
  const options: NonNullable<Options> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'V' },
  };
  for (const [form, { long, value }] of forms) {
    const short = form === long ? {} : { short: form.slice(1) };
    options[long.slice(2)] = { type: value === undefined ? 'string' : 'boolean', ...short };
  }
  return options;
}

interface FlagToken {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Words that are never values, besides the command's own flags. */
const neverValues: readonly string[] = ['--', '--help', '-h', '--version', '-V'];

/** Rejects `--title --status Completed`: the title is missing. A flag's name as a value needs `--title=--status`. */
function requireValue({ value, inlineValue }: FlagToken, { long, flag }: FlagForm, forms: FlagForms): string {
  if (value === undefined)
    throw usageError(`${long} needs a value`, `Write ${long} ${flag.placeholder}. See --help.`);
  if (inlineValue || !(neverValues.includes(value) || forms.has(value))) return value;
  throw usageError(
    `${long} needs a value, but ${value} follows it`,
    `If that is the value, write ${long}=${value}`,
  );
}

/** In `wm emulator exec wm whoami --json` the flag is ambiguous. */
function beforeDoubleDash(operands: readonly string[], command: Command | undefined): Failure {
  const hint = command && `For example: ${Object.values(command.examples)[0]}`;
  return usageError(`Put -- before the command: ${operands.join(' ')}`, hint);
}

/**
 * Turns `wm help webhook list` and `wm webhook help list` into `wm webhook list --help`, and moves leading flags after the
 * words. `wm -v` alone shows the version, as in other tools.
 */
function reorderArguments(argv: readonly string[]): string[] {
  const [word = '', next] = argv;
  if (word === 'version') return argv[1] === '--json' ? ['--version', '--json'] : ['--version'];
  if (word === '-v' && argv.length === 1) return ['--version'];
  if (word === 'help') return reorderHelp(argv.slice(1));
  if (next === 'help' && isGroup(word)) return reorderHelp([word, ...argv.slice(2)]);
  if (argv.length === 2 && (word === '--help' || word === '-h') && next === everything) return [...argv];
  // The usual order: nothing before or between the words.
  if (!word.startsWith('-') && next !== undefined && !next.startsWith('-')) return [...argv];
  const { flags, rest } = splitLeadingFlags(argv, () => true);
  if (rest.length === 0) return [...argv];
  const [first = '', ...moreWords] = withoutDoubleDash(rest);
  if (!isGroup(first)) return [first, ...flags, ...moreWords];
  // `wm webhook --json list`: only common flags may be between the words of a command.
  const inside = splitLeadingFlags(moreWords, (text) => findCommonFlag(text) !== undefined);
  const [second, ...after] = withoutDoubleDash(inside.rest);
  // Keeps the order of flags, so that the last one still counts.
  return [first, ...(second === undefined ? [] : [second]), ...flags, ...inside.flags, ...after];
}

/** `--` has no effect before or between the words of a command. */
function withoutDoubleDash(words: readonly string[]): readonly string[] {
  return words[0] === '--' ? words.slice(1) : words;
}

/**
 * Leaves topics, and every command as data, to the command `help`, and unknown words too if they are closer to a topic than to
 * a command, so that it can report them.
 */
function reorderHelp(typed: readonly string[]): string[] {
  const argv = typed.map((word) => word.replace(/^exit-status(?:es)?$/, 'exit-codes'));
  const words = argv.filter((word) => !word.startsWith('-'));
  const isForHelpCommand =
    argv.some((text) => /^(?:--json|--help|-h|--jq(?:=.*)?)$/s.test(text)) ||
    isTopic(words) ||
    (words.length === 0 && argv.some((flag) => findCommonFlag(flag) === undefined));
  if (isForHelpCommand) return ['help', ...argv];
  if (words[0] === 'help' || words[0] === 'version') return ['--help'];
  if (words[0] === everything && words.length === 1) return ['--help', everything];
  if (!isKnownCommand(words)) return [...argv];
  // After the words of the command comes a topic of its help.
  const count = isGroup(words[0] ?? '') ? 2 : 1;
  const flags = argv.filter((word) => word.startsWith('-'));
  return [...words.slice(0, count), '--help', ...words.slice(count), ...flags];
}

function isGroup(text: string): boolean {
  return groups.some(({ word }) => word === text);
}

/** The flags before the first word, with their values. Ends at the first that `accepts` rejects. */
function splitLeadingFlags(argv: readonly string[], accepts: (text: string) => boolean) {
  let end = 0;
  for (let text = argv[0]; text?.startsWith('-') && text !== '--' && accepts(text); text = argv[end]) {
    const takesNext = findCommonFlag(text)?.placeholder !== undefined && !text.includes('=');
    end += takesNext ? 2 : 1;
  }
  return { flags: argv.slice(0, end), rest: argv.slice(end) };
}

function findCommonFlag(text: string): Flag<unknown> | undefined {
  const [form = ''] = text.split('=');
  return Object.entries<Flag<unknown>>(commonFlags).find(([name, { short }]) =>
    [`--${toKebabCase(name)}`, `--no-${toKebabCase(name)}`, `-${short}`].includes(form),
  )?.[1];
}

function isTopic(words: readonly string[]): boolean {
  const [word = ''] = words;
  if (words.length !== 1 || isKnownCommand(words)) return false;
  const topics = Object.keys(helpTopics);
  const candidates = [...topics, ...commands.flatMap((row) => row.words.split(' '))];
  return topics.includes(word) || nearestWords(word, candidates).some((near) => topics.includes(near));
}

function isKnownCommand(words: readonly string[]): boolean {
  const [first, second] = words;
  if (first === undefined || findCommand(words)) return true;
  return second === undefined && isGroup(first);
}
