// Schemas: which values a parameter or a record's field may have, how they are validated, and how they are written on the
// wire. The command line, the request builder, the emulator and help all read the same schema.

import { omitUndefined } from '#omit-undefined.ts';
import type { AssumptionId } from './assumption.ts';
import { nearestWords } from './did-you-mean.ts';
import { joinWithOr } from './format-list.ts';
import { describeJsonError, ExactNumber, isJsonObject, parseJson } from './json.ts';

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

/** Formats a value for an error: as JSON, so quoted and with escapes, and cut to some 70 characters. */
export function formatValue(value: unknown): string {
  // Only the start of a long text is shown.
  const text = toText(typeof value === 'string' ? value.slice(0, 200) : value);
  const length = countCharacters(text);
  if (length <= 80) return text;
  // As a limit counts them: the quotes and the escapes are not the value's own.
  const count = typeof value === 'string' ? countCharacters(value) : length;
  // A character has two code units at most; to take a long text apart would take some fifty times its size.
  const start = [...text.slice(0, 140)].slice(0, 70).join('');
  return `${withoutLongPart(start)}... (${count} characters)`;
}

/** A word that is cut keeps seven characters: a longer part may be most of a secret, and is not found where secrets are redacted. */
const longPart = /([^\s"'/?&=:,;<>]{7})[^\s"'/?&=:,;<>]+$/;

function withoutLongPart(text: string): string {
  return text.replace(longPart, '$1');
}

/** A program may pass a value that JSON cannot express: a bigint, or an object that contains itself. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/**
 * A typed description of values. `validate` takes what JSON or a program holds and returns it typed; `fromWire` takes the text of a
 * query, form or command line. Both throw {@link ValidationError}. `toWire` gives the text before its URI-encoding.
 */
export interface Schema<T> {
  /** The contract's name for it, as help shows it. */
  readonly type: string;
  /** `json`: the text on the wire is JSON. */
  readonly wireFormat: 'text' | 'json';
  /** The contract shows its text as a list in square brackets, not as JSON. */
  readonly bracketed?: true;
  /** The closed list of allowed texts, if there is one. */
  readonly choices?: readonly string[];
  /** The schema of an element, for a list. */
  readonly item?: Schema<unknown>;
  /** The schemas of the members, for a record. */
  readonly shape?: Readonly<Record<string, Schema<unknown>>>;
  /** True if an object may omit it. */
  readonly optional?: true;
  /** The row of a member that the contract does not show in objects. */
  readonly assumed?: AssumptionId;
  /** What else it must fulfil, as help prints it: `at most 1000 characters`. */
  readonly rule?: string;
  /** Which kind of schema it is, and its rules as data, for JSON Schema. Every schema of the contract has one. */
  readonly form?: SchemaForm;
  validate(input: unknown): T;
  fromWire(text: string): T;
  toWire(value: T): string;
  /**
   * Reads what a newer service may have added to: members that are not known, or hold what is not known, are left out.
   * `validate` where it is absent. Throws {@link ValidationError} only where what is required is not there.
   */
  readLeniently?(input: unknown): T;
}

/** What a schema allows, as data. What a list or an object is made of stands in `item` and `shape`. */
export type SchemaForm =
  | { readonly kind: 'text'; readonly rules: TextRules }
  | { readonly kind: 'date'; readonly rules: DateRules }
  | { readonly kind: 'number'; readonly rules: NumberRules }
  | { readonly kind: 'list'; readonly item: Schema<unknown>; readonly rules: ListRules }
  | { readonly kind: 'object'; readonly shape: Shape }
  | { readonly kind: 'nullable'; readonly value: Schema<unknown>; readonly assumption?: AssumptionId }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Several of the choices, with commas between them. */
  | { readonly kind: 'choices'; readonly choices: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'any' }
  | { readonly kind: 'file' };

export interface DateRules {
  /** Whether a time of day may follow the day. */
  readonly time: 'optional' | 'none';
  readonly range?: { readonly from: string; readonly below: string };
}

/** {@link Schema.readLeniently}, or `validate` for a value that has no parts. */
export function readLeniently<T>(value: Schema<T>, input: unknown): T {
  return value.readLeniently ? value.readLeniently(input) : value.validate(input);
}

export type TypeOf<V> = V extends Schema<infer T> ? T : never;

/** The number of characters as JSON (RFC 8259) and so the service's description counts them: code points. */
export function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let pairs = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length) pairs++;
  }
  return text.length - pairs;
}

