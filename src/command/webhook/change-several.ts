// Suspending and resuming several webhooks: one after the other, each read back. What fails is told by its id, and keeps
// none of the others from being tried: whoever does this at night wants as many of them stopped as can be.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { Failure, type FailureCode } from '../../failure.ts';
import type { Context } from '../context.ts';
import { and } from '../missing.ts';
import { showEachInstead } from '../send.ts';
import { capital, changeStatus, makeChange, type StatusChange, showBefore } from './change-status.ts';
import { webhookColumns } from './columns.ts';
import { readWebhook, type Seen } from './pick.ts';

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

  const before = new Map<string, Seen | Failure>();
  for (const id of ids) before.set(id, await tried(context, id, () => readWebhook(context, id)));
  await confirm(context, before, change);

  const after = new Map<string, Seen | Failure>();
  try {
    for (const [id, seen] of before) after.set(id, await changed(context, id, seen, change));
  } finally {
    await show(context, [...after.values()]);
  }
  const failures = [...after].flatMap(([id, one]) =>
    one instanceof Failure ? [{ id, code: one.code }] : [],
  );
  if (failures.length > 0) throw partFailed(failures, ids.length, change);
}

async function changed(
  context: Context,
  id: string,
  before: Seen | Failure,
  change: StatusChange,
): Promise<Seen | Failure> {
  if (before instanceof Failure) return before;
  if (before.record.status !== change.to) return tried(context, id, () => makeChange(context, id, change));
  await context.report.say(`Webhook ${id} is ${change.to} already; nothing was changed.`);
  return before;
}

/** Once for all that will be changed. */
async function confirm(
  context: Context,
  before: ReadonlyMap<string, Seen | Failure>,
  { to, verb, asks }: StatusChange,
): Promise<void> {
  const webhooks = [...before.values()].flatMap((seen) =>
    seen instanceof Failure || seen.record.status === to ? [] : [seen.record],
  );
  if (!asks || webhooks.length === 0) return;
  await showBefore(context, webhooks);
  const what =
    webhooks.length === 1
      ? `webhook ${webhooks[0]?.id}`
      : `${webhooks.length} webhooks (${webhooks.map(({ id }) => id).join(', ')})`;
  await context.confirm(`${capital(verb)} ${what}?`);
}

/** These are about no single webhook: the others would fare no better. */
const ends: readonly FailureCode[] = [
  'usage',
  'sign_in_needed',
  'token_store',
  'interrupted',
  'terminated',
  'hung_up',
  'internal',
];

/** What it gives; or, after it was said with the id, why it gives nothing. */
async function tried(context: Context, id: string, run: () => Promise<Seen>): Promise<Seen | Failure> {
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

function partFailed(
  failures: readonly { readonly id: string; readonly code: FailureCode }[],
  all: number,
  { verb, done }: StatusChange,
): Failure {
  const idsOf = (unknown: boolean) =>
    failures.filter(({ code }) => (code === 'outcome_unknown') === unknown).map(({ id }) => id);
  const [not, unknown] = [idsOf(false), idsOf(true)];
  const were = (ids: readonly string[]) => (ids.length === 1 ? 'was' : 'were');
  const parts = [
    ...(not.length > 0 ? [`${not.length} of ${all} webhooks ${were(not)} not ${done}: ${and(not)}`] : []),
    ...(unknown.length > 0
      ? [
          `of ${and(unknown)} it is not known whether ${unknown.length === 1 ? 'it was' : 'they were'} ${done}`,
        ]
      : []),
  ];
  // What is not there will not be there the next time.
  const again = failures.filter(({ code }) => code !== 'not_found').map(({ id }) => id);
  return new Failure('part_failed', {
    what: capital(parts.join('; ')),
    hint: again.length > 0 ? `It can be repeated: wm webhook ${verb} ${again.join(' ')}` : undefined,
  });
}
