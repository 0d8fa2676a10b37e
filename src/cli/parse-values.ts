// Parses the texts of arguments and flags into the typed values that a command's `run` gets. Errors name the flag: a schema or a
// rule does not know where its value came from.

import { joinWithAnd } from '#contract/format-list.ts';
import { formatValue, replaceError, ValidationError } from '#contract/schema.ts';
import { type Failure, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import type { Arguments, ParsedArguments } from './command.ts';
import { type Flags, type FlagTexts, type ParsedFlags, type RawFlags, toKebabCase } from './flags/flag.ts';

/** Rejects two different values of a single-value flag: wm cannot tell which is meant. Compares the typed texts. */
export function rejectRepeatedFlags(flags: Flags, rawFlags: RawFlags): void {
  for (const [name, texts] of rawFlags) {
    const flag = flags[name];
    const distinct = [...new Set(texts)];
    if (!flag || flag.repeats || flag.lastWins || distinct.length < 2) continue;
    const long = `--${toKebabCase(name)}`;
    if (flag.placeholder === undefined) {
      throw usageError(`${long} and --no-${toKebabCase(name)} cannot be combined`, 'Give one of them.');
    }
    throw usageError(
      `${long} is given ${distinct.length === 2 ? 'twice' : `${distinct.length} times`}: ${joinWithAnd(distinct.map(formatValue))}`,
      name === 'profile'
        ? 'Give it once. In a script or an alias, set WM_PROFILE instead: a flag can override it.'
        : 'Give it once.',
    );
  }
}

/** Replaces `@FILE` and `-` by the contents of the file or of standard input, for the flags that allow it. */
export async function readFileValues(world: World, flags: Flags, rawFlags: RawFlags): Promise<RawFlags> {
  const references: [string, FlagTexts][] = [];
  let inputs = 0;
  for (const [name, texts] of rawFlags) {
    if (!flags[name]?.acceptsFile) continue;
    if (texts.some((text) => text === '-' || text.startsWith('@'))) references.push([name, texts]);
    inputs += texts.filter((text) => text === '-').length;
  }
  if (inputs > 1)
    throw usageError(
      'Standard input can be read only once, but - is given more than once',
      'Use @FILE for the other values.',
    );
  if (references.length === 0) return rawFlags;
  const { readFileValue } = await import('./file-value.ts');
  const resolved = new Map(rawFlags);
  for (const [name, texts] of references) {
    const readValue = (text: string) => readFileValue(world, text, `--${toKebabCase(name)}`);
    const [first, ...more] = texts;
    const [firstValue, values] = await Promise.all([readValue(first), Promise.all(more.map(readValue))]);
    resolved.set(name, [firstValue, ...values]);
  }
  return resolved;
}

/** Throws a usage failure that names the flag of an invalid value. */
export function parseFlags<F extends Flags>(flags: F, rawFlags: RawFlags): ParsedFlags<F> {
  const parsed: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(flags)) {
    const texts = rawFlags.get(name);
    if (texts === undefined) {
      if (flag.required !== undefined) throw usageError(`Missing: --${toKebabCase(name)}`, flag.required);
      continue;
    }
    // For a switch that can only be on, `--no-x` equals its absence.
    if (flag.placeholder === undefined && !flag.negatable && texts.at(-1) === 'false') continue;
    parsed[name] = withValueName(`--${toKebabCase(name)}`, () => flag.parse(texts));
  }
  // Each value has the type of its row's parser, which the compiler cannot infer through the loop.
  return parsed as ParsedFlags<F>;
}

export function parseArguments<A extends Arguments>(
  rows: A,
  operands: readonly string[],
  readsInput?: string,
): ParsedArguments<A> {
  const entries: [string, unknown][] = [];
  const remaining = [...operands];
  for (const [name, row] of Object.entries(rows)) {
    const value = row.many ? remaining.splice(0) : remaining.shift();
    const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
    if (isMissing && !row.optional) {
      const shownName = toKebabCase(name).toUpperCase();
      throw usageError(`Missing: ${shownName}`, `${shownName} is ${row.help}. See --help.`);
    }
    entries.push([name, value]);
  }
  if (remaining.length > 0) throw tooManyArguments(rows, operands.length, readsInput);
  // One entry for each row, in the row's type.
  return Object.fromEntries(entries) as ParsedArguments<A>;
}

/** Does not show the typed text: it may be a misplaced secret. */
function tooManyArguments(rows: Arguments, count: number, readsInput: string | undefined): Failure {
  const names = Object.keys(rows).map((name) => toKebabCase(name).toUpperCase());
  const message = `Too many arguments: ${count} ${count === 1 ? 'was' : 'were'} given`;
  if (readsInput !== undefined) return usageError(message, readsInput);
  return usageError(
    message,
    names.length === 0
      ? 'This command takes no arguments. Put the value of a flag directly after the flag. See --help.'
      : `This command takes at most ${names.length}: ${joinWithAnd(names)}. Quote values that contain spaces. See --help.`,
  );
}

/** Turns a {@link ValidationError} of `check` into a usage failure that names the value: `TITLE`, `--due`. */
export function withValueName<T>(name: string, check: () => T): T {
  return replaceError(ValidationError, check, ({ message }) => usageError(`${name}: ${message}`));
}