export interface TextRules {
  /** Most characters allowed. */
  readonly max?: number;
  readonly notEmpty?: boolean;
  /** `assumption`: the row that states it, where the contract does not. */
  readonly pattern?: { readonly test: RegExp; readonly says: string; readonly assumption?: AssumptionId };
  /** A character that may stand nowhere, or not at the start. */
  readonly forbiddenCharacters?: readonly {
    /** One of the Basic Multilingual Plane. */
    readonly character: string;
    readonly position?: 'at the start';
  }[];
}

/** A string. Lengths count code points, as JSON Schema does. */
export function text(type: string, rules: TextRules = {}): Schema<string> {
  const validate = (input: unknown): string => {
    if (typeof input !== 'string') throw new ValidationError(formatValue(input), `is not text (${type})`);
    if (rules.notEmpty && input === '') throw new ValidationError('""', 'must not be empty');
    if (!input.isWellFormed())
      throw new ValidationError(
        formatValue(input),
        'contains half of a surrogate pair, which UTF-8 cannot encode',
        'surrogate-halves',
      );
    const { max } = rules;
    if (max !== undefined && input.length > max && countCharacters(input) > max) {
      throw new ValidationError(
        formatValue(input),
        `has ${countCharacters(input)} characters; the limit is ${max}`,
      );
    }
    for (const { character, position: only } of rules.forbiddenCharacters ?? []) {
      if (only ? input.startsWith(character) : input.includes(character)) {
        throw new ValidationError(
          formatValue(input),
          `holds ${formatCodePoint(character)}, which is not allowed ${only ?? 'anywhere'}`,
        );
      }
    }
    if (rules.pattern && !rules.pattern.test.test(input)) {
      throw new ValidationError(
        formatValue(input),
        `is not ${/^(?!User)[AEIOU]/.test(type) ? 'an' : 'a'} ${type}: ${rules.pattern.says}`,
        rules.pattern.assumption,
      );
    }
    return input;
  };
  const value: Schema<string> = {
    type,
    wireFormat: 'text',
    form: { kind: 'text', rules },
    validate,
    // Half of a surrogate pair is shown as U+FFFD, as every encoder of UTF-8 writes it; the raw record keeps it.
    readLeniently: (input) => validate(typeof input === 'string' ? input.toWellFormed() : input),
    fromWire: validate,
    toWire: (one) => one,
  };
  const rule = describeTextRules(rules);
  return rule === '' ? value : { ...value, rule };
}

function describeTextRules({
  max,
  notEmpty,
  pattern,
  forbiddenCharacters: forbidden = [],
}: TextRules): string {
  return [
    ...(notEmpty ? ['not empty'] : []),
    ...(max === undefined ? [] : [`at most ${max} characters`]),
    ...(pattern === undefined ? [] : [pattern.says]),
    ...forbidden.map(
      ({ character, position: only }) => `no ${formatCodePoint(character)}${only ? ` ${only}` : ''}`,
    ),
  ].join(', ');
}

function formatCodePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The error for a value that is none of `choices`: names them all, and suggests the closest. */
export function invalidChoice(input: unknown, choices: readonly string[]): ValidationError {
  const near = typeof input === 'string' ? nearestWords(input, choices) : [];
  const suggestion = near.length === 0 ? '' : `; did you mean ${joinWithOr(near)}?`;
  return new ValidationError(formatValue(input), `is not one of ${choices.join(', ')}${suggestion}`);
}

/** One of a closed list of strings, case-sensitive. */
export function choice<const C extends string>(
  type: string,
  choices: readonly C[],
): Schema<C> & { readonly choices: readonly C[] } {
  const validate = (input: unknown): C => {
    const found = choices.find((one) => one === input);
    if (found !== undefined) return found;
    throw invalidChoice(input, choices);
  };
  const form = { kind: 'choice', choices } as const;
  return { type, wireFormat: 'text', choices, form, validate, fromWire: validate, toWire: (value) => value };
}

/** A text in which a newer service may have what this version does not know: {@link readLeniently} then gives that text. */
export function openText<T extends string>(closed: Schema<T>): Schema<T | OtherText> {
  return {
    ...closed,
    readLeniently: (input) => (typeof input === 'string' ? input : closed.validate(input)),
  };
}

/** Any text; an editor still suggests the known ones. */
type OtherText = string & Record<never, never>;

export const boolean: Schema<boolean> = {
  type: 'boolean',
  wireFormat: 'text',
  choices: ['true', 'false'],
  form: { kind: 'boolean' },
  validate(input) {
    if (typeof input !== 'boolean')
      throw new ValidationError(formatValue(input), 'is not one of true, false');
    return input;
  },
  fromWire(wire) {
    if (wire !== 'true' && wire !== 'false')
      throw new ValidationError(formatValue(wire), 'is not one of true, false');
    return wire === 'true';
  },
  toWire: String,
};

