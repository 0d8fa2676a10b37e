// `--expect updateTask=1`: how many requests a test expects, and which expectations are not met.

import { formatValue, ValidationError } from '../../contract/schema.ts';
import { entriesFlag, type Flag } from '../flag.ts';

export interface Expectation {
  /** The name of an operation, or `any`. */
  readonly name: string;
  readonly count: number;
}

function parseExpectation(entry: unknown): Expectation {
  const [, name, count] = /^(\w+)=(\d{1,9})$/.exec(String(entry)) ?? [];
  if (name === undefined)
    throw new ValidationError(formatValue(entry), 'is not of the form NAME=COUNT, as in updateTask=1');
  return { name, count: Number(count) };
}

export const expectFlag: Flag<readonly Expectation[]> = entriesFlag(
  parseExpectation,
  'NAME=COUNT',
  'Print nothing; exit with status 10 unless there were exactly so many requests of this operation',
);

/** The names to ask the emulator for, each once. */
export function expectedNames(expected: readonly Expectation[]): readonly string[] {
  return [...new Set(expected.map(({ name }) => name))];
}

/** A sentence for each expectation that is not met. */
export function findUnmet(
  expected: readonly Expectation[],
  requests: readonly { readonly operation: string }[],
): readonly string[] {
  return expected.flatMap(({ name, count }) => {
    const found = requests.filter(({ operation }) => name === 'any' || operation === name).length;
    if (found === count) return [];
    const what = name === 'any' ? 'requests' : `${name} requests`;
    return [`Expected ${count} ${count === 1 ? what.replace(/s$/, '') : what}, found ${found}`];
  });
}
