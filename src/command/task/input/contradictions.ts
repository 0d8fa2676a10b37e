// What one update says twice and in two ways: a field set to two values, a folder added and removed. Which of the two was
// meant nobody can tell, so neither is sent, whether it was typed, stands in a row of a file, or in JSON.

import { formatValue } from '../../../contract/schema.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import { type Failure, usageError } from '../../../failure.ts';
import { toWords } from '../../flag.ts';
import { me } from './name-or-id.ts';
import { isParameter, type ParameterName } from './parameter-schemas.ts';
import type { FieldAssignment } from './update-flags.ts';

/** Throws a usage failure. Of names only those that are the same text are compared: compare ids again after a look-up. */
export function assertNoContradictions(update: TaskUpdate, titles: readonly FieldAssignment[] = []): void {
  assertOneValue(
    'custom field',
    (update.customFields ?? []).map(({ id, value }) => [id, value]),
  );
  assertOneValue(
    'custom field',
    titles.map(({ name, value }) => [name, value]),
  );
  assertOneValue(
    'metadata entry',
    (update.metadata ?? []).map(({ key, value }) => [key, value]),
  );
  assertNotAddedAndRemoved(update);
  if (update.follow === false && update.addFollowers?.includes(me)) {
    throw contradiction(`You (${me}) are added as a follower, and are to stop following`);
  }
  const { priorityBefore, priorityAfter } = update;
  if (priorityBefore !== undefined && priorityBefore === priorityAfter) {
    throw contradiction(`The task is to be placed before ${priorityBefore} and after it`);
  }
}

type Entry = readonly [name: string, value: string | null];

/** The entries, each once: the same value again says nothing new. */
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
    `The ${what} ${formatValue(name)} is ${done(first)} and ${done(second)}`,
    what === 'custom field' && first !== null && second !== null
      ? ' For several choices, write FIELD[]=a,b once.'
      : '',
  );
}

function assertNotAddedAndRemoved(update: TaskUpdate): void {
  for (const name in update) {
    if (!isParameter(name) || !name.startsWith('add')) continue;
    const opposite = name.replace('add', 'remove');
    if (!isParameter(opposite)) continue;
    const removed = valuesOf(update, opposite);
    const both = valuesOf(update, name).find((one) => removed.includes(one));
    if (both !== undefined) {
      throw contradiction(`${formatValue(both)} is in ${toWords(name)} and in ${toWords(opposite)}`);
    }
  }
}

function valuesOf(update: TaskUpdate, name: ParameterName): readonly unknown[] {
  const value = update[name];
  return Array.isArray(value) ? value : [];
}

function contradiction(what: string, more = ''): Failure {
  return usageError(what, `Say one of the two.${more}`);
}
