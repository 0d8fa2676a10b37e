// Parses a command line into a command, its operands, and the texts of its flags, with Node's parseArgs. Loads only the command
// that runs.

import { parseArgs } from 'node:util';
import type { Command } from '#cli/command.ts';
import {
  isBooleanWord,
  misplacedBoolean,
  rejectBooleanArgument,
  switchValue,
} from '#cli/flags/boolean-flags.ts';
import { everywhereFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import type { GivenFlags } from '#cli/flags/flag.ts';
import { type FlagForm, type FlagForms, formsOfAll } from '#cli/flags/flag-forms.ts';
import { type Failure, usageError } from '#failure.ts';
import { version } from '#version.ts';
import type { World } from '#world/world.ts';
import { type CommandRow, commands, formatFirstPage, groups } from './commands.ts';
import { needsDoubleDash } from './format-usage.ts';
import { helpWidth } from './help-layout.ts';
import { printHelp } from './print-help.ts';

export interface Parsed {
  /** The words of the command; empty for `wm` alone. */
  readonly words: string;
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flags: GivenFlags;
}

/** Undefined if it printed help or the version. @throws {Failure} `usage` */
export async function parse(typed: readonly string[], world: World): Promise<Parsed | undefined> {
  if (typed.length === 1 && (typed[0] === '--help' || typed[0] === '-h'))
    return printHelp(world, formatFirstPage(helpWidth(world)));
  const group = groups.find(({ word }) => word === typed[0]);
  const isBare = isFlagOrNothing(typed[group === undefined ? 0 : 1]);
  const row = isBare ? undefined : commands.find((one) => isTyped(one, typed));
  if (!isBare && row === undefined)
    throw (await import('./unknown-command-or-flag.ts')).unknownCommand(typed);
  const words = row?.words ?? group?.word ?? '';
  const command = row
    ? (await row.load()).default
    : group
      ? undefined
      : (await import('./welcome.ts')).default;
  const rest = typed.slice(words === '' ? 0 : words.split(' ').length);
  const { shows, ...line } = await readLine(rest, command, typed, world);
  if (shows === 'version') {
    if (line.flags.get('json')?.at(-1) !== 'true') return printHelp(world, `${version}\n`);
    const { describeVersion } = await import('./describe-version.ts');
    return printHelp(world, await describeVersion(world), { pager: false });
  }
  if (shows === 'help' || command === undefined) {
    const { formatHelp } = await import('./command-help.ts');
    const text = await formatHelp(words, command, typed, helpWidth(world));
    return printHelp(world, text, typed.includes('--no-pager') ? { pager: false } : {});
  }
  return { words, command, ...line };
}

function isFlagOrNothing(typed: string | undefined): boolean {
  return typed === undefined || (typed.startsWith('-') && typed !== '--');
}

function isTyped({ words, alias }: CommandRow, [first, second]: readonly string[]): boolean {
  const [group, name] = words.split(' ');
  return (
    group === first && (name === undefined || name === second || (alias !== undefined && alias === second))
  );
}

interface Line {
  readonly operands: readonly string[];
  readonly flags: GivenFlags;
  /** What to show instead of running the command. */
  readonly shows: 'help' | 'version' | undefined;
}

/** `rest`: what follows the words of the command. `command`: undefined for a group. Throws a usage failure. */
async function readLine(
  rest: readonly string[],
  command: Command | undefined,
  typed: readonly string[],
  world: World,
): Promise<Line> {
  const forms = formsOfAll(command ? { ...sharedFlags(command), ...command.flags } : everywhereFlags);
  const rows = command?.arguments ?? {};
  const runsAnother = needsDoubleDash(rows);
  const { tokens } = parseArgs({ args: [...rest], options: optionsOf(forms), strict: false, tokens: true });
  const flags = new Map<string, [string, ...string[]]>();
  const before: string[] = [];
  let after: string[] | undefined;
  let shows: Line['shows'];
  let unknown: string | undefined;
  let taken = -1;
  for (const [at, token] of tokens.entries()) {
    const word = rest[token.index] ?? '';
    if (token.kind === 'option-terminator') after = [];
    else if (token.kind === 'positional') (after ?? before).push(token.value);
    else if (token.name === 'help' || token.name === 'version') shows ??= token.name;
    else {
      const form = forms.get(`--${token.name}`);
      if (form !== undefined) {
        const text =
          form.says === undefined
            ? requireValue(token, form, forms)
            : switchValue(token.value, form.long, form.says);
        const given = flags.get(form.name);
        if (given) given.push(text);
        else flags.set(form.name, [text]);
        const next = tokens[at + 1];
        if (
          form.says !== undefined &&
          next?.kind === 'positional' &&
          !runsAnother &&
          isBooleanWord(next.value)
        )
          throw misplacedBoolean(next.value, word);
      } else if (isNumber.test(word) || (runsAnother && !rest.includes('--'))) {
        // parseArgs makes a token of each letter.
        if (taken !== token.index) before.push(word);
        taken = token.index;
      } else unknown ??= word;
    }
  }
  const line = { operands: [...before, ...(after ?? [])], flags, shows };
  if (shows !== undefined) return line;
  if (unknown !== undefined) {
    const { unknownFlag } = await import('./unknown-command-or-flag.ts');
    throw unknownFlag(unknown, forms, command, typed, world.process.platform);
  }
  if (runsAnother && before.length > 0) throw beforeDoubleDash(before, command);
  if (!Object.values(rows).some(({ mayBeBoolean }) => mayBeBoolean)) rejectBooleanArgument(before);
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
  for (const { long, short, says } of forms.values())
    options[long.slice(2)] = { type: says === undefined ? 'string' : 'boolean', ...(short ? { short } : {}) };
  return options;
}

interface FlagToken {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Words that are not values either, besides the command's own flags. */
const neverValues: readonly string[] = ['--', '--help', '-h', '--version', '-V'];

/** Rejects `--title --status Completed`: the title is missing. A flag's name as a value needs `--title=--status`. */
function requireValue(
  { value, inlineValue }: FlagToken,
  { long, placeholder }: FlagForm,
  forms: FlagForms,
): string {
  if (value === undefined)
    throw usageError(`${long} needs a value`, `Write ${long} ${placeholder}. See --help.`);
  if (inlineValue || !(neverValues.includes(value) || forms.has(value))) return value;
  throw usageError(
    `${long} needs a value, but ${value} follows it`,
    `If that is the value, write ${long}=${value}`,
  );
}

/** In `wm emulator exec wm whoami --json` the flag is ambiguous. */
function beforeDoubleDash(before: readonly string[], command: Command | undefined): Failure {
  const hint = command && `For example: ${command.examples[0].command}`;
  return usageError(`Put -- before the command: ${before.join(' ')}`, hint);
}
