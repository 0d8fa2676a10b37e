// Pagination of lists. The contract shows none: `pageSize` and `nextPageToken` are assumed.

import { number, text } from '../../contract/schema.ts';
import type { RawArgument } from './arguments.ts';
import { invalidParameter, validateParameter } from './error-response.ts';

const size = number('page size', { from: 1, below: 1001 });
const mark = text('page token', { pattern: { test: /^p\d{1,9}$/, says: 'taken from an earlier response' } });

export interface PageRequest {
  readonly size?: number;
  readonly from: number;
}

/** Separates the paging parameters from the others. */
export function extractPageRequest(given: readonly RawArgument[]): {
  wish: PageRequest;
  rest: readonly RawArgument[];
} {
  const value = (name: string) => given.find((one) => one.name === name && one.from === 'text')?.value;
  const [sizeText, markText] = [value('pageSize'), value('nextPageToken')];
  const from =
    markText === undefined
      ? 0
      : Number(validateParameter('nextPageToken', () => mark.validate(markText)).slice(1));
  const wished =
    typeof sizeText === 'string' ? validateParameter('pageSize', () => size.fromWire(sizeText)) : undefined;
  if (wished !== undefined && !Number.isInteger(wished))
    throw invalidParameter('pageSize', 'it is not a whole number');
  return {
    wish: { from, ...(wished === undefined ? {} : { size: wished }) },
    rest: given.filter(({ name }) => name !== 'pageSize' && name !== 'nextPageToken'),
  };
}

/** Without a size the page has all the rest. A full page names the next one, which may be empty. */
export function paginate<T>(
  all: readonly T[],
  wish: PageRequest,
): { data: readonly T[]; extra: Record<string, unknown> } {
  if (wish.size === undefined) return { data: all.slice(wish.from), extra: {} };
  const data = all.slice(wish.from, wish.from + wish.size);
  const next = data.length === wish.size ? { nextPageToken: `p${wish.from + wish.size}` } : {};
  return { data, extra: { ...next, responseSize: all.length } };
}
