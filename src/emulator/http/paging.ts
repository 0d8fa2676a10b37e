// Pagination of lists. The contract shows none: `pageSize` and `nextPageToken` are assumed.

import { pageParameters } from '#contract/page-parameters.ts';
import { text } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { RawArgument } from './arguments.ts';
import { invalidParameter, validateParameter } from './error-response.ts';
import type { RecordFilter } from './record-filter.ts';

const { pageSize } = pageParameters;
const pageToken = text('page token', {
  pattern: { test: /^p\d{1,9}(\.[\w:.=-]{1,256})?$/, says: 'taken from an earlier response' },
});

export interface PageRequest {
  readonly size?: number;
  readonly from: number;
  /** The id of the last record of the page before, where the list has one. */
  readonly after?: string;
  /** Whether the list has a record, besides what its handler knows. */
  readonly fits?: RecordFilter;
}

function parsePageToken(token: string): PageRequest {
  const [offset = '', ...id] = pageToken.validate(token).slice(1).split('.');
  return { from: Number(offset), ...(id.length === 0 ? {} : { after: id.join('.') }) };
}

/** Separates the paging parameters from the others. */
export function extractPageRequest(given: readonly RawArgument[]): {
  pageRequest: PageRequest;
  rest: readonly RawArgument[];
} {
  const read = <T>(name: keyof typeof pageParameters, parse: (text: string) => T): T | undefined => {
    const found = given.find((one) => one.name === name && one.from === 'text');
    return found && validateParameter(name, () => parse(String(found.value)), 'list-pages');
  };
  const page = read('nextPageToken', parsePageToken) ?? { from: 0 };
  const size = read('pageSize', pageSize.schema.fromWire);
  if (size !== undefined && !Number.isInteger(size))
    throw invalidParameter('pageSize', 'it is not a whole number', 'list-pages');
  return { pageRequest: { ...page, ...omitUndefined({ size }) }, rest: withoutPageParameters(given) };
}

/** For a list that comes whole, whatever they are. */
export function withoutPageParameters(given: readonly RawArgument[]): readonly RawArgument[] {
  return given.filter(({ name }) => !Object.hasOwn(pageParameters, name));
}

/** Without a size the page has all the rest. A full page names the next one, which may be empty. `show`: the record of one. */
export function paginate<T, R = T>(
  all: readonly T[],
  { from, size, fits }: PageRequest,
  show: (one: T) => R,
): { data: readonly R[]; extra: Record<string, unknown> } {
  if (fits !== undefined)
    return paginate(all.map(show).filter(fits), { from, ...omitUndefined({ size }) }, (one) => one);
  if (size === undefined) return { data: all.slice(from).map(show), extra: {} };
  const data = all.slice(from, from + size);
  const next = data.length === size ? { nextPageToken: `p${from + size}` } : {};
  return { data: data.map(show), extra: { ...next, responseSize: all.length } };
}
