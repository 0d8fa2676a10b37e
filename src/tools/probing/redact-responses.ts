// Redacts responses for sharing: names, titles, addresses, ids, dates, amounts. Keeps the form, booleans and the contract's own
// words. Replaces equal texts equally, so that ids still match.

import { isIdentifier } from '#contract/identifier.ts';
import type { Operation } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import type { Schema } from '#contract/schema.ts';
import { serviceErrors } from '#contract/service-error.ts';
import { datesType, effortMode, taskImportance, taskStatus, treeScope } from '#contract/task.ts';
import { webhookStatus } from '#contract/webhook.ts';
import { probeState } from './probe-requests.ts';

const rows: readonly Pick<Operation, 'kind' | 'alsoKind' | 'record'>[] = [
  ...Object.values(operations),
  ...Object.values(otherOperations),
];
const contractWords: ReadonlySet<string> = new Set([
  ...rows.flatMap(({ kind, alsoKind = kind }) => [kind, alsoKind]),
  ...Object.keys(serviceErrors),
  ...[taskStatus, taskImportance, treeScope, datesType, effortMode, webhookStatus].flatMap(
    ({ choices }): readonly string[] => choices,
  ),
  ...['Person', 'Group', 'Robot'],
]);
/** Only these members hold words of the contract: elsewhere, such a word may be a title. */
const wordMembers = new Set(['kind', 'error', 'status', 'importance', 'scope', 'type', 'mode']);

export class Redaction {
  readonly #substitutes = new Map<string, string>();
  readonly #knownMembers: ReadonlySet<string> = new Set([
    ...envelope,
    ...judgedMembers,
    ...rows.flatMap(({ record }) => [...memberNames(record)]),
  ]);

  /** Redacts a JSON value in the member `name`. */
  redact(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((element) => this.redact(element, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [this.#member(key), this.redact(member, key)]),
      );
    if (typeof value === 'number') return 0;
    if (typeof value !== 'string' || value === '') return value;
    if (wordMembers.has(name) && contractWords.has(value)) return value;
    if (name === 'state' && value === probeState) return value;
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value)) return '2000-01-01T00:00:00Z';
    if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(value)) return '2000-01-01';
    return this.#substitute(value);
  }

  /** A name that `wm` does not know may be an id, a title or a person. */
  #member(name: string): string {
    return this.#knownMembers.has(name) ? name : this.#substitute(name);
  }

  #substitute(text: string): string {
    const substitute = this.#substitutes.get(text);
    if (substitute !== undefined) return substitute;
    const count = String(this.#substitutes.size + 1);
    const redacted = isShortId(text)
      ? `ID${count.padStart(text.length - 2, '0')}`
      : isIdentifier('TaskId', text)
        ? `id-${count}`
        : `text ${count}`;
    this.#substitutes.set(text, redacted);
    return redacted;
  }
}

/** 8 or 16 upper-case letters and digits. */
const isShortId = (text: string) => isIdentifier('UserId', text) || isIdentifier('CustomFieldId', text);

/** The members around the records of a response. */
const envelope = ['kind', 'data', 'error', 'errorDescription', 'state', 'nextPageToken', 'responseSize'];
/** Members that the judgements read and `wm` does not define. */
const judgedMembers = ['active'];

function* memberNames({ shape, item }: Schema<unknown>): Generator<string> {
  for (const [name, schema] of Object.entries(shape ?? {})) {
    yield name;
    yield* memberNames(schema);
  }
  if (item !== undefined) yield* memberNames(item);
}
