// Pagination of lists. The contract shows none: `pageSize` and `nextPageToken` are assumed.

import type { EmulatorMode } from '#contract/assumption.ts';
import { pageParameters } from '#contract/page-parameters.ts';
import { text } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { RawArgument } from './arguments.ts';
import { invalidParameter, validateParameter } from './error-response.ts';
import type { RecordFilter } from './record-filter.ts';
import type { ApiResult } from './response.ts';

const { pageSize } = pageParameters;
const pageToken = text('page token', {
  pattern: { regex: /^p\d{1,9}(\.[\w:.=-]{1,256})?$/, description: 'taken from an earlier response' },
});

export interface PageRequest {
  readonly size?: number;
  readonly from: number;
  /** The id of the last record on the previous page, for lists that note it. */
  readonly after?: string;
  /** Filters records beyond the filters that the handler applies. */
  readonly fits?: RecordFilter;
}

function parsePageToken(token: string): PageRequest {
  const [offset = '', ...id] = pageToken.validate(token).slice(1).split('.');
  return { from: Number(offset), ...(id.length === 0 ? {} : { after: id.join('.') }) };
}

/** Separates the paging parameters from the others. Pagination is assumed, so with `bare` a list is not paged. */
export function extractPageRequest(
  rawArguments: readonly RawArgument[],
  mode: EmulatorMode,
): { pageRequest: PageRequest; rest: readonly RawArgument[] } {
  const rest = rawArguments.filter(({ name }) => !Object.hasOwn(pageParameters, name));
  if (mode === 'bare') return { pageRequest: { from: 0 }, rest };
  const read = <T>(parameter: keyof typeof pageParameters, parse: (text: string) => T): T | undefined => {
    const argument = rawArguments.find(({ name, from }) => name === parameter && from === 'text');
    return argument && validateParameter(parameter, () => parse(String(argument.value)), 'list-pages');
  };
  const page = read('nextPageToken', parsePageToken) ?? { from: 0 };
  const size = read('pageSize', pageSize.schema.fromWire);
  if (size !== undefined && !Number.isInteger(size))
    throw invalidParameter('pageSize', 'it is not a whole number', 'list-pages');
  return { pageRequest: { ...page, ...omitUndefined({ size }) }, rest };
}

/**
 * Without a size, the page has all remaining records. A full page names the next page, which may be empty. `idOf`: for a list that
 * may change between its pages; the token then notes the last item.
 */
export function paginate<T>(
  { pageRequest: { fits, ...pageRequest } }: { readonly pageRequest: PageRequest },
  items: readonly T[],
  toRecord: (item: T) => unknown = (item) => item,
  idOf?: (item: T) => string,
): ApiResult {
  if (fits !== undefined) return paginate({ pageRequest }, items.map(toRecord).filter(fits));
  const { from, size } = pageRequest;
  if (size === undefined) return { data: items.slice(from).map(toRecord), extra: {} };
  const page = items.slice(from, from + size);
  const last = page.at(-1);
  const note = idOf === undefined || last === undefined ? '' : `.${idOf(last)}`;
  const next = page.length === size ? { nextPageToken: `p${from + size}${note}` } : {};
  return { data: page.map(toRecord), extra: { ...next, responseSize: items.length } };
}
