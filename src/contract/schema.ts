// Schemas: which values a parameter or a record's field may have, how they are validated, and how they are written on the
// wire. The command line, the request builder, the emulator and help all read the same schema.

import type { AssumptionId } from './assumption.ts';
import { nearestWords } from './did-you-mean.ts';
import { joinWithOr } from './format-list.ts';
import { describeJsonError, ExactNumber, isJsonObject, type JsonObject, parseJson } from './json.ts';

/** A value that the contract does not allow. The message names the value and the problem; the caller says where it is. */
export class ValidationError extends Error {
  readonly value: string;
  readonly problem: string;
  /** The assumption behind the rule, if the contract does not state it. */
  readonly assumption: AssumptionId | undefined;

  constructor(value: string, problem: string, assumption?: AssumptionId) {
    super(`${value} ${problem}`);
    this.name = 'ValidationError';
    this.value = value;
    this.problem = problem;
    this.assumption = assumption;
  }
}

/** Formats a value for an error: as JSON, quoted and escaped, cut to about 70 characters. */
export function formatValue(value: unknown): string {
  // Only the start of a long text is shown.
  const text = toText(typeof value === 'string' ? value.slice(0, 200) : value);
  const length = countCharacters(text);
  if (length <= 80) return text;
  // The characters that a limit counts: without quotes and escapes.
  const count = typeof value === 'string' ? countCharacters(value) : length;
  // 140 code units hold 70 characters at least. Spreading a long text would take fifty times its memory.
  const start = [...text.slice(0, 140)].slice(0, 70).join('');
  return `${start.replace(longPart, '$1')}... (${count} characters)`;
}

/** The last word is cut to seven characters: more could be most of a secret, which redaction does not find if it is cut. */
const longPart = /([^\s"'/?&=:,;<>]{7})[^\s"'/?&=:,;<>]+$/;

/** A program may pass what JSON cannot express: a bigint, or an object that contains itself. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

export const invalidValue = (value: unknown, problem: string, assumption?: AssumptionId): ValidationError =>
  new ValidationError(formatValue(value), problem, assumption);

/** `validate` takes a value from JSON or a program; `fromWire` text from a query, form or command line. `toWire`: not URI-encoded yet. */
export interface Schema<T> {
  /** The contract's name for it, as help shows it. */
  readonly type: string;
  /** `json`: the text on the wire is JSON. */
  readonly wireFormat: 'text' | 'json';
  /** The contract shows its text as a list in square brackets, not as JSON. */
  readonly bracketed?: true;
  readonly choices?: readonly string[];
  readonly item?: Schema<unknown>;
  readonly shape?: Readonly<Record<string, Schema<unknown>>>;
  readonly optional?: true;
  /** The assumption behind a member that the contract does not show. */
  readonly assumed?: AssumptionId;
  /** Its kind and its rules as data, for JSON Schema. Every schema of the contract has a form. */
  readonly form?: SchemaForm;
  validate(input: unknown): T;
  fromWire(text: string): T;
  toWire(value: T): string;
  /**
   * Accepts values from a newer service: omits unknown members, and optional members that are invalid. Throws
   * {@link ValidationError} if a required member is missing or invalid. If absent, `validate` is used.
   */
  readLeniently?(input: unknown): T;
}

export type SchemaForm =
  | { readonly kind: 'text'; readonly rules: TextRules }
  | { readonly kind: 'date'; readonly rules: DateRules }
  | { readonly kind: 'number'; readonly rules: NumberRules }
  | { readonly kind: 'list'; readonly item: Schema<unknown>; readonly rules: ListRules }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'nullable'; readonly schema: Schema<unknown>; readonly assumption?: AssumptionId }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Some of the choices, separated by commas. */
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'any' }
  | { readonly kind: 'file' };

export interface DateRules {
  /** Whether a time of day may follow the day. */
  readonly time: 'optional' | 'none';
  readonly range?: { readonly from: string; readonly below: string };
}

/** {@link Schema.readLeniently}, or `validate` if the schema does not have it. */
export function readLeniently<T>(schema: Schema<T>, input: unknown): T {
  return schema.readLeniently ? schema.readLeniently(input) : schema.validate(input);
}

export type TypeOf<V> = V extends Schema<infer T> ? T : never;

/** The number of code points: the characters of JSON (RFC 8259), and so of the service's description. */
function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) pairs++;
  }
  return text.length - pairs;
}

