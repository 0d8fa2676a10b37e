// The type of a flag, and functions that create flags. A flag parses its typed texts into one value.

import {
  describeJsonError,
  findDuplicateKey,
  isJsonObject,
  parseJson,
  parseJsonIfValid,
} from '#contract/json.ts';
import { invalidValue, type Schema, ValidationError, withPath } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';

/** Kinds of values that wm can complete, besides closed lists. A place is a folder, a project or a space. */
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
  /** The value's name in help; a switch has none. */
  readonly placeholder?: string;
  readonly short?: string;
  /** Another long name, which help omits. */
  readonly alias?: string;
  /** Unknown flags that people type instead of this one, and the values that it takes. */
  readonly insteadOf?: { readonly flags: readonly string[]; readonly takes: string };
  /** The type of the value, or of one entry of a list: `integer`, or the contract's name. The default is text. */
  readonly type?: string;
  /** The valid values or entries, in upper or lower case. */
  readonly choices?: readonly string[];
  /** The values that a shell completes, if `type`, `choices` and a placeholder FILE do not say. */
  readonly completes?: CompletedValue;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Set for a mandatory flag: the hint of the error if it is missing. */
  readonly required?: string;
  /** A switch whose `--no-x` differs from its absence: help shows `--[no-]x`. `only`: it has no other form, and absent means yes. */
  readonly negatable?: true | 'only';
  readonly repeats?: true;
  /** May be given more than once, and the last one counts, since it does not affect what the command does. */
  readonly lastWins?: true;
  /** Long text or JSON: `@FILE` and `-` read the value, and `@@` is a literal `@`. */
  readonly acceptsFile?: true;
  /** A file that the command itself reads; `-` is standard input. */
  readonly readsInput?: true;
  /** Parses all texts of the flag, in order. Throws a {@link ValidationError} or a usage failure. */
  parse(texts: FlagTexts): T;
}

export type FlagTexts = readonly [string, ...string[]];
export type RawFlags = ReadonlyMap<string, FlagTexts>;

