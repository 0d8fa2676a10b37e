// `--expect updateTask=1`: how many requests a test expects, as users type it.

import { formatValue, ValidationError } from '../../contract/schema.ts';
import type { Expectation } from '../../emulator/http/unmet-expectations.ts';
import { entriesFlag, type Flag } from '../flag.ts';

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
