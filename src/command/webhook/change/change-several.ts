// Suspends or resumes several webhooks one after the other, and reads each back. If one fails, it is reported by URL and
// id and the others are still tried: in an incident, as many as possible should stop. Only a failure that all of them
// would have ends the command.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { printEachIfDryRun } from '../../send.ts';
import type { LocalWebhooks, NewNote } from '../local/local-webhook.ts';
import { observeWebhooks } from '../local/observe.ts';
import type { Chosen } from '../select/choose.ts';
import { type ReadWebhook, readWebhook } from '../select/read-webhook.ts';
import { endedEarly, interruptHint, partFailed } from './change-progress.ts';
import {
  changeStatus,
  type KnownChange,
  makeChange,
  readBefore,
  reportUnchanged,
  type StatusChange,
  showWebhooks,
  webhookSubject,
} from './change-status.ts';
import { type ChangeTarget, confirmTargets, describeWebhook } from './confirm.ts';
import { createBatch, type Recorded, recordStatuses } from './record-changes.ts';

/** One webhook as well as several. `note` is stored with those that are suspended. */
export async function changeStatuses(
  context: Context,
  { ids, known, local, isGuess }: Chosen,
  wanted: StatusChange,
  note?: NewNote,
): Promise<void> {
  // A user who picks from a list may have meant the line above.
  const change: KnownChange = { ...wanted, asks: wanted.asks || isGuess, local, note };
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
    nameOf: (id: string) => describeById(before, local, id),
  };
  await readEach(context, ids, { known, before, outcomes }).catch((thrown: unknown) => {
    throw endedEarly(toFailure(thrown), standing);
  });
  const observed = await observeWebhooks(
    context,
    [...before.values()].flatMap((seen) => (seen ? [seen.record] : [])),
    false,
    local,
  );
  await confirm(context, before, change);

  context.onInterruptHint(() => interruptHint(standing));
  const { ending, recorded } = await changeEach(context, before, outcomes, { ...change, local: observed });
  await showWebhooks(
    context,
    [...outcomes.values()].flatMap((one) => (one instanceof Failure ? [] : [one])),
    recorded,
  );
  const failure = ending ? endedEarly(ending, standing) : partFailed(standing);
  if (failure) throw failure;
}

/** As a line of several names it. */
export function describeById(
  before: ReadonlyMap<string, ReadWebhook | undefined>,
  local: LocalWebhooks,
  id: string,
): string {
  const record = before.get(id)?.record;
  return record ? describeWebhook({ id, record, local: local.get(id) }) : id;
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

/** What this machine knows then, and the failure that kept the rest from being tried, where there was one. */
async function changeEach(
  context: Context,
  before: ReadonlyMap<string, ReadWebhook | undefined>,
  outcomes: Map<string, ReadWebhook | Failure>,
  change: KnownChange,
): Promise<{ readonly ending: Failure | undefined; readonly recorded: LocalWebhooks }> {
  let recorded = change.local;
  const records = createBatch<Recorded>(context.world, async (some) => {
    recorded = await recordStatuses(context, some, change.note, recorded);
  });
  let ending: Failure | undefined;
  // Meanwhile; it never rejects.
  void change.note?.by();
  for (const [id, seen] of before) {
    try {
      const outcome = await changeOne(context, id, seen, change);
      outcomes.set(id, outcome instanceof Failure ? outcome : outcome.webhook);
      if (!(outcome instanceof Failure)) await records.add(outcome);
    } catch (thrown) {
      ending = toFailure(thrown);
      outcomes.set(id, ending);
      break;
    }
  }
  await records.flush();
  return { ending, recorded };
}

async function changeOne(
  context: Context,
  id: string,
  before: ReadWebhook | undefined,
  change: KnownChange,
): Promise<Recorded | Failure> {
  const target = { id, record: before?.record, local: change.local.get(id) };
  return tryOne(context, target, async () => {
    // While somebody was asked about the others, this one may have been changed.
    const now = before?.record.status === change.to ? await readWebhook(context, id) : before;
    return now?.record.status === change.to
      ? { webhook: await reportUnchanged(context, now, change), changed: false }
      : { webhook: await makeChange(context, id, now, change), changed: true };
  });
}

/** Once for all that will be changed. */
async function confirm(
  context: Context,
  before: ReadonlyMap<string, ReadWebhook | undefined>,
  { to, verb, asks, local }: KnownChange,
): Promise<void> {
  const toChange = [...before].filter(([, seen]) => seen?.record.status !== to);
  if (!asks) return;
  await confirmTargets(
    context,
    verb,
    toChange.map(([id, seen]) => ({ id, record: seen?.record, local: local.get(id) })),
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
