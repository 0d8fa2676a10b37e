// Finds contradictions within one update: a field set to two values, a folder added and removed. Nobody can tell which of the
// two was meant, so nothing is sent, whether they were typed or came from a row or from JSON.

import { formatValue } from '../../../contract/schema.ts';
import { type Failure, usageError } from '../../../failure.ts';
import { toWords } from '../../flag.ts';
import { me, textOf } from './name-or-id.ts';
import { isParameter, type ParameterName } from './parameter-schemas.ts';
import { type Name, splitFields, type UnresolvedUpdate } from './unresolved-update.ts';

/** Throws a usage failure. Names are compared as text, so call it again once they are ids. */
export function assertNoContradictions(update: UnresolvedUpdate): void {
  const { withId, withTitle } = splitFields(update.customFields);
  assertOneValue(
    'custom field',
    withId.map(({ id, value }) => [id, value]),
  );
  assertOneValue(
    'custom field',
    withTitle.map(({ title, value }) => [title, value]),
  );
  assertOneValue(
    'metadata entry',
    (update.metadata ?? []).map(({ key, value }) => [key, value]),
  );
  assertNotAddedAndRemoved(update);
  if (update.follow === false && update.addFollowers?.some((user) => textOf(user) === me)) {
    throw contradiction(`The update both adds you (${me}) as a follower and stops you from following`);
  }
  const { priorityBefore, priorityAfter } = update;
  if (priorityBefore !== undefined && priorityBefore === priorityAfter) {
    throw contradiction(`The update places the task both before and after ${priorityBefore}`);
  }
}

type Entry = readonly [name: string, value: string | null];

/** The entries without repetitions. */
export function uniqueBy<T>(entries: readonly T[], read: (entry: T) => Entry): readonly T[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify(read(entry));
    return !seen.has(key) && seen.add(key);
  });
}

function assertOneValue(what: string, entries: readonly Entry[]): void {
  const values = new Map<string, string | null>();
  for (const [name, value] of entries) {
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (before !== value) throw conflictingValues(what, name, before, value);
  }
}

function conflictingValues(what: string, name: string, first: string | null, second: string | null): Failure {
  const done = (value: string | null) => (value === null ? 'removed' : `set to ${formatValue(value)}`);
  return contradiction(
    `The ${what} ${formatValue(name)} is both ${done(first)} and ${done(second)}`,
    what === 'custom field' && first !== null && second !== null
      ? ' For several choices, write FIELD[]=a,b once.'
      : '',
  );
}

function assertNotAddedAndRemoved(update: UnresolvedUpdate): void {
  for (const name in update) {
    if (!isParameter(name) || !name.startsWith('add')) continue;
    const opposite = name.replace('add', 'remove');
    if (!isParameter(opposite)) continue;
    const removed = idsOrNames(update, opposite);
    const both = idsOrNames(update, name).find((one) => removed.includes(one));
    if (both !== undefined) {
      throw contradiction(`${formatValue(both)} is both in ${toWords(name)} and in ${toWords(opposite)}`);
    }
  }
}

function idsOrNames(update: UnresolvedUpdate, parameter: ParameterName): readonly string[] {
  const value: unknown = update[parameter];
  return Array.isArray(value) ? value.map((one: string | Name) => textOf(one)) : [];
}

function contradiction(what: string, more = ''): Failure {
  return usageError(what, `Choose one.${more}`);
}