/** Takes what comes: the contract does not show its shape. */
export const anyJson: Schema<unknown> = {
  type: 'any',
  wireFormat: 'json',
  form: { kind: 'any' },
  validate: (input) => input,
  fromWire: parseJson,
  toWire: (value) => JSON.stringify(value),
};

/** `whole`: as documents show it. */
export type NumberRules = { readonly unit?: string; readonly whole?: true } & (
  | { readonly from?: never; readonly below?: never }
  /** `below`: the first number that is too large. */
  | { readonly from: number; readonly below?: number }
);

/** A finite number; on the wire in decimal notation without an exponent. */
export function number(type: string, rules: NumberRules = {}): Schema<number> {
  const { from, below } = rules;
  const validate = (given: unknown): number => {
    const input = given instanceof ExactNumber ? given.toJSON() : given;
    if (typeof input !== 'number' || !Number.isFinite(input))
      throw new ValidationError(formatValue(input), 'is not a number');
    if ((from !== undefined && input < from) || (below !== undefined && input >= below)) {
      throw new ValidationError(formatValue(input), `is not ${formatRange(rules)}`);
    }
    return input;
  };
  const fromWire = (wire: string): number => {
    if (!/^-?\d+(\.\d+)?$/.test(wire)) throw new ValidationError(formatValue(wire), 'is not a number');
    return validate(Number(wire));
  };
  return {
    type,
    wireFormat: 'text',
    form: { kind: 'number', rules },
    validate,
    fromWire,
    toWire: String,
    ...(from === undefined ? {} : { rule: formatRange(rules) }),
  };
}

function formatRange({ from, below, unit }: NumberRules): string {
  const range = below === undefined ? `${from} or more` : `in the range [${from}, ${below})`;
  return unit ? `${range} ${unit}` : range;
}

function jsonSchema<T>(
  type: string,
  form: SchemaForm,
  validate: (input: unknown) => T,
  more: Partial<Schema<T>> = {},
): Schema<T> {
  const fromWire = (wire: string): T => {
    let decoded: unknown;
    try {
      decoded = parseJson(wire);
    } catch (error) {
      throw new ValidationError(formatValue(wire), `${describeJsonError(error)} (${type} expected)`);
    }
    return validate(decoded);
  };
  return {
    type,
    wireFormat: 'json',
    form,
    validate,
    fromWire,
    toWire: (value) => JSON.stringify(value),
    ...more,
  };
}

/** What `check` returns. If it throws a `kind`, throws what `replace` returns; any other error is a bug and stays as it is. */
export function replaceError<T, E extends Error>(
  kind: abstract new (...given: never[]) => E,
  check: () => T,
  replace: (error: E) => Error,
): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof kind ? replace(error) : error;
  }
}

/** What `check` returns, or `undefined` if it throws a {@link ValidationError}. Throws every other error. */
export function unlessInvalid<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}

/** A {@link ValidationError} of `check` names where the value is: the member, the entry, the column. */
export function withPath<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw atPath(place, error);
  }
}

/** The error of {@link withPath}, for a loop that a million values pass, which cannot afford a function for each. */
export function atPath(place: string, error: unknown): unknown {
  if (!(error instanceof ValidationError)) return error;
  return new ValidationError(`${place}: ${error.value}`, error.problem, error.assumption);
}

/** `notEmpty`: set where an empty list is not allowed: what to do instead. */
export type ListRules = { readonly notEmpty?: string } & (
  | { readonly max?: never; readonly entryName?: never }
  /** `entryName`: what the entries are, for a message about their number. */
  | { readonly max: number; readonly entryName: string }
);

/** A list; on the wire a JSON array. Throws for the first invalid entry, with its number from 1. */
export function list<T>(item: Schema<T>, rules: ListRules = {}): Schema<readonly T[]> {
  const type = `${item.type}[]`;
  const validate = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw new ValidationError(formatValue(input), `is not a list (${type})`);
    if (rules.notEmpty !== undefined && input.length === 0) {
      throw new ValidationError('[]', `is an empty list; ${rules.notEmpty}`, 'empty-list');
    }
    if (rules.max !== undefined && input.length > rules.max) {
      throw new ValidationError(`${input.length} ${rules.entryName}`, `exceed the limit of ${rules.max}`);
    }
    return input.map((one: unknown, index) => withPath(`entry ${index + 1}`, () => item.validate(one)));
  };
  const readList = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw new ValidationError(formatValue(input), `is not a list (${type})`);
    return input.map((one: unknown) => readLeniently(item, one));
  };
  const rule = rules.max === undefined ? {} : { rule: `at most ${rules.max} ${rules.entryName}` };
  return jsonSchema(type, { kind: 'list', item, rules }, validate, {
    item,
    readLeniently: readList,
    ...rule,
  });
}

