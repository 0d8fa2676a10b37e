// Checks the log of requests for a test: the number of requests, and what the emulator ignored of them or only assumes.

import { assumptions } from '#contract/assumption.ts';
import { isNotEmulated, type LoggedRequest } from './request-log.ts';

/** Forms that no source shows: a program can send the form of the contract instead. */
const tolerated: ReadonlySet<string> = new Set(
  assumptions.filter(({ source, strict }) => source === 'assumed' && strict).map(({ id }) => id),
);

/** What --fail-on-ignored counts comes first. */
export function describeNoted(request: Pick<LoggedRequest, 'ignored' | 'assumed' | 'operation' | 'status'>) {
  const { ignored = [], assumed: ids = [] } = request;
  const assumed = ids.toSorted((one, other) => Number(tolerated.has(other)) - Number(tolerated.has(one)));
  const parts = Object.entries({ ignored, assumed }).filter(([, names]) => names.length > 0);
  const lists = parts.map(([word, names]) => `${word}: ${names.join(', ')}`);
  return [...(isNotEmulated(request) ? ['not emulated'] : []), ...lists].join('; ');
}

/** A line for each kind of request that is not emulated, or with something ignored or tolerated. A sender cannot avoid other assumptions. */
export function findIgnored(requests: readonly LoggedRequest[]): readonly string[] {
  const kinds = new Map<string, { readonly line: string; readonly more: number }>();
  for (const request of requests) {
    const { method, path, query, status = 0, ignored = [], assumed = [] } = request;
    const isTolerated = status < 400 && assumed.some((id) => tolerated.has(id));
    if (ignored.length === 0 && !isTolerated && !isNotEmulated(request)) continue;
    const noted = describeNoted(request);
    const kind = `${method} ${path} ${noted}`;
    const shown = query && `?${query}`.replace(/^(.{80}).+$/, '$1...');
    const { line, more } = kinds.get(kind) ?? { line: `${method} ${path}${shown}: ${noted}`, more: -1 };
    kinds.set(kind, { line, more: more + 1 });
  }
  return Array.from(kinds.values(), ({ line, more }) => (more === 0 ? line : `${line} (and ${more} more)`));
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
