// Reads a list page by page, each when the caller asks for it, so that a long list needs little memory. Follows nextPageToken, even
// of an empty page, whose token the service may reject: then the list ends there, as at a page without a token.

import type { JsonObject } from '#contract/json.ts';
import type { Operation } from '#contract/operation.ts';
import { inPages, maxPageSize } from '#contract/page-parameters.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { PathArguments } from './request.ts';
import type { ApiResponse } from './response.ts';
import type { Session } from './session.ts';

/** A page with at least one record. */
export interface Page<R> {
  readonly records: readonly R[];
  /** The records as the service sent them. */
  readonly raw: readonly JsonObject[];
}

export interface PageOptions {
  /** The number of records in a page. Without it the service decides, unless the whole list is too large. */
  readonly pageSize?: number | undefined;
  /** For each page, instead of the session's own time limit. */
  readonly timeoutMs?: number | undefined;
  /** Returns at most this many records, and requests only the pages that they need. */
  readonly limit?: number | undefined;
}

export type Pages<R> = AsyncGenerator<Page<R>, void, undefined>;

/** Yields the pages of a list. Sends nothing before the caller reads the first page. */
export async function* followPages<P extends Parameters, R>(
  session: Pick<Session, 'send'>,
  operation: Operation<P, R>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
  options: PageOptions = {},
): Pages<R> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const paged = inPages(operation);
  const loop = createLoopCheck();
  let size = firstSize(options);
  let remaining = limit;
  let token: string | undefined;
  let tooLarge: Failure | undefined;
  let isAfterEmptyPage = false;
  while (remaining > 0) {
    const request = { ...parameters, ...omitUndefined({ pageSize: size, nextPageToken: token }) };
    let page: ApiResponse<R>;
    try {
      page = await session.send(paged, path, request, options.timeoutMs);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'rejected' && isAfterEmptyPage) return;
      // The service takes no page size here, so the list stays too large.
      if (error.code === 'rejected' && tooLarge) throw tooLarge;
      // Records may be large, so request fewer.
      if (error.code !== 'too_large' || size === 1) throw error;
      tooLarge = size === undefined ? error : undefined;
      size = size === undefined ? maxPageSize : Math.floor(size / 2);
      continue;
    }
    const { records, raw } = page;
    loop.assertNewPage(raw);
    if (records.length > 0) yield { records: records.slice(0, remaining), raw: raw.slice(0, remaining) };
    isAfterEmptyPage = records.length === 0;
    remaining -= records.length;
    token = page.nextPageToken;
    if (token === undefined) return;
    if (remaining > 0) loop.assertNewToken(token);
  }
}

/** Returns the size of the first page: never more records than the limit. */
export function firstSize({ pageSize, limit }: PageOptions): number | undefined {
  return pageSize === undefined ? undefined : Math.max(1, Math.min(pageSize, limit ?? pageSize));
}

/** Far more than a service that filters its pages returns. */
const maxEmptyPages = 1000;

/** Throws for an endless list: a token repeats, a page repeats at once, or too many pages are empty. */
export function createLoopCheck() {
  const tokens = new Set<string>();
  let previous: string | undefined;
  let emptyPages = 0;
  return {
    /** Call this before using the records. */
    assertNewPage(raw: readonly JsonObject[]): void {
      emptyPages = raw.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages > maxEmptyPages) throw endlessList(`returned ${emptyPages} empty pages in a row`);
      if (raw.length === 0) return;
      const page = JSON.stringify(raw.map(identityOf));
      if (page === previous) throw endlessList('returned the same page again');
      previous = page;
    },
    /** Call this before following the token. */
    assertNewToken(token: string): void {
      if (tokens.has(token)) throw endlessList('returned a nextPageToken that it had returned before');
      tokens.add(token);
    },
  };
}

function endlessList(problem: string): Failure {
  return new Failure('bad_response', {
    message: `The list has no end: the service ${problem}`,
    hint: 'The printed records may be the whole list. A proxy may have responded from its cache.',
  });
}

/** Returns enough of a record to tell two pages apart. */
function identityOf(record: JsonObject): unknown {
  return record['id'] ?? JSON.stringify(record);
}