export interface TextRules {
  readonly max?: number;
  readonly notEmpty?: boolean;
  /** `assumption`: the row behind it, if the contract does not state it. */
  readonly pattern?: {
    readonly regex: RegExp;
    readonly description: string;
    readonly assumption?: AssumptionId;
  };
  /** Characters that are not allowed anywhere, or not at the start. */
  readonly forbiddenCharacters?: readonly {
    /** A single UTF-16 code unit. */
    readonly character: string;
    readonly position?: 'at the start';
  }[];
}

/** A string. Lengths count code points, as JSON Schema does. */
export function text(type: string, rules: TextRules = {}): Schema<string> {
  const validate = (input: unknown): string => {
    if (typeof input !== 'string') throw invalidValue(input, `is not text (${type})`);
    if (rules.notEmpty && input === '') throw new ValidationError('""', 'must not be empty');
    if (!input.isWellFormed())
      throw invalidValue(
        input,
        'contains half of a surrogate pair, which UTF-8 cannot encode',
        'surrogate-halves',
      );
    const { max } = rules;
    if (max !== undefined && input.length > max && countCharacters(input) > max)
      throw invalidValue(input, `has ${countCharacters(input)} characters; the limit is ${max}`);
    for (const { character, position } of rules.forbiddenCharacters ?? [])
      if (position ? input.startsWith(character) : input.includes(character))
        throw invalidValue(
          input,
          `holds ${formatCodePoint(character)}, which is not allowed ${position ?? 'anywhere'}`,
        );
    if (rules.pattern && !rules.pattern.regex.test(input))
      throw invalidValue(
        input,
        `is not ${/^(?!User)[AEIOU]/.test(type) ? 'an' : 'a'} ${type}: ${rules.pattern.description}`,
        rules.pattern.assumption,
      );
    return input;
  };
  return {
    type,
    wireFormat: 'text',
    form: { kind: 'text', rules },
    validate,
    // Half of a surrogate pair is shown as U+FFFD, as every encoder of UTF-8 writes it; the raw record keeps it.
    readLeniently: (input) => validate(typeof input === 'string' ? input.toWellFormed() : input),
    fromWire: validate,
    toWire: (value) => value,
  };
}

export function formatCodePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The error for a value that is not among `choices`: lists them all, and suggests the closest. */
export function invalidChoice(input: unknown, choices: readonly string[]): ValidationError {
  const near = typeof input === 'string' ? nearestWords(input, choices) : [];
  const suggestion = near.length === 0 ? '' : `; did you mean ${joinWithOr(near)}?`;
  return invalidValue(input, `is not one of ${choices.join(', ')}${suggestion}`);
}

export const anyText = text('text');

/** One of a closed list of strings, case-sensitive. */
export function choice<const C extends string>(
  type: string,
  choices: readonly C[],
): Schema<C> & { readonly choices: readonly C[] } {
  const validate = (input: unknown): C => {
    const match = choices.find((text) => text === input);
    if (match !== undefined) return match;
    throw invalidChoice(input, choices);
  };
  const form = { kind: 'choice', choices } as const;
  return { type, wireFormat: 'text', choices, form, validate, fromWire: validate, toWire: (value) => value };
}

/** A text to which a newer service may add values: {@link readLeniently} accepts any text. */
export function openText<T extends string>(closed: Schema<T>): Schema<T | OtherText> {
  return {
    ...closed,
    readLeniently: (input) => (typeof input === 'string' ? input : closed.validate(input)),
  };
}

/** Any text. Editors still suggest the known values. */
type OtherText = string & Record<never, never>;

export const boolean: Schema<boolean> = {
  type: 'boolean',
  wireFormat: 'text',
  choices: ['true', 'false'],
  form: { kind: 'boolean' },
  validate(input) {
    if (typeof input !== 'boolean') throw invalidValue(input, 'is not one of true, false');
    return input;
  },
  fromWire(wire) {
    if (wire !== 'true' && wire !== 'false') throw invalidValue(wire, 'is not one of true, false');
    return wire === 'true';
  },
  toWire: String,
};

/** Accepts any value: the contract does not show its shape. */
export const anyJson: Schema<unknown> = {
  type: 'any',
  wireFormat: 'json',
  form: { kind: 'any' },
  validate: (input) => input,
  fromWire: parseJson,
  toWire: (value) => JSON.stringify(value),
};