export function lastOf([first, ...more]: FlagTexts): string {
  return more.at(-1) ?? first;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;
type ParsedFlag<F> = F extends Flag<infer T> ? T : never;
/** Required flags always have a value. */
export type ParsedFlags<F extends Flags> = {
  readonly [K in keyof F as F[K] extends { required: string } ? K : never]: ParsedFlag<F[K]>;
} & { readonly [K in keyof F as F[K] extends { required: string } ? never : K]?: ParsedFlag<F[K]> };

export function booleanFlag(
  help: string,
  more: Pick<Flag<boolean>, 'short' | 'negatable'> = {},
): Flag<boolean> {
  return { help, ...more, parse: (texts) => lastOf(texts) !== 'false' };
}

/** A flag with one value of a contract type; closed lists accept upper and lower case. */
export function valueFlag<T>(schema: Schema<T>, placeholder: string, help: string): Flag<T> {
  return {
    help,
    placeholder,
    ...omitUndefined({ type: schema.type, choices: schema.choices }),
    parse: (texts) => parseText(caseInsensitive(schema), lastOf(texts)),
  };
}

/** Parses with the schema. JSON with a duplicate member is a {@link ValidationError}. */
export function parseText<T>(schema: Schema<T>, text: string): T {
  if (schema.wireFormat === 'json' && /^\s*[[{][^":]*:[^"]*$/.test(text))
    throw invalidValue(
      text,
      'is not JSON: it has no quotes. Windows PowerShell 5 removes them: write \\" for each, or use @FILE',
    );
  const value = schema.fromWire(text);
  const duplicate = schema.wireFormat === 'json' ? findDuplicateKey(text) : undefined;
  if (duplicate !== undefined) throw invalidValue(duplicate, 'appears twice in one JSON object');
  return value;
}

export function textFlag(placeholder: string, help: string, completes?: CompletedValue): Flag<string> {
  return {
    help,
    placeholder,
    ...omitUndefined({ completes }),
    parse(texts) {
      const text = lastOf(texts);
      if (text === '') throw new ValidationError('""', 'must not be empty');
      return text;
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
    parse: (texts) => parseInteger(lastOf(texts), least, most),
  };
}

function parseInteger(text: string, least: number, most: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new ValidationError(JSON.stringify(text), `is not a whole number from ${least} to ${most}`);
  return number;
}

/** The port of an address. Throws a {@link ValidationError}. */
export const parsePort = (text: string): number => withPath('the port', () => parseInteger(text, 1, 65_535));

/** A flag with its own kind of value. `parse` throws a {@link ValidationError} or a usage failure. */
export function entryFlag<T>(placeholder: string, help: string, parse: (text: string) => T): Flag<T> {
  return { help, placeholder, parse: (texts) => parse(lastOf(texts)) };
}

/** A list: repeated, with commas, or as a JSON array. `placeholder` names one entry; help adds `,...`. */
export function listFlag<T>(
  schema: Schema<readonly T[]>,
  placeholder: string,
  help: string,
): Flag<readonly T[]> {
  return {
    help,
    placeholder: `${placeholder},...`,
    repeats: true,
    ...omitUndefined({ type: schema.item?.type, choices: schema.item?.choices }),
    parse: (texts) => caseInsensitive(schema).validate(parseEntries(texts, schema.type)),
  };
}

/** A list with its own kind of entries. `parseEntry` throws a {@link ValidationError}. */
export function entriesFlag<T>(
  parseEntry: (entry: unknown) => T,
  placeholder: string,
  help: string,
): Flag<readonly T[]> {
  return {
    help,
    placeholder: `${placeholder},...`,
    repeats: true,
    parse: (texts) => parseEntries(texts, `${placeholder}[]`).map(parseEntry),
  };
}

function parseEntries(texts: FlagTexts, type: string): readonly unknown[] {
  return texts.flatMap((text): unknown => {
    const trimmed = text.trim();
    if (trimmed.startsWith('[')) return parseJsonList(trimmed, type);
    if (trimmed === '')
      throw new ValidationError('""', 'is an empty list; omit the flag, or give at least one value');
    return trimmed.split(',').map((entry) => entry.trim());
  });
}

/** Parses text that begins with a square bracket: a JSON list, or one whose quotes a shell has removed. */
function parseJsonList(text: string, type: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const [, entries] = /^\[([^[\]{}"]*\S[^[\]{}"]*)\]$/.exec(text) ?? [];
    if (entries !== undefined) return entries.split(',').map((entry) => entry.trim());
    throw invalidValue(text, `${describeJsonError(error)} (${type} expected)`);
  }
}

/** `addParents` as typed: `add-parents`. */
export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, '-$&').toLowerCase();
}

/** `addParents` for a sentence: `add parents`. */
export function toWords(name: string): string {
  return toKebabCase(name).replaceAll('-', ' ');
}

/** Makes the closed lists of a schema, also inside lists and JSON, accept any case: the service accepts only one. */
export function caseInsensitive<T>(schema: Schema<T>): Schema<T> {
  if (!hasChoices(schema)) return schema;
  const validate = (input: unknown): T => schema.validate(toCanonicalCase(schema, input));
  const fromWire = (text: string): T => {
    if (schema.choices) return schema.fromWire(matchChoices(schema.choices, text));
    const decoded = parseJsonIfValid(text);
    return decoded === undefined ? schema.fromWire(text) : validate(decoded);
  };
  return { ...schema, validate, fromWire };
}

function hasChoices({ choices, item, shape = {} }: Schema<unknown>): boolean {
  return choices !== undefined || (item && hasChoices(item)) || Object.values(shape).some(hasChoices);
}

/** Returns the input itself if nothing changes. */
function toCanonicalCase(schema: Schema<unknown>, input: unknown): unknown {
  const { choices, item, shape } = schema;
  if (typeof input === 'string') return choices ? matchChoices(choices, input) : input;
  if (Array.isArray(input)) return item ? input.map((entry: unknown) => toCanonicalCase(item, entry)) : input;
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

/** `text`: one choice, or several with commas. */
function matchChoices(choices: readonly string[], text: string): string {
  if (choices.includes(text)) return text;
  return text
    .split(',')
    .map((word) => choices.find((choice) => choice.toLowerCase() === word.trim().toLowerCase()) ?? word)
    .join(',');
}
