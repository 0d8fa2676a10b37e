// Reads a list page by page: each page is requested when it is wanted, so that a long list needs little memory, and whoever
// has enough requests no more. Follows the token of each page, and ends at a page without one or without records.

import type { Operation } from '../contract/operation.ts';
import { inPages } from '../contract/page-parameters.ts';
import type { ArgumentsOf, Parameters } from '../contract/parameter.ts';
import { Failure } from '../failure.ts';
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
    if (records.length === 0) return;
    loop.assertNew(token, raw);
    yield { records: records.slice(0, left), raw: raw.slice(0, left) };
    left -= records.length;
    token = page.nextPageToken;
    if (token === undefined) return;
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

/**
 * Ends a list that would never end. A token may come again, since some services keep their place themselves, but not with a
 * page that it gave before; nor may a page come twice in a row, whatever its token. Remembers two pages, however many there are.
 */
export function createLoopCheck() {
  let previous: string | undefined;
  // Of pages 1, 2, 4, 8...: a loop of any length comes back to one of them.
  let milestone: { readonly token: string | undefined; readonly page: string } | undefined;
  let count = 0;
  let nextMilestone = 1;
  return {
    /** Not for an empty page. */
    assertNew(token: string | undefined, raw: readonly JsonObject[]): void {
      const page = JSON.stringify(raw.map(nameOf));
      if (page === previous || (page === milestone?.page && token === milestone.token))
        throw new Failure('bad_response', {
          message: 'The list has no end: the service returned the same page again',
          hint: 'What was printed until here may be all of it. Perhaps a proxy responded from its cache.',
        });
      previous = page;
      count += 1;
      if (count < nextMilestone) return;
      milestone = { token, page };
      nextMilestone *= 2;
    },
  };
}

/** Enough to tell two pages apart, and short. */
function nameOf(record: JsonObject): unknown {
  return record['id'] ?? JSON.stringify(record);
}
