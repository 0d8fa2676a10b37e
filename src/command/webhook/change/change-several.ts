// Suspends or resumes several webhooks one after the other, and reads each back. If one fails, it is reported by URL and
// id and the others are still tried: in an incident, as many as possible should stop. Only a failure that all of them
// would have ends the command.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { printEachIfDryRun } from '../../send.ts';
import { webhookColumns } from '../display/columns.ts';
import type { Chosen } from '../select/choose.ts';
import { type ReadWebhook, readWebhook } from '../select/read-webhook.ts';
import { endedEarly, interruptHint, partFailed } from './change-progress.ts';
import {
  changeStatus,
  makeChange,
  readBefore,
  reportUnchanged,
  type StatusChange,
  webhookSubject,
} from './change-status.ts';
import { type ChangeTarget, confirmTargets, describeWebhook } from './confirm.ts';

/** One webhook as well as several. `note` is stored with those that are suspended. */
export async function changeStatuses(
  context: Context,
  { ids, known, isGuess }: Chosen,
  wanted: StatusChange,
): Promise<void> {
  // A user who picks from a list may have meant the line above.
  const change = { ...wanted, asks: wanted.asks || isGuess };
  const [only, ...more] = ids;
  if (only !== undefined && more.length === 0) return changeStatus(context, only, change);
  const parameters = { status: change.to };
  const paths = ids.map((webhookId) => ({ webhookId }));
  if (await printEachIfDryRun(context, operations.updateWebhook, paths, parameters)) return;
  for (const path of paths) prepareRequest(operations.updateWebhook, path, parameters);

  const outcomes = new Map<string, ReadWebhook | Failure>();
  const before = new Map<string, ReadWebhook | undefined>();
  const standing = {
    given: context,
    ids,
    outcomes,
    change,
    nameOf: (id: string) => describeById(before, id),
  };
  await readEach(context, ids, { known, before, outcomes }).catch((thrown: unknown) => {
    throw endedEarly(toFailure(thrown), standing);
  });
  await confirm(context, before, change);

  context.onInterruptHint(() => interruptHint(standing));
  const ending = await changeEach(context, before, outcomes, change);
  await show(context, [...outcomes.values()]);
  const failure = ending ? endedEarly(ending, standing) : partFailed(standing);
  if (failure) throw failure;
}

/** As a line of several names it. */
export function describeById(before: ReadonlyMap<string, ReadWebhook | undefined>, id: string): string {
  const record = before.get(id)?.record;
  return record ? describeWebhook({ id, record }) : id;
}

/** Fills `before` with those that may be changed; a look that is refused is an outcome. */
async function readEach(
  context: Context,
  ids: readonly string[],
  {
    known,
    before,
    outcomes,
  }: {
    readonly known: ReadonlyMap<string, ReadWebhook>;
    readonly before: Map<string, ReadWebhook | undefined>;
    readonly outcomes: Map<string, ReadWebhook | Failure>;
  },
): Promise<void> {
  for (const id of ids) {
    const seen = known.get(id) ?? (await tryOne(context, { id }, () => readBefore(context, id)));
    if (seen instanceof Failure) outcomes.set(id, seen);
    else before.set(id, seen);
  }
}

/** The failure that kept the rest from being tried, where there was one. */
async function changeEach(
  context: Context,
  before: ReadonlyMap<string, ReadWebhook | undefined>,
  outcomes: Map<string, ReadWebhook | Failure>,
  change: StatusChange,
): Promise<Failure | undefined> {
  for (const [id, seen] of before) {
    try {
      outcomes.set(id, await changeOne(context, id, seen, change));
    } catch (thrown) {
      const failure = toFailure(thrown);
      outcomes.set(id, failure);
      return failure;
    }
  }
  return undefined;
}

async function changeOne(
  context: Context,
  id: string,
  before: ReadWebhook | undefined,
  change: StatusChange,
): Promise<ReadWebhook | Failure> {
  return tryOne(context, { id, record: before?.record }, async () => {
    // While somebody was asked about the others, this one may have been changed.
    const now = before?.record.status === change.to ? await readWebhook(context, id) : before;
    return now?.record.status === change.to
      ? reportUnchanged(context, now, change)
      : makeChange(context, id, now, change);
  });
}

/** Once for all that will be changed. */
async function confirm(
  context: Context,
  before: ReadonlyMap<string, ReadWebhook | undefined>,
  { to, verb, asks }: StatusChange,
): Promise<void> {
  const toChange = [...before].filter(([, seen]) => seen?.record.status !== to);
  if (!asks) return;
  await confirmTargets(
    context,
    verb,
    toChange.map(([id, seen]) => ({ id, record: seen?.record })),
  );
}

/** What it gives; or, after it was said with the id, why it gives nothing. */
export async function tryOne<T>(
  context: Context,
  target: ChangeTarget,
  run: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || !mayDiffer(error)) throw error;
    const named = withWebhookName(error, target);
    await context.report.failure(named);
    return named;
  }
}

/** Whether the request for another webhook may end differently. */
function mayDiffer({ meaning }: Failure): boolean {
  return meaning.concerns === 'record' || meaning.concerns === 'service';
}

function withWebhookName(failure: Failure, { id, record }: ChangeTarget): Failure {
  if (failure.message.includes(id)) return failure;
  return failure.with({ message: `${webhookSubject(id, record)}: ${failure.message}` });
}

async function show(context: Context, all: readonly (ReadWebhook | Failure)[]): Promise<void> {
  const seen = all.flatMap((one) => (one instanceof Failure ? [] : [one]));
  await context.report.each({
    columns: webhookColumns,
    records: seen.map(({ record }) => record),
    raw: seen.map(({ raw }) => raw),
  });
}
