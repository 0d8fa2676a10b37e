// Filters of a list that the emulator does not know by name: each is applied to the field of the record that it names.

import type { Operation } from '#contract/operation.ts';
import type { Schema } from '#contract/schema.ts';
import { listItems, type RawArgument } from './arguments.ts';

export type RecordFilter = (record: unknown) => boolean;

/** `customItemTypes` and `customItemTypeId` name the same. */
const stemOf = (name: string) => name.replace(/(?:Ids?|s)$/, '');

const isComparable = ({ form }: Schema<unknown>): boolean =>
  form?.kind === 'list'
    ? isComparable(form.item)
    : ['text', 'choice', 'boolean', 'number', 'date'].includes(form?.kind ?? '');

/** Undefined where the record has no such field, or one that is not text, a number or a flag. */
export function recordFilter(
  { record: { shape = {} } }: Operation,
  one: RawArgument,
): RecordFilter | undefined {
  const { name, from, isBare } = one;
  const field = Object.keys(shape).find(
    (member) => stemOf(member) === stemOf(name.replace(/\[\d{0,3}\]$/, '')),
  );
  const schema = field === undefined ? undefined : shape[field];
  if (field === undefined || schema === undefined || from !== 'text' || isBare || !isComparable(schema))
    return undefined;
  const wanted = new Set(listItems(one).map((text) => text.replace(/^(["'])(.*)\1$/s, '$2').toLowerCase()));
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
