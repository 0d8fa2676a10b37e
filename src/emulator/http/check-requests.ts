// Checks the log of requests for a test: the number of requests, and what the emulator ignored of them or only assumes.

import { assumptions } from '#contract/assumption.ts';
import type { LoggedRequest } from './request-log.ts';

/** Forms that no source shows: a program can send the form of the contract instead. */
const tolerated = new Set<string>();
for (const { id, source, strict } of assumptions) if (source === 'assumed' && strict) tolerated.add(id);

export function describeNoted({ ignored = [], assumed = [] }: Pick<LoggedRequest, 'ignored' | 'assumed'>) {
  const parts = Object.entries({ ignored, assumed }).filter(([, names]) => names.length > 0);
  return parts.map(([word, names]) => `${word}: ${names.join(', ')}`).join('; ');
}

/** A line for each kind of request with something ignored or tolerated. Other assumptions its sender cannot avoid. */
export function findIgnored(requests: readonly LoggedRequest[]): readonly string[] {
  const kinds = new Map<string, number>();
  for (const request of requests) {
    const { method, path, status = 0, ignored = [], assumed = [] } = request;
    if (ignored.length === 0 && (status >= 400 || !assumed.some((id) => tolerated.has(id)))) continue;
    const line = `${method} ${path}: ${describeNoted(request)}`;
    kinds.set(line, (kinds.get(line) ?? -1) + 1);
  }
  return [...kinds].map(([line, more]) => (more === 0 ? line : `${line} (and ${more} more)`));
}

export interface Expectation {
  /** The name of an operation, or `any`. */
  readonly name: string;
  readonly count: number;
}

export function findUnmet(expected: readonly Expectation[], requests: readonly { operation: string }[]) {
  return expected.flatMap(({ name, count }) => {
    const actual = requests.filter(({ operation }) => name === 'any' || operation === name).length;
    if (actual === count) return [];
    const noun = `${name === 'any' ? '' : `${name} `}request${count === 1 ? '' : 's'}`;
    return [`Expected ${count} ${noun}, found ${actual}`];
  });
}
