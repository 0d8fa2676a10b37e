// Filters of a list that the emulator does not know by name: each is applied to the field of the record that it names.

import type { Operation } from '#contract/operation.ts';
import { type Schema, unlessInvalid } from '#contract/schema.ts';
import { listItems, type RawArgument } from './arguments.ts';
import { normalized } from './tolerances.ts';

export type RecordFilter = (record: unknown) => boolean;

/** `customItemTypes` and `customItemTypeId` name the same. */
const stemOf = (name: string) => name.replace(/(?:Ids?|s)$/, '');

/** Not dates: a parameter of that name is a range. */
const comparable: readonly (string | undefined)[] = ['text', 'choice', 'boolean', 'number'];

function comparedAs(schema: Schema<unknown>, text: string): string {
  const value = normalized(schema, text, () => undefined);
  return String(schema.fromWire(String(value))).toLowerCase();
}

/** Undefined where the record has no such field, or one that is not text, a number or a flag, or never has such a value. */
export function recordFilter(
  { record: { shape = {} } }: Operation,
  one: RawArgument,
): RecordFilter | undefined {
  const { name, from, isBare } = one;
  const field = Object.keys(shape).find(
    (member) => stemOf(member) === stemOf(name.replace(/\[\d{0,3}\]$/, '')),
  );
  if (field === undefined || from !== 'text' || isBare) return undefined;
  const schema = shape[field]?.item ?? shape[field];
  if (schema === undefined || !comparable.includes(schema.form?.kind)) return undefined;
  const texts = listItems(one).map((text) => text.replace(/^(["'])(.*)\1$/s, '$2'));
  const wanted = unlessInvalid(() => new Set(texts.map((text) => comparedAs(schema, text))));
  if (wanted === undefined) return undefined;
  const fits = (actual: unknown): boolean => {
    const text = String(actual).toLowerCase();
    return field === 'title' ? [...wanted].some((part) => text.includes(part)) : wanted.has(text);
  };
  return (record) => {
    const actual: unknown = new Map<string, unknown>(Object.entries(Object(record))).get(field);
    if (actual === undefined) return false;
    return Array.isArray(actual) ? actual.some(fits) : fits(actual);
  };
}
