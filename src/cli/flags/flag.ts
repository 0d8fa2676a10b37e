// What a flag is, and the kinds of flags: how the texts that were typed become one typed value.

import { findDuplicateKey } from '#contract/duplicate-key.ts';
import { describeJsonError, isJsonObject, parseJson, parseJsonIfValid } from '#contract/json.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';

/** What wm knows values of, besides closed lists: a place is a folder, a project or a space. */
export type CompletedValue =
  | 'event'
  | 'event or group'
  | 'profile'
  | 'status'
  | 'task'
  | 'place'
  | 'user'
  | 'webhook';

export interface Flag<T> {
  readonly help: string;
  /** What stands for the value in help; a switch has none. */
  readonly placeholder?: string;
  readonly short?: string;
  /** Another long name, which help does not list. */
  readonly alias?: string;
  /** Flags that do not exist, which people type for this one, and what it takes that they miss. */
  readonly insteadOf?: { readonly flags: readonly string[]; readonly takes: string };
  /** The kind of the value, or of one entry of a list: `integer`, or the contract's name for it. Without one, it is text. */
  readonly type?: string;
  /** The closed list of values, or of entries. They are taken in upper or lower case. */
  readonly choices?: readonly string[];
  /** What a shell completes the value with, where `type`, `choices` and a placeholder FILE do not say. */
  readonly completes?: CompletedValue;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What to give, for the error where it is missing: the command cannot do anything without it. */
  readonly required?: string;
  /** A switch whose no says something of its own, and is no mere absence: help shows `--[no-]x`. */
  readonly negatable?: true;
  /** May be given more than once. */
  readonly repeats?: true;
  /** May be given more than once, and the last one counts: it changes nothing of what is done. */
  readonly lastWins?: true;
  /** Long text or JSON: `@FILE` and `-` stand for what is read there, `@@` for a literal `@`. */
  readonly acceptsFile?: true;
  /** Everything that was given for it, in order. Throws a {@link ValidationError} or a usage failure. */
  parse(given: Given): T;
}

/** What was typed for one flag. */
export type Given = readonly [string, ...string[]];

/** The same for each flag, by its name. */
export type GivenFlags = ReadonlyMap<string, Given>;

