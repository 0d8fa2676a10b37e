// Filters a list by a parameter that the emulator does not know, if it names a field of the record.

import type { Operation } from '#contract/operation.ts';
import { type Schema, unlessInvalid } from '#contract/schema.ts';
import { listItems, type RawArgument } from './arguments.ts';
import { normalized } from './tolerances.ts';

export type RecordFilter = (record: unknown) => boolean;

/** Equal for `customItemTypes` and `customItemTypeId`, which name the same field. */
const stemOf = (name: string) => name.replace(/(?:Ids?|s)$/, '');

/** Without dates: parameters that name one are ranges. */
const comparable: readonly (string | undefined)[] = ['text', 'choice', 'boolean', 'number'];

function toComparable(schema: Schema<unknown>, text: string): string {
  const value = normalized(schema, text, () => undefined);
  return String(schema.fromWire(String(value))).toLowerCase();
}

/** Undefined if the record has no comparable field of this name, or the field cannot have this value. */
export function recordFilter(
  { record: { shape = {} } }: Operation,
  argument: RawArgument,
): RecordFilter | undefined {
  const { name, from, isBare } = argument;
  const entry = Object.entries<Schema<unknown>>(shape).find(
    ([member]) => stemOf(member) === stemOf(name.replace(/\[\d{0,3}\]$/, '')),
  );
  if (entry === undefined || from !== 'text' || isBare) return undefined;
  const [field, fieldSchema] = entry;
  const schema = fieldSchema.item ?? fieldSchema;
  if (!comparable.includes(schema.form?.kind)) return undefined;
  const texts = listItems(argument).map((text) => text.replace(/^(["'])(.*)\1$/s, '$2'));
  const expected = unlessInvalid(() => new Set(texts.map((text) => toComparable(schema, text))));
  if (expected === undefined) return undefined;
  const fits = (actual: unknown): boolean => {
    const text = String(actual).toLowerCase();
    return field === 'title' ? [...expected].some((part) => text.includes(part)) : expected.has(text);
  };
  return (record) => {
    const actual: unknown = new Map<string, unknown>(Object.entries(Object(record))).get(field);
    if (actual === undefined) return false;
    return Array.isArray(actual) ? actual.some(fits) : fits(actual);
  };
}
