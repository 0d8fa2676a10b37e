// Pages of lists. The contract shows none. A token stands for a page of one list of one user: the emulator holds which.

import type { EmulatorMode } from '#contract/assumption.ts';
import { pageParameters } from '#contract/page-parameters.ts';
import type { RawArgument } from './arguments.ts';
import { invalidParameter, validateParameter } from './error-response.ts';
import type { ApiResult } from './response.ts';

export interface Position {
  readonly from: number;
  /** The id of the last record on the previous page, for lists that note it. */
  readonly after?: string | undefined;
}

export interface PageRequest extends Position {
  readonly size?: number | undefined;
  /** A fault: the page is empty, and names one that is rejected. */
  readonly isEmpty?: true;
  /** Creates the token of the next page. */
  readonly tokenOf?: ((next: Position) => string) | undefined;
}

export interface NextPage extends PageRequest {
  /** Which list of which user; undefined for any. */
  readonly list?: string;
  /** The parameters of the first page, which count for the later ones. */
  readonly parameters?: unknown;
}

/** Enough for the programs that read at the same time. */
const maxTokens = 10_000;

export function createPages(createToken: () => string) {
  const pages = new Map<string, NextPage>();
  return {
    /** The page that a token stands for, if it is of this list. */
    find(token: string, list: string): NextPage {
      const page = pages.get(token);
      if (page !== undefined && (page.list ?? list) === list) return page;
      throw invalidParameter('nextPageToken', 'no response named this page of this list', 'list-pages');
    },
    add(page: NextPage): string {
      const token = createToken();
      pages.set(token, page);
      const [oldest] = pages.size > maxTokens ? pages.keys() : [];
      if (oldest !== undefined) pages.delete(oldest);
      return token;
    },
    clear: () => pages.clear(),
  };
}

/** Separates the paging parameters from the others. With `bare` a list is not paged. */
export function extractPaging(rawArguments: readonly RawArgument[], mode: EmulatorMode) {
  const rest = rawArguments.filter(({ name }) => !Object.hasOwn(pageParameters, name));
  const read = <T>(parameter: keyof typeof pageParameters, parse: (text: string) => T): T | undefined => {
    const argument = mode === 'bare' ? undefined : rawArguments.find(({ name }) => name === parameter);
    return argument && validateParameter(parameter, () => parse(String(argument.value)), 'list-pages');
  };
  const size = read('pageSize', pageParameters.pageSize.schema.fromWire);
  if (size !== undefined && !Number.isInteger(size))
    throw invalidParameter('pageSize', 'it is not a whole number', 'list-pages');
  return { rest, size, token: read('nextPageToken', String) };
}

/**
 * Without a size, the page has all records. Only if there are more than it holds, it says so, and names the next page. `idOf`: for a
 * list that may change between its pages; the next page then begins after the last item.
 */
export function paginate<T>(
  { pageRequest: { from, size, tokenOf, isEmpty } }: { readonly pageRequest: PageRequest },
  items: readonly T[],
  toRecord: (item: T) => unknown = (item) => item,
  idOf?: (item: T) => string,
): ApiResult {
  if (isEmpty) return { data: [], extra: { nextPageToken: 'X'.repeat(45), responseSize: items.length } };
  const page = size === undefined ? items.slice(from) : items.slice(from, from + size);
  const data = page.map(toRecord);
  const last = page.at(-1);
  const next = from + page.length;
  if (tokenOf === undefined || last === undefined || next >= items.length) return { data };
  const nextPageToken = tokenOf({ from: next, after: idOf?.(last) });
  return { data, extra: { nextPageToken, responseSize: items.length } };
}
