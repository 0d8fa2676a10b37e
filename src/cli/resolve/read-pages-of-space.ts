// Reads a list that the service has for the account and for each space.

import type { Pages } from '#client/follow-pages.ts';
import type { Operation } from '#contract/operation.ts';
import type { Context } from '../context.ts';
import { readPages } from '../read-pages.ts';
import { resolvePlace } from './resolve-place.ts';

/** Like `readPages`, for the space with this title or id, or for the account. */
export async function readPagesOfSpace<R>(
  context: Context,
  { all, ofSpace }: Readonly<Record<'all' | 'ofSpace', Operation<Record<never, never>, R>>>,
  space: string | undefined,
): Promise<Pages<R> | undefined> {
  if (space === undefined) return readPages(context, all, {}, {});
  return readPages(context, ofSpace, { spaceId: await resolvePlace(context, space, 'space') }, {});
}
