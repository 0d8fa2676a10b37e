// Parses the texts of flags into typed values. Errors name the flag: a schema does not know where its value came from.

import { joinWithAnd } from '#contract/format-list.ts';
import { formatValue, replaceError, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { type Flags, type ParsedFlags, type RawFlags, toKebabCase } from './flags/flag.ts';

/** Rejects two different values of a single-value flag: wm cannot tell which is meant. Compares the typed texts. */
export function rejectRepeatedFlags(flags: Flags, rawFlags: RawFlags): void {
  for (const [name, texts] of rawFlags) {
    const flag = flags[name];
    const distinct = [...new Set(texts)];
    if (!flag || flag.repeats || flag.lastWins || distinct.length < 2) continue;
    const long = `--${toKebabCase(name)}`;
    if (flag.placeholder === undefined)
      throw usageError(`${long} and --no-${toKebabCase(name)} cannot be combined`, 'Give one of them.');
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
  const references = [...rawFlags].filter(
    ([name, texts]) => flags[name]?.acceptsFile && texts.some((text) => text === '-' || text.startsWith('@')),
  );
  const mayBeInput = ([name]: readonly [string, unknown]) =>
    flags[name]?.acceptsFile || flags[name]?.readsInput;
  assertInputReadOnce([...rawFlags].filter(mayBeInput).flatMap(([, texts]) => texts));
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

/** Throws a usage failure if `-` is among the values more than once. */
export function assertInputReadOnce(values: readonly (string | undefined)[]): void {
  if (values.filter((value) => value === '-').length > 1)
    throw usageError(
      'Standard input can be read only once, but - is given more than once',
      'Use @FILE for the other values.',
    );
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

/** Turns a {@link ValidationError} of `check` into a usage failure that names the value: `TITLE`, `--due`. */
export function withValueName<T>(name: string, check: () => T): T {
  return replaceError(ValidationError, check, ({ message }) => usageError(`${name}: ${message}`));
}
