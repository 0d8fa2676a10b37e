// Reads the pages of a list for a command, or only prints its request (--dry-run, --curl).

import { firstSize, followPages, type PageOptions, type Pages } from '#client/follow-pages.ts';
import { type PathArguments, prepareRequest } from '#client/request.ts';
import type { Session } from '#client/session.ts';
import type { Operation } from '#contract/operation.ts';
import { inPages } from '#contract/page-parameters.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { Failure, isInterruption } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Context } from './context.ts';
import { printIfDryRun } from './send.ts';

/** Undefined if only printed. Rejects an invalid value before the user has to sign in; the pages throw every other failure. */
export async function readPages<P extends Parameters, R>(
  context: Context,
  operation: Operation<P, R>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
  options: PageOptions = {},
): Promise<Pages<R> | undefined> {
  const paged = inPages(operation);
  const first = { ...parameters, ...omitUndefined({ pageSize: firstSize(options) }) };
  if (await printIfDryRun(context, paged, [{ path, parameters: first }])) return undefined;
  prepareRequest(paged, path, first);
  return followPages(await context.session(), operation, path, parameters, options);
}

export async function readWholeList<P extends Parameters, R>(
  session: Pick<Session, 'send'>,
  operation: Operation<P, R>,
  path: PathArguments = {},
  parameters: ArgumentsOf<P> = {},
  options: PageOptions = {},
): Promise<readonly R[]> {
  const list: R[] = [];
  for await (const { records } of followPages(session, operation, path, parameters, options))
    list.push(...records);
  return list;
}

/** Empty if the account cannot read it. Throws a failure that may pass: the list may have a name that would be sent as an id. */
export const readIfAllowed = <T>(list: () => Promise<readonly T[]>) =>
  emptyAfter(({ meaning }) => meaning.retry === 'never', list);

/** Empty if it cannot be read: its entries would only be a help. */
export const readOrNone = <T>(list: () => Promise<readonly T[]>) =>
  emptyAfter(({ code }) => !isInterruption(code), list);

/** Empty after a failure for which `isExpected` is true. */
export async function emptyAfter<T>(
  isExpected: (failure: Failure) => boolean,
  list: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof Failure && isExpected(error)) return [];
    throw error;
  }
}