/** More than any list of ids: to take millions apart would take seconds. */
const maxBracketedItems = 100_000;

/** The texts of a list in square brackets, each quoted or not. Nothing where these are no square brackets. */
export function parseBracketedList(wire: string): readonly string[] | undefined {
  const inside = /^\s*\[([\s\S]*)\]\s*$/.exec(wire)?.[1];
  if (inside === undefined) return undefined;
  if (inside.split(',', maxBracketedItems + 1).length > maxBracketedItems)
    throw new ValidationError(
      formatValue(wire),
      `has more than ${maxBracketedItems} entries`,
      'query-length',
    );
  const texts = inside.split(',').map((one) => one.trim().replace(/^(["'])(.*)\1$/, '$2'));
  return texts.length === 1 && texts[0] === '' ? [] : texts;
}

/** A schema that also allows null. */
export function nullable<T>(value: Schema<T>, assumption?: AssumptionId): Schema<T | null> {
  return {
    type: `${value.type} or null`,
    wireFormat: value.wireFormat,
    form: { kind: 'nullable', value, ...omitUndefined({ assumption }) },
    ...omitUndefined({ rule: value.rule }),
    validate: (input) => (input === null ? null : value.validate(input)),
    fromWire: (wire) => value.fromWire(wire),
    toWire: (one) => (one === null ? 'null' : value.toWire(one)),
    readLeniently: (input) => (input === null ? null : readLeniently(value, input)),
  };
}

export type Optional<T> = Schema<T> & { readonly optional: true };

/** Marks a member that an object may omit. */
export function optional<T>(value: Schema<T>): Optional<T> {
  return { ...value, optional: true };
}

/** Marks a member of a record that the contract does not show. An object may omit it. */
export function assumed<T>(value: Schema<T>, row: AssumptionId): Optional<T> {
  return { ...optional(value), assumed: row };
}

/** Marks all members. */
export function assumedMembers<S extends Shape>(
  row: AssumptionId,
  shape: S,
): { readonly [K in keyof S]: Optional<TypeOf<S[K]>> } {
  const members = Object.entries(shape).map(([name, value]) => [name, assumed(value, row)] as const);
  // The names are those of the shape, which the compiler cannot follow.
  return Object.fromEntries(members) as { readonly [K in keyof S]: Optional<TypeOf<S[K]>> };
}

type Shape = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends { optional: true } ? K : never }[keyof S];
export type ObjectOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: TypeOf<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: TypeOf<S[K]> };

/** A JSON object with exactly these members; an unknown member is an error, so that no typing error is ignored. */
export function object<S extends Shape>(type: string, shape: S): Schema<ObjectOf<S>> & { readonly shape: S } {
  const rows = Object.entries(shape);
  const membersOf = (input: unknown): Readonly<Record<string, unknown>> => {
    if (!isJsonObject(input)) throw new ValidationError(formatValue(input), `is not an object (${type})`);
    return input;
  };
  const build = (
    input: unknown,
    members: Readonly<Record<string, unknown>>,
    readMember: (value: Schema<unknown>, member: unknown) => unknown,
  ): ObjectOf<S> => {
    const built: Record<string, unknown> = {};
    for (const [name, value] of rows) {
      const member = members[name];
      let kept: unknown;
      if (member !== undefined && Object.hasOwn(members, name)) {
        try {
          kept = readMember(value, member);
        } catch (error) {
          throw atPath(name, error);
        }
      }
      if (kept !== undefined) built[name] = kept;
      else if (!value.optional)
        throw new ValidationError(formatValue(input), `has no ${name}, which ${type} requires`);
    }
    // The loop above has given every required member its checked type, which the compiler cannot follow.
    return built as ObjectOf<S>;
  };
  const validate = (input: unknown): ObjectOf<S> => {
    const members = membersOf(input);
    for (const name in members) {
      if (!Object.hasOwn(shape, name) && Object.hasOwn(members, name)) {
        throw new ValidationError(
          formatValue(name),
          `is not a member of ${type}: ${Object.keys(shape).join(', ')}`,
        );
      }
    }
    return build(input, members, (value, member) => value.validate(member));
  };
  const readObject = (input: unknown): ObjectOf<S> =>
    build(input, membersOf(input), (value, member) => {
      try {
        return readLeniently(value, member);
      } catch (error) {
        if (error instanceof ValidationError && value.optional) return undefined;
        throw error;
      }
    });
  return { ...jsonSchema(type, { kind: 'object', shape }, validate, { readLeniently: readObject }), shape };
}
