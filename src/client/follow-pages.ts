// Reads a list page by page: each page is requested when it is wanted, so that a long list needs little memory, and whoever
// has enough requests no more. Follows the token of each page, also of an empty one, and ends at a page without one.

import type { Operation } from '#contract/operation.ts';
import { inPages } from '#contract/page-parameters.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure } from '#failure.ts';
import type { PathArguments } from './request.ts';
import type { ApiResponse, JsonObject } from './response.ts';
import type { Session } from './session.ts';

/** Never empty. */
export interface Page<R> {
  readonly records: readonly R[];
  /** The same, as the service sent them. */
  readonly raw: readonly JsonObject[];
}

export interface PageOptions {
  /** The most records of a page. Without it the service decides, which some do by returning a part of the list alone. */
  readonly pageSize?: number | undefined;
  /** No more records than these are returned, and no page is requested that is not needed for them. */
  readonly limit?: number | undefined;
}

export type Pages<R> = AsyncGenerator<Page<R>, void, undefined>;

/** The pages of a list. Nothing is requested before the first one is read. */
export async function* followPages<P extends Parameters, R>(
  session: Pick<Session, 'send'>,
  operation: Operation<P, R>,
  path: PathArguments,
  given: ArgumentsOf<P>,
  options: PageOptions = {},
): Pages<R> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const paged = inPages(operation);
  const loop = createLoopCheck();
  let size = firstSize(options);
  let left = limit;
  let token: string | undefined;
  while (left > 0) {
    const request = { ...given, ...sizeOf(size), ...(token === undefined ? {} : { nextPageToken: token }) };
    let page: ApiResponse<R>;
    try {
      page = await session.send(paged, path, request);
    } catch (error) {
      // Records may be large. Where a page's size is the service's own choice, fewer cannot be requested.
      if (!(error instanceof Failure) || error.code !== 'too_large' || size === undefined || size === 1)
        throw error;
      size = Math.floor(size / 2);
      continue;
    }
    const { records, raw } = page;
    loop.assertNewPage(raw);
    if (records.length > 0) yield { records: records.slice(0, left), raw: raw.slice(0, left) };
    left -= records.length;
    token = page.nextPageToken;
    if (token === undefined) return;
    if (left > 0) loop.assertNewToken(token);
  }
}

/** Of the first page: no more records than are wanted. */
export function firstSize({ pageSize, limit }: PageOptions): number | undefined {
  return pageSize === undefined ? undefined : Math.max(1, Math.min(pageSize, limit ?? pageSize));
}

/** As a parameter of a page. */
export function sizeOf(size: number | undefined): { readonly pageSize?: number } {
  return size === undefined ? {} : { pageSize: size };
}

/** Far more than a service that filters its pages gives. */
const mostEmptyPages = 1000;

/** Ends a list that would never end: no token comes twice, no page twice in a row, and not too many pages are empty. */
export function createLoopCheck() {
  const tokens = new Set<string>();
  let previous: string | undefined;
  let emptyPages = 0;
  return {
    /** Before its records are used. */
    assertNewPage(raw: readonly JsonObject[]): void {
      emptyPages = raw.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages > mostEmptyPages) throw endless(`returned ${emptyPages} empty pages in a row`);
      if (raw.length === 0) return;
      const page = JSON.stringify(raw.map(nameOf));
      if (page === previous) throw endless('returned the same page again');
      previous = page;
    },
    /** Before it is followed. */
    assertNewToken(token: string): void {
      if (tokens.has(token)) throw endless('returned a nextPageToken that it had returned before');
      tokens.add(token);
    },
  };
}

function endless(what: string): Failure {
  return new Failure('bad_response', {
    message: `The list has no end: the service ${what}`,
    hint: 'What was printed until here may be all of it. Perhaps a proxy responded from its cache.',
  });
}

/** Enough to tell two pages apart, and short. */
function nameOf(record: JsonObject): unknown {
  return record['id'] ?? JSON.stringify(record);
}