/** Of a flag that was given more than once, the last value counts. */
export function lastOf([first, ...more]: Given): string {
  return more.at(-1) ?? first;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

type ParsedFlag<F> = F extends Flag<infer T> ? T : never;
/** Those that the command cannot do without are there. */
export type ParsedFlags<F extends Flags> = {
  readonly [K in keyof F as F[K] extends RequiredFlag ? K : never]: ParsedFlag<F[K]>;
} & { readonly [K in keyof F as F[K] extends RequiredFlag ? never : K]?: ParsedFlag<F[K]> };

interface RequiredFlag {
  readonly required: string;
}

export function booleanFlag(
  help: string,
  more: { readonly short?: string; readonly negatable?: true } = {},
): Flag<boolean> {
  return { help, ...more, parse: (given) => lastOf(given) !== 'false' };
}

/** One value of a kind that the contract knows; the words of its closed lists in any case. */
export function valueFlag<T>(kind: Schema<T>, placeholder: string, help: string): Flag<T> {
  const known = caseInsensitive(kind);
  return { help, placeholder, ...describeSchema(kind), parse: (given) => parseText(known, lastOf(given)) };
}

function describeSchema({ type, choices }: Schema<unknown>): Pick<Flag<unknown>, 'type' | 'choices'> {
  return choices === undefined ? { type } : { type, choices };
}

/** As the kind reads it; JSON that says one thing twice is a {@link ValidationError}. */
export function parseText<T>(kind: Schema<T>, text: string): T {
  const read = kind.fromWire(text);
  const double = kind.wireFormat === 'json' ? findDuplicateKey(text) : undefined;
  if (double !== undefined)
    throw new ValidationError(formatValue(double), 'appears twice in one JSON object');
  return read;
}

/** Any text. */
export function textFlag(placeholder: string, help: string, completes?: CompletedValue): Flag<string> {
  return {
    help,
    placeholder,
    ...(completes === undefined ? {} : { completes }),
    parse(given) {
      const last = lastOf(given);
      if (last === '') throw new ValidationError('""', 'must not be empty');
      return last;
    },
  };
}

export function integerFlag(placeholder: string, help: string, least: number, most: number): Flag<number> {
  return {
    help,
    placeholder,
    type: 'integer',
    minimum: least,
    maximum: most,
    parse(given) {
      const text = lastOf(given);
      const number = Number(text);
      if (!/^\d+$/.test(text) || number < least || number > most) {
        throw new ValidationError(JSON.stringify(text), `is not a whole number from ${least} to ${most}`);
      }
      return number;
    },
  };
}

/** A list: repeated, with commas, or as a JSON array. Help adds `,...` to the placeholder, which stands for one entry. */
export function listFlag<T>(
  kind: Schema<readonly T[]>,
  placeholder: string,
  help: string,
): Flag<readonly T[]> {
  const known = caseInsensitive(kind);
  return {
    help,
    placeholder: `${placeholder},...`,
    repeats: true,
    ...(kind.item ? describeSchema(kind.item) : {}),
    parse: (given) => known.validate(parseEntries(given, kind.type)),
  };
}

/** The same, for entries that only this flag takes. `parseEntry` throws a {@link ValidationError}. */
export function entriesFlag<T>(
  parseEntry: (entry: unknown) => T,
  placeholder: string,
  help: string,
): Flag<readonly T[]> {
  return {
    help,
    placeholder: `${placeholder},...`,
    repeats: true,
    parse: (given) => parseEntries(given, `${placeholder}[]`).map(parseEntry),
  };
}

function parseEntries(given: Given, type: string): readonly unknown[] {
  return given.flatMap((text): unknown => {
    const trimmed = text.trim();
    if (trimmed.startsWith('[')) return parseJsonList(trimmed, type);
    if (trimmed === '')
      throw new ValidationError('""', 'is an empty list; omit the flag, or give at least one value');
    return trimmed.split(',').map((one) => one.trim());
  });
}

/** JSON that begins with a square bracket is a list, or an error. */
function parseJsonList(text: string, type: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ValidationError(formatValue(text), `${describeJsonError(error)} (${type} expected)`);
  }
}

/** `addParents` as it is typed: `add-parents`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The same for a person to read: `add parents`. */
export function toWords(name: string): string {
  return toKebabCase(name).replaceAll('-', ' ');
}

/**
 * The same schema, which takes the words of its closed lists in upper or lower case, also inside lists and JSON. The service
 * knows one case alone. Free text and ids stay as they are.
 */
export function caseInsensitive<T>(kind: Schema<T>): Schema<T> {
  if (!hasChoices(kind)) return kind;
  const check = (input: unknown): T => kind.validate(toCanonicalCase(kind, input));
  const fromWire = (text: string): T => {
    if (kind.wireFormat === 'text')
      return kind.fromWire(kind.choices ? matchChoices(kind.choices, text) : text);
    const decoded = parseJsonIfValid(text);
    return decoded === undefined ? kind.fromWire(text) : check(decoded);
  };
  return { ...kind, validate: check, fromWire };
}

/** True if the schema, or a part of it, has a closed list. */
function hasChoices({ choices, item, shape = {} }: Schema<unknown>): boolean {
  return choices !== undefined || (item && hasChoices(item)) || Object.values(shape).some(hasChoices);
}

/** The input itself where nothing in it changes. */
function toCanonicalCase(kind: Schema<unknown>, input: unknown): unknown {
  if (typeof input === 'string') return kind.choices ? matchChoices(kind.choices, input) : input;
  if (Array.isArray(input)) {
    const { item } = kind;
    return item ? input.map((one: unknown) => toCanonicalCase(item, one)) : input;
  }
  const { shape } = kind;
  if (!isJsonObject(input) || shape === undefined) return input;
  let changed: Map<string, unknown> | undefined;
  for (const name in input) {
    const row = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const member = row ? toCanonicalCase(row, input[name]) : input[name];
    if (member === input[name]) continue;
    changed ??= new Map(Object.entries(input));
    changed.set(name, member);
  }
  return changed ? Object.fromEntries(changed) : input;
}

/** One word, or several with commas between them. */
function matchChoices(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text;
  return text
    .split(',')
    .map((word) => choices.find((one) => one.toLowerCase() === word.trim().toLowerCase()) ?? word)
    .join(',');
}