/** `integer`: for documents only. `assumption`: the row behind the range, if the contract does not state it. */
export type NumberRules = {
  readonly unit?: string;
  readonly integer?: true;
  readonly assumption?: AssumptionId;
} & (
  | { readonly from?: never; readonly below?: never; readonly to?: never }
  /** `below`: the first number that is too large; `to`: the last that is not. */
  | { readonly from: number; readonly below?: number; readonly to?: number }
);

/** A finite number; on the wire in decimal notation without an exponent. */
export function number(type: string, rules: NumberRules = {}): Schema<number> {
  const { from, below = Number.POSITIVE_INFINITY, to = Number.POSITIVE_INFINITY } = rules;
  const validate = (input: unknown): number => {
    const value = input instanceof ExactNumber ? input.toJSON() : input;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidValue(value, 'is not a number');
    if ((from !== undefined && value < from) || value >= below || value > to)
      throw invalidValue(value, `is not ${formatRange(rules)}`, rules.assumption);
    return value;
  };
  const fromWire = (wire: string): number => {
    if (!/^-?\d+(\.\d+)?$/.test(wire)) throw invalidValue(wire, 'is not a number');
    return validate(Number(wire));
  };
  return { type, wireFormat: 'text', form: { kind: 'number', rules }, validate, fromWire, toWire: String };
}

export function formatRange({ from, below, to, unit }: NumberRules): string {
  const end = below === undefined ? to && `${to}]` : `${below})`;
  const range = end === undefined ? `${from} or more` : `in the range [${from}, ${end}`;
  return unit ? `${range} ${unit}` : range;
}

function jsonSchema<T>(
  type: string,
  form: SchemaForm,
  validate: (input: unknown) => T,
  overrides: Partial<Schema<T>> = {},
): Schema<T> {
  const fromWire = (wire: string): T => {
    let decoded: unknown;
    try {
      decoded = parseJson(wire);
    } catch (error) {
      throw invalidValue(wire, `${describeJsonError(error)} (${type} expected)`);
    }
    return validate(decoded);
  };
  const toWire = (value: T) => JSON.stringify(value);
  return { type, wireFormat: 'json', form, validate, fromWire, toWire, ...overrides };
}

/** Returns what `run` returns. Replaces an error of one type; any other error is a bug and stays as it is. */
export function replaceError<T, E extends Error>(
  errorType: abstract new (...args: never[]) => E,
  run: () => T,
  replace: (error: E) => Error,
): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof errorType ? replace(error) : error;
  }
}

/** Returns what `run` returns, or `undefined` if it throws a {@link ValidationError}. */
export function unlessInvalid<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** Returns what `run` returns. Adds the path of the value to a {@link ValidationError}: the member, the entry, the column. */
export function withPath<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw atPath(path, error);
  }
}

/** The error that {@link withPath} throws, for loops over a million values: a closure for each would be slow. */
export function atPath(path: string, error: unknown): unknown {
  if (!(error instanceof ValidationError)) return error;
  return new ValidationError(`${path}: ${error.value}`, error.problem, error.assumption);
}

/** `notEmpty`: an empty list is not allowed, and the error says this instead. */
type ListRules = { readonly notEmpty?: string } & (
  | { readonly max?: never; readonly entryName?: never }
  /** `entryName`: the plural for a message about their number. */
  | { readonly max: number; readonly entryName: string }
);

/** A list; on the wire a JSON array. Throws for the first invalid entry, with its number from 1. */
export function list<T>(item: Schema<T>, rules: ListRules = {}): Schema<readonly T[]> {
  const type = `${item.type}[]`;
  const validate = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw invalidValue(input, `is not a list (${type})`);
    if (rules.notEmpty !== undefined && input.length === 0)
      throw new ValidationError('[]', `is an empty list; ${rules.notEmpty}`, 'empty-list');
    if (rules.max !== undefined && input.length > rules.max)
      throw new ValidationError(`${input.length} ${rules.entryName}`, `exceed the limit of ${rules.max}`);
    return input.map((entry: unknown, index) => withPath(`entry ${index + 1}`, () => item.validate(entry)));
  };
  const readList = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw invalidValue(input, `is not a list (${type})`);
    return input.map((entry: unknown) => readLeniently(item, entry));
  };
  return jsonSchema(type, { kind: 'list', item, rules }, validate, { item, readLeniently: readList });
}

