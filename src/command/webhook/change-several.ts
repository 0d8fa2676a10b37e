// Suspending and resuming several webhooks: one after the other, each read back. What fails is told by its id, and keeps
// none of the others from being tried: whoever does this at night wants as many of them stopped as can be. Only what
// would fail all of them ends it.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { asFailure, Failure, type FailureCode, interruptions } from '../../failure.ts';
import type { Context } from '../context.ts';
import { showEachInstead } from '../send.ts';
import {
  changeStatus,
  lookBefore,
  makeChange,
  question,
  type StatusChange,
  showBefore,
} from './change-status.ts';
import { webhookColumns } from './columns.ts';
import { readWebhook, type Seen } from './pick.ts';
import { endedBy, howToGoOn, partFailed } from './standing.ts';

/** One webhook, be it picked from a list, as well as several; an id that is given twice counts once. */
export async function changeStatuses(
  context: Context,
  given: readonly string[],
  change: StatusChange,
): Promise<void> {
  const ids = [...new Set(given)];
  if (ids.length < 2) return changeStatus(context, ids[0], change);
  const parameters = { status: change.to };
  const paths = ids.map((webhookId) => ({ webhookId }));
  if (await showEachInstead(context, operations.updateWebhook, paths, parameters)) return;
  for (const path of paths) prepare(operations.updateWebhook, path, parameters);

  const outcomes = new Map<string, Seen | Failure>();
  const before = await lookAtEach(context, ids, outcomes).catch((thrown: unknown) => {
    throw endedBy(asFailure(thrown), ids, outcomes, change);
  });
  await confirm(context, before, change);

  context.ifInterrupted(() => howToGoOn(ids, outcomes, change));
  const ending = await changeEach(context, before, outcomes, change);
  await show(context, [...outcomes.values()]);
  const failure = ending ? endedBy(ending, ids, outcomes, change) : partFailed(ids, outcomes, change);
  if (failure) throw failure;
}

/** Those that may be changed; a look that is refused is an outcome. */
async function lookAtEach(
  context: Context,
  ids: readonly string[],
  outcomes: Map<string, Seen | Failure>,
): Promise<ReadonlyMap<string, Seen | undefined>> {
  const before = new Map<string, Seen | undefined>();
  for (const id of ids) {
    const seen = await tried(context, id, () => lookBefore(context, id));
    if (seen instanceof Failure) outcomes.set(id, seen);
    else before.set(id, seen);
  }
  return before;
}

/** The failure that kept the rest from being tried, where there was one. */
async function changeEach(
  context: Context,
  before: ReadonlyMap<string, Seen | undefined>,
  outcomes: Map<string, Seen | Failure>,
  change: StatusChange,
): Promise<Failure | undefined> {
  for (const [id, seen] of before) {
    try {
      outcomes.set(id, await changed(context, id, seen, change));
    } catch (thrown) {
      const failure = asFailure(thrown);
      outcomes.set(id, failure);
      return failure;
    }
  }
  return undefined;
}

async function changed(
  context: Context,
  id: string,
  before: Seen | undefined,
  change: StatusChange,
): Promise<Seen | Failure> {
  return tried(context, id, async () => {
    // While somebody was asked about the others, this one may have been changed.
    const now = before?.record.status === change.to ? await readWebhook(context, id) : before;
    if (now?.record.status !== change.to) return makeChange(context, id, change);
    await context.report.say(`Webhook ${id} is ${change.to} already; nothing was changed.`);
    return now;
  });
}

/** Once for all that will be changed. */
async function confirm(
  context: Context,
  before: ReadonlyMap<string, Seen | undefined>,
  { to, verb, asks }: StatusChange,
): Promise<void> {
  const toChange = [...before].filter(([, seen]) => seen?.record.status !== to);
  if (!asks || toChange.length === 0) return;
  await showBefore(
    context,
    toChange.flatMap(([, seen]) => (seen ? [seen.record] : [])),
  );
  const ids = toChange.map(([id]) => id);
  await context.confirm(
    question(
      verb,
      ids,
      ids.filter((id) => !before.get(id)),
    ),
  );
}

/** These are about no single webhook: the others would fare no better. */
const ends: readonly FailureCode[] = ['usage', 'sign_in_needed', 'token_store', ...interruptions, 'internal'];

/** What it gives; or, after it was said with the id, why it gives nothing. */
async function tried<T>(context: Context, id: string, run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || ends.includes(error.code)) throw error;
    const named = naming(error, id);
    await context.report.failure(named);
    return named;
  }
}

function naming(failure: Failure, id: string): Failure {
  if (failure.message.includes(id)) return failure;
  const { code, message, why, hint, word, httpStatus, cause } = failure;
  return new Failure(code, { what: `Webhook ${id}: ${message}`, why, hint, word, httpStatus, cause });
}

async function show(context: Context, all: readonly (Seen | Failure)[]): Promise<void> {
  const seen = all.flatMap((one) => (one instanceof Failure ? [] : [one]));
  await context.report.list({
    columns: webhookColumns,
    records: seen.map(({ record }) => record),
    raw: seen.map(({ raw }) => raw),
  });
}
