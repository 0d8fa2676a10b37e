// What one update says twice and in two ways: a field set to two values, a folder added and removed. Which of the two was
// meant nobody can tell, so neither is sent, whether it was typed, stands in a row of a file, or in JSON.

import { formatValue } from '../../contract/schema.ts';
import type { TaskUpdate } from '../../contract/task.ts';
import { type Failure, usage } from '../../failure.ts';
import { inWords } from '../flag.ts';
import { isParameter, type ParameterName } from './short/kinds.ts';
import { me } from './short/name.ts';
import type { SaidField } from './update-flags.ts';

/** Throws a usage failure. Of names only those that are the same text are compared: compare ids again after a look-up. */
export function refuseContradictions(update: TaskUpdate, titles: readonly SaidField[] = []): void {
  refuseTwoValues(
    'custom field',
    (update.customFields ?? []).map(({ id, value }) => [id, value]),
  );
  refuseTwoValues(
    'custom field',
    titles.map(({ name, value }) => [name, value]),
  );
  refuseTwoValues(
    'metadata entry',
    (update.metadata ?? []).map(({ key, value }) => [key, value]),
  );
  refuseAddedAndRemoved(update);
  if (update.follow === false && update.addFollowers?.includes(me)) {
    throw oneOfTwo(`You (${me}) are added as a follower, and are to stop following`);
  }
  const { priorityBefore, priorityAfter } = update;
  if (priorityBefore !== undefined && priorityBefore === priorityAfter) {
    throw oneOfTwo(`The task is to be placed before ${priorityBefore} and after it`);
  }
}

type Entry = readonly [name: string, value: string | null];

/** The entries, each once: the same value again says nothing new. */
export function eachOnce<T>(entries: readonly T[], read: (entry: T) => Entry): readonly T[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify(read(entry));
    return !seen.has(key) && seen.add(key);
  });
}

function refuseTwoValues(what: string, entries: readonly Entry[]): void {
  const values = new Map<string, string | null>();
  for (const [name, value] of entries) {
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (before !== value) throw twoValues(what, name, before, value);
  }
}

function twoValues(what: string, name: string, first: string | null, second: string | null): Failure {
  const done = (value: string | null) => (value === null ? 'removed' : `set to ${formatValue(value)}`);
  return oneOfTwo(
    `The ${what} ${formatValue(name)} is ${done(first)} and ${done(second)}`,
    what === 'custom field' && first !== null && second !== null
      ? ' For several choices, write FIELD[]=a,b once.'
      : '',
  );
}

function refuseAddedAndRemoved(update: TaskUpdate): void {
  for (const name in update) {
    if (!isParameter(name) || !name.startsWith('add')) continue;
    const opposite = name.replace('add', 'remove');
    if (!isParameter(opposite)) continue;
    const removed = textsOf(update, opposite);
    const both = textsOf(update, name).find((one) => removed.includes(one));
    if (both !== undefined) {
      throw oneOfTwo(`${formatValue(both)} is in ${inWords(name)} and in ${inWords(opposite)}`);
    }
  }
}

function textsOf(update: TaskUpdate, name: ParameterName): readonly unknown[] {
  const value = update[name];
  return Array.isArray(value) ? value : [];
}

function oneOfTwo(what: string, more = ''): Failure {
  return usage(what, `Say one of the two.${more}`);
}
