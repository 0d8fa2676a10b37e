// Reads a JSON document of the contract, as text that was printed or served: follows its references, and compares its schemas
// with the types and limits that the witness names.

import assert from 'node:assert/strict';
import { identifiers } from '../witness/operations.ts';
import { enums, records } from '../witness/records.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document has every shape
export type Described = any;

export function resolved(document: Described, found: Described): Described {
  // A reference alone in allOf has something beside it.
  const { $ref: reference = found.allOf?.[0].$ref } = found;
  if (reference === undefined) return found;
  const steps: string[] = reference.replace(/^#\//, '').split('/');
  const target = steps.reduce((at, step) => at?.[step], document);
  assert.ok(target, `${reference} leads somewhere`);
  return resolved(document, target);
}

/** The schema, which must be of the type that the witness names: `TaskId`, `FolderId[]`, `TaskDates`, `string`. */
export function assertType(document: Described, given: Described, type: string, where: string): void {
  const schema = resolved(document, given);
  const ids = identifiers.find(({ types }) => types.includes(type));
  const members = enums.find(({ name }) => name === type)?.members;
  if (type.endsWith('[]')) {
    assert.equal(schema.type, 'array', where);
    assertType(document, schema.items, type.slice(0, -2), `${where}[]`);
  } else if (ids) {
    assertPattern(schema, ids, where);
  } else if (members) {
    assert.deepEqual([schema.type, schema.enum], ['string', members], where);
  } else if (records.some(({ record }) => record === type)) {
    assertRecord(document, schema, type, where);
  } else if (type !== '') {
    assert.equal(schema.type, jsonTypes[type] ?? type, where);
  }
}

/** Words of the witness for what JSON has another one for. */
const jsonTypes: Readonly<Record<string, string>> = {
  timestamp: 'string',
  'yyyy-MM-dd': 'string',
  seconds: 'integer',
  count: 'integer',
};

/** All members of a record, with their types, and those that are required. */
export function assertRecord(document: Described, given: Described, name: string, where: string): void {
  const schema = resolved(document, given);
  const row = records.find(({ record }) => record === name);
  assert.ok(row, name);
  const names = Object.keys(schema.properties);
  const shown = row.fields.map(([field]) => field);
  assert.deepEqual(
    names.filter((field) => shown.includes(field)),
    shown,
    where,
  );
  for (const field of row.required) assert.ok(schema.required?.includes(field), `${where}.${field}`);
  // The contract calls every number one; a count is whole.
  for (const [field, type] of row.fields)
    assertType(
      document,
      schema.properties[field],
      field.endsWith('Count') ? 'count' : type,
      `${where}.${field}`,
    );
}

interface Texts {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

/** As a validator reads it: the pattern, and the limits of the length. */
export function assertPattern(schema: Described, { good, bad }: Texts, where: string): void {
  for (const text of good) assert.ok(matches(schema, text), `${where} takes ${JSON.stringify(text)}`);
  for (const text of bad) assert.ok(!matches(schema, text), `${where} takes no ${JSON.stringify(text)}`);
}

function matches({ type, pattern = '', minLength = 0, maxLength = Infinity }: Described, text: string) {
  const length = [...text].length;
  // Validators differ in whether they read a pattern with this flag.
  const both = [new RegExp(pattern), new RegExp(pattern, 'u')].map((one) => one.test(text));
  assert.equal(both[0], both[1], `${pattern} and ${text}`);
  return type === 'string' && both[0] === true && length >= minLength && length <= maxLength;
}
