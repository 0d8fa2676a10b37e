// Kinds of value: what a parameter or a record's field may hold, how it is checked, and how it is written on the wire.
// Everything that reads or writes one (the command line, the request builder, the emulator, help) uses the same row.

import { parseJson, whyInvalidJson } from './json.ts';
import { nearest } from './near.ts';

/** A value that the contract does not allow. The message names the value and the rule; the caller says where it stood. */
export class Refused extends Error {
  readonly value: string;
  readonly rule: string;

  constructor(value: string, rule: string) {
    super(`${value} ${rule}`);
    this.name = 'Refused';
    this.value = value;
    this.rule = rule;
  }
}

/** How a value is shown in a refusal: short, quoted, and with its control characters escaped. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const length = characterCount(text);
  if (length <= 80) return text;
  // As a limit counts them: the quotes and the escapes are not the value's own.
  const count = typeof value === 'string' ? characterCount(value) : length;
  // A character has two code units at most; to take a long text apart would take some fifty times its size.
  const start = [...text.slice(0, 140)].slice(0, 70).join('');
  return `${start}... (${count} characters)`;
}

/**
 * One kind of value. `check` takes what JSON or a program holds and returns it typed; `fromWire` takes the text of a
 * query, form or command line. Both throw {@link Refused}. `toWire` gives the text before its URI-encoding.
 */
export interface Value<T> {
  /** The contract's name for it, as help shows it. */
  readonly type: string;
  /** `json`: the text on the wire is JSON. */
  readonly wire: 'text' | 'json';
  /** The closed list of allowed texts, where there is one. */
  readonly choices?: readonly string[];
  /** What one element is, where this is a list. */
  readonly item?: Value<unknown>;
  /** What its members are, where this is a record. */
  readonly shape?: Readonly<Record<string, Value<unknown>>>;
  /** True where a record may leave it out. */
  readonly optional?: true;
  /** What it may be beyond its type, as help says it: `at most 1000 characters`. */
  readonly rule?: string;
  check(input: unknown): T;
  fromWire(text: string): T;
  toWire(value: T): string;
  /**
   * Reads what a newer service may have added to: members that are not known, or hold what is not known, are left out.
   * `check` where it is absent. Throws {@link Refused} only where what is required is not there.
   */
  tolerate?(input: unknown): T;
}

/** {@link Value.tolerate}, or `check` for a value that has no parts. */
export function tolerate<T>(value: Value<T>, input: unknown): T {
  return value.tolerate ? value.tolerate(input) : value.check(input);
}

export type TypeOf<V> = V extends Value<infer T> ? T : never;

/** The number of characters as JSON (RFC 8259) and so the service's description counts them: code points. */
export function characterCount(text: string): number {
  if (text.length === 0) return 0;
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
  readonly pattern?: { readonly test: RegExp; readonly says: string };
  /** A character that may stand nowhere, or not at the start. */
  readonly forbidden?: readonly { readonly character: string; readonly only?: 'at the start' }[];
}

export function text(type: string, rules: TextRules = {}): Value<string> {
  const check = (input: unknown): string => {
    if (typeof input !== 'string') throw new Refused(shown(input), `is not text (${type})`);
    if (rules.notEmpty && input === '') throw new Refused('""', 'is empty, and may not be');
    if (!input.isWellFormed())
      throw new Refused(shown(input), 'holds half of a surrogate pair, which UTF-8 cannot carry');
    const { max } = rules;
    if (max !== undefined && input.length > max && characterCount(input) > max) {
      throw new Refused(shown(input), `has ${characterCount(input)} characters; the limit is ${max}`);
    }
    for (const { character, only } of rules.forbidden ?? []) {
      if (only ? input.startsWith(character) : input.includes(character)) {
        throw new Refused(
          shown(input),
          `holds ${codePoint(character)}, which is not allowed ${only ?? 'anywhere'}`,
        );
      }
    }
    if (rules.pattern && !rules.pattern.test.test(input)) {
      throw new Refused(
        shown(input),
        `is not ${/^(?!User)[AEIOU]/.test(type) ? 'an' : 'a'} ${type}: ${rules.pattern.says}`,
      );
    }
    return input;
  };
  const value: Value<string> = { type, wire: 'text', check, fromWire: check, toWire: (one) => one };
  const rule = textRule(rules);
  return rule === '' ? value : { ...value, rule };
}