/** More than any list of ids has. Splitting millions would take seconds. */
const maxBracketedItems = 100_000;

/** The texts of a list in square brackets, each quoted or not; undefined for text without the brackets. */
export function parseBracketedList(wire: string): readonly string[] | undefined {
  const inside = /^\s*\[([\s\S]*)\]\s*$/.exec(wire)?.[1];
  if (inside === undefined) return undefined;
  if (inside.split(',', maxBracketedItems + 1).length > maxBracketedItems)
    throw invalidValue(wire, `has more than ${maxBracketedItems} entries`, 'query-length');
  const texts = inside.split(',').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
  return texts.length === 1 && texts[0] === '' ? [] : texts;
}

export function nullable<T>(schema: Schema<T>, assumption?: AssumptionId): Schema<T | null> {
  return {
    type: `${schema.type} or null`,
    wireFormat: schema.wireFormat,
    form: { kind: 'nullable', schema, ...(assumption === undefined ? {} : { assumption }) },
    validate: (input) => (input === null ? null : schema.validate(input)),
    // A text `null` is not JSON.
    fromWire: (wire) => (wire === 'null' && schema.wireFormat === 'json' ? null : schema.fromWire(wire)),
    toWire: (value) => (value === null ? 'null' : schema.toWire(value)),
    readLeniently: (input) => (input === null ? null : readLeniently(schema, input)),
  };
}

type Optional<T> = Schema<T> & { readonly optional: true };

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...schema, optional: true };
}

/** Marks a member of a record that the contract does not show. An object may omit it. */
export function assumed<T>(schema: Schema<T>, assumption: AssumptionId): Optional<T> {
  return { ...optional(schema), assumed: assumption };
}

export function assumedMembers<S extends Shape>(assumption: AssumptionId, shape: S) {
  const members: Record<string, Optional<unknown>> = {};
  for (const [name, schema] of Object.entries(shape)) members[name] = assumed(schema, assumption);
  // The names are those of the shape, which the compiler cannot follow.
  return members as { readonly [K in keyof S]: Optional<TypeOf<S[K]>> };
}

type Shape = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends { optional: true } ? K : never }[keyof S];
type ObjectOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: TypeOf<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: TypeOf<S[K]> };

/** A JSON object with exactly these members: an unknown member is an error, so that a misspelt name is not ignored. */
export function object<S extends Shape>(type: string, shape: S): Schema<ObjectOf<S>> & { readonly shape: S } {
  const rows = Object.entries(shape);
  const read = (input: unknown, { isLenient = false } = {}): ObjectOf<S> => {
    if (!isJsonObject(input)) throw invalidValue(input, `is not an object (${type})`);
    if (!isLenient) assertKnownMembers(input);
    const result: Record<string, unknown> = {};
    for (const [name, schema] of rows) {
      const member = input[name];
      let value: unknown;
      if (member !== undefined && Object.hasOwn(input, name))
        try {
          value = isLenient ? readLeniently(schema, member) : schema.validate(member);
        } catch (error) {
          if (!isLenient || !schema.optional || !(error instanceof ValidationError))
            throw atPath(name, error);
        }
      if (value !== undefined) result[name] = value;
      else if (!schema.optional) throw invalidValue(input, `has no ${name}, which ${type} requires`);
    }
    // The loop above has given every required member its checked type, which the compiler cannot follow.
    return result as ObjectOf<S>;
  };
  const assertKnownMembers = (members: JsonObject): void => {
    for (const name in members)
      if (!Object.hasOwn(shape, name) && Object.hasOwn(members, name))
        throw invalidValue(name, `is not a member of ${type}: ${Object.keys(shape).join(', ')}`);
  };
  const validate = (input: unknown) => read(input);
  const readLenient = (input: unknown) => read(input, { isLenient: true });
  return { ...jsonSchema(type, { kind: 'object', shape }, validate, { readLeniently: readLenient }), shape };
}

/** Whether the input has all members of the schema, with valid values. It may have others, which stay. */
export function hasMembers<S extends Shape>(
  schema: Schema<ObjectOf<S>> & { readonly shape: S },
  input: unknown,
): input is ObjectOf<S> {
  if (!isJsonObject(input)) return false;
  const members = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, input[name]]));
  return unlessInvalid(() => schema.validate(members)) !== undefined;
}
