// Reads a list that the service has for the account and for each space.

import { followPages, type Pages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Operation } from '#contract/operation.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import type { Context } from '../context.ts';
import { readPages, readWholeList } from '../read-pages.ts';
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

/** These workflows of the account, then those of each space, which the account's list leaves out. Each comes once. */
export async function* withWorkflowsOfSpaces(
  session: Pick<Session, 'send'>,
  own: Pages<Workflow>,
): Pages<Workflow> {
  const seen = new Set<string>();
  for await (const page of own) {
    for (const { id } of page.records) seen.add(id);
    yield page;
  }
  for (const { id: spaceId } of await readWholeList(session, accountOperations.listSpaces))
    for await (const page of followPages(session, accountOperations.listSpaceWorkflows, { spaceId }, {})) {
      const isNew = ({ id }: { readonly id?: unknown }) => !seen.has(String(id));
      yield { records: page.records.filter(isNew), raw: page.raw.filter(isNew) };
      for (const { id } of page.records) seen.add(id);
    }
}