function textRule({ max, notEmpty, pattern, forbidden = [] }: TextRules): string {
  return [
    ...(notEmpty ? ['not empty'] : []),
    ...(max === undefined ? [] : [`at most ${max} characters`]),
    ...(pattern === undefined ? [] : [pattern.says]),
    ...forbidden.map(({ character, only }) => `no ${codePoint(character)}${only ? ` ${only}` : ''}`),
  ].join(', ');
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A word that is none of a closed list: with the whole list, and with what may have been meant. */
export function notOneOf(input: unknown, choices: readonly string[]): Refused {
  const near = typeof input === 'string' ? nearest(input, choices) : [];
  const suggestion = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  return new Refused(shown(input), `is not one of ${choices.join(', ')}${suggestion}`);
}

export function choice<const C extends string>(type: string, choices: readonly C[]): Value<C> {
  const check = (input: unknown): C => {
    const found = choices.find((one) => one === input);
    if (found !== undefined) return found;
    throw notOneOf(input, choices);
  };
  return { type, wire: 'text', choices, check, fromWire: check, toWire: (value) => value };
}

/**
 * A choice in a record, where a newer service may hold what this version does not know: {@link tolerate} then gives the
 * service's own text, so that nobody is shown nothing.
 */
export function openChoice(closed: Value<string>): Value<string> {
  return {
    ...closed,
    tolerate: (input) => (typeof input === 'string' ? input : closed.check(input)),
  };
}

export const flag: Value<boolean> = {
  type: 'boolean',
  wire: 'text',
  choices: ['true', 'false'],
  check(input) {
    if (typeof input !== 'boolean') throw new Refused(shown(input), 'is not one of true, false');
    return input;
  },
  fromWire(wire) {
    if (wire !== 'true' && wire !== 'false') throw new Refused(shown(wire), 'is not one of true, false');
    return wire === 'true';
  },
  toWire: String,
};

export interface NumberRules {
  readonly from?: number;
  /** The first number that is too large. */
  readonly below?: number;
  readonly unit?: string;
}

export function number(type: string, rules: NumberRules = {}): Value<number> {
  const { from, below } = rules;
  const hasRange = from !== undefined || below !== undefined;
  const check = (input: unknown): number => {
    if (typeof input !== 'number' || !Number.isFinite(input))
      throw new Refused(shown(input), 'is not a number');
    if ((from !== undefined && input < from) || (below !== undefined && input >= below)) {
      throw new Refused(shown(input), `is not ${rangeOf(rules)}`);
    }
    return input;
  };
  const fromWire = (wire: string): number => {
    if (!/^-?\d+(\.\d+)?$/.test(wire)) throw new Refused(shown(wire), 'is not a number');
    return check(Number(wire));
  };
  return {
    type,
    wire: 'text',
    check,
    fromWire,
    toWire: String,
    ...(hasRange ? { rule: rangeOf(rules) } : {}),
  };
}

function rangeOf({ from, below, unit }: NumberRules): string {
  const range = below === undefined ? `${from} or more` : `in the range [${from ?? '-infinity'}, ${below})`;
  return unit ? `${range} ${unit}` : range;
}

function json<T>(type: string, check: (input: unknown) => T, more: Partial<Value<T>> = {}): Value<T> {
  const fromWire = (wire: string): T => {
    let decoded: unknown;
    try {
      decoded = parseJson(wire);
    } catch (error) {
      throw new Refused(shown(wire), `${whyInvalidJson(error)} (${type} expected)`);
    }
    return check(decoded);
  };
  return { type, wire: 'json', check, fromWire, toWire: (value) => JSON.stringify(value), ...more };
}

/** `{"a":1}`: where a refusal happens inside, its place is named. */
function within<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${place}: ${error.value}`, error.rule);
    throw error;
  }
}

export interface ListRules {
  readonly max?: number;
  /** What the entries are, for a message about their number. */
  readonly of?: string;
  /** Set where an empty list is not allowed: what to do instead. */
  readonly notEmpty?: string;
}

export function list<T>(item: Value<T>, rules: ListRules = {}): Value<readonly T[]> {
  const type = `${item.type}[]`;
  const check = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw new Refused(shown(input), `is not a list (${type})`);
    if (rules.notEmpty !== undefined && input.length === 0) {
      throw new Refused('[]', `is an empty list; ${rules.notEmpty}`);
    }
    if (rules.max !== undefined && input.length > rules.max) {
      throw new Refused(
        `${input.length} ${rules.of ?? 'entries'}`,
        `are more than the limit of ${rules.max}`,
      );
    }
    return input.map((one: unknown, index) => within(`entry ${index + 1}`, () => item.check(one)));
  };
  const tolerateList = (input: unknown): readonly T[] => {
    if (!Array.isArray(input)) throw new Refused(shown(input), `is not a list (${type})`);
    return input.map((one: unknown) => tolerate(item, one));
  };
  const rule = rules.max === undefined ? {} : { rule: `at most ${rules.max} ${rules.of ?? 'entries'}` };
  return json(type, check, { item, tolerate: tolerateList, ...rule });
}

/** The texts of a list in square brackets, each quoted or not. Nothing where these are no square brackets. */
export function textsInBrackets(wire: string): readonly string[] | undefined {
  const inside = /^\s*\[([\s\S]*)\]\s*$/.exec(wire)?.[1];
  if (inside === undefined) return undefined;
  const texts = inside.split(',').map((one) => one.trim().replace(/^"(.*)"$/, '$1'));
  return texts.length === 1 && texts[0] === '' ? [] : texts;
}

export function nullable<T>(value: Value<T>): Value<T | null> {
  return {
    type: `${value.type} or null`,
    wire: value.wire,
    ...(value.rule === undefined ? {} : { rule: value.rule }),
    check: (input) => (input === null ? null : value.check(input)),
    fromWire: (wire) => value.fromWire(wire),
    toWire: (one) => (one === null ? 'null' : value.toWire(one)),
  };
}

export type Optional<T> = Value<T> & { readonly optional: true };

export function optional<T>(value: Value<T>): Optional<T> {
  return { ...value, optional: true };
}

type Shape = Readonly<Record<string, Value<unknown>>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: S[K] extends { optional: true } ? K : never }[keyof S];
export type RecordOf<S extends Shape> = {
  readonly [K in Exclude<keyof S, OptionalKeys<S>>]: TypeOf<S[K]>;
} & { readonly [K in OptionalKeys<S>]?: TypeOf<S[K]> };

/** A JSON object with exactly these members; a name that is not among them is refused, so that a slip is not lost. */
export function record<S extends Shape>(type: string, shape: S): Value<RecordOf<S>> & { readonly shape: S } {
  const rows = Object.entries(shape);
  const membersOf = (input: unknown): Readonly<Record<string, unknown>> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      throw new Refused(shown(input), `is not an object (${type})`);
    }
    return { ...input };
  };
  const build = (
    input: unknown,
    members: Readonly<Record<string, unknown>>,
    readMember: (value: Value<unknown>, member: unknown) => unknown,
  ): RecordOf<S> => {
    const built: Record<string, unknown> = {};
    for (const [name, value] of rows) {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      const kept = member === undefined ? undefined : within(name, () => readMember(value, member));
      if (kept !== undefined) built[name] = kept;
      else if (!value.optional) throw new Refused(shown(input), `lacks ${name}, which ${type} requires`);
    }
    // The loop above has given every required member its checked type, which the compiler cannot follow.
    return built as RecordOf<S>;
  };
  const check = (input: unknown): RecordOf<S> => {
    const members = membersOf(input);
    for (const name of Object.keys(members)) {
      if (!Object.hasOwn(shape, name)) {
        throw new Refused(shown(name), `is not a member of ${type}: ${Object.keys(shape).join(', ')}`);
      }
    }
    return build(input, members, (value, member) => value.check(member));
  };
  const tolerateRecord = (input: unknown): RecordOf<S> =>
    build(input, membersOf(input), (value, member) => {
      try {
        return tolerate(value, member);
      } catch (error) {
        if (error instanceof Refused && value.optional) return undefined;
        throw error;
      }
    });
  return { ...json(type, check, { tolerate: tolerateRecord }), shape };
}
