// Carries out a plan, one webhook after the other. A successor is created before its predecessor is deleted, so that no
// event is lost; after each step, a new plan can continue.

import type { Context } from '#cli/context.ts';
import type { RequestFormatter } from '#cli/send.ts';
import { operations } from '#contract/operation.ts';
import { Failure, toFailure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { learnStatus, type StatusChange, setStatus } from '../change/change-status.ts';
import { type Deleted, deleteAndForget, removeSecrets } from '../change/delete-one.ts';
import {
  newId,
  printRequests,
  recordCreated,
  sendCreate,
  withCreateRequest,
} from '../new-webhook/create-request.ts';
import { type Hook, listHooks, urlKey, urlKeyOf } from '../records/hook.ts';
import { storeForSuccessor } from '../secrets/secret-place.ts';
import { type HookEntry, toNewWebhook } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { compareWebhook } from './match-entries.ts';
import { type Applied, urlOf } from './plan-columns.ts';
import { findFacts } from './webhook-facts.ts';

export interface ApplyOptions {
  readonly secrets: ReadonlyMap<HookEntry, string>;
  /** The ids whose stored secrets stay, because the file refers to them. */
  readonly secretsToKeep: ReadonlySet<string>;
  readonly hooks: readonly Hook[];
  readonly again: string;
}

const suspension: StatusChange = { to: 'Suspended', effect: 'It delivers nothing until it is resumed.' };
const resumption: StatusChange = { to: 'Active', effect: 'Its deliveries start again.' };

/** Adds each finished item to `done`, which a failure therefore leaves complete. */
export async function applyPlan(
  context: Context,
  items: readonly PlanItem[],
  options: ApplyOptions,
  done: Applied[],
): Promise<void> {
  const before = new Map(options.hooks.map((hook) => [hook.record.id, hook]));
  const knownIds = new Set(before.keys());
  const run: Run = { ...options, before, knownIds, deleted: [], made: 0 };
  try {
    for (const item of items) {
      const webhook = await applyItem(context, item, run).catch((thrown: unknown) => {
        const progress = `${done.length} of ${items.length} changes were completed`;
        throw stoppedFailure(toFailure(thrown), item, progress, run);
      });
      if (webhook) knownIds.add(webhook.record.id);
      done.push({ item, webhook });
    }
  } finally {
    await context.webhookRecords.save();
    const unused = run.deleted.filter(({ id }) => !options.secretsToKeep.has(id));
    await removeSecrets(context, unused);
  }
}

interface Run extends ApplyOptions {
  readonly before: ReadonlyMap<string, Hook>;
  readonly knownIds: ReadonlySet<string>;
  readonly deleted: Deleted[];
  made: number;
}

async function applyItem(context: Context, item: PlanItem, run: Run): Promise<Hook | undefined> {
  const { before, knownIds } = run;
  const hookOf = (id: string) => before.get(id) ?? { record: { id } };
  if (item.change === 'suspend' || item.change === 'resume')
    return changeTo(context, run, item.change === 'suspend' ? suspension : resumption, hookOf(item.facts.id));
  if (item.change === 'delete') return remove(context, run, hookOf(item.facts.id));
  if (item.change !== 'create' && item.change !== 'replace') return undefined;
  const { entry } = item;
  const old = item.change === 'replace' ? item.facts : undefined;
  const secret = run.secrets.get(entry);
  const created = await createEntry(context, entry, secret, old?.label, knownIds);
  run.made++;
  const { id } = created.record;
  await context.report.info(`Created: ${entry.url} (${id}).`);
  if (secret !== undefined && entry.secret && 'stored' in entry.secret)
    await storeForSuccessor(context, id, secret);
  const isSuspended = entry.status === 'Suspended';
  if (!isSuspended) await learnStatus(context, created, true);
  const webhook = isSuspended ? await changeTo(context, run, suspension, created) : created;
  if (old) await remove(context, run, hookOf(old.id));
  return webhook;
}

async function changeTo(context: Context, run: Run, change: StatusChange, hook: Hook): Promise<Hook> {
  const webhook = await setStatus(context, hook, change);
  run.made++;
  return webhook;
}

async function remove(context: Context, run: Run, hook: Hook): Promise<undefined> {
  run.deleted.push(await deleteAndForget(context, hook));
  run.made++;
  return undefined;
}

/** Exit status 8 if anything was changed, unless the outcome is unknown. */
function stoppedFailure(failure: Failure, item: PlanItem, progress: string, { made, again }: Run): Failure {
  const hint = [failure.hint, again].filter(Boolean).join('\n');
  if (made === 0 || failure.meaning.changed !== 'no')
    return failure.with({ why: [failure.why, progress].filter(Boolean).join('; '), hint });
  return new Failure('part_failed', {
    message: progress,
    why: `${item.change} ${urlOf(item)}: ${failure.sentence}`,
    hint,
    cause: failure,
  });
}

async function createEntry(
  context: Context,
  entry: HookEntry,
  secret: string | undefined,
  label: string | undefined,
  knownIds: ReadonlySet<string>,
): Promise<Hook> {
  const webhook = { ...toNewWebhook(entry), ...omitUndefined({ secret }) };
  const sent = await sendCreate(context, webhook, label).catch(async (error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
    const found = await findCreated(context, entry, knownIds, error);
    await recordCreated(context, found, webhook, label);
    return [found];
  });
  const [created] = sent ?? [];
  if (created) return created;
  throw new Failure('bad_response', { message: `The service returned no webhook for ${entry.url}` });
}

/** The only new webhook that fits the entry. Throws `failure` if none fits, or several do. */
async function findCreated(
  context: Context,
  entry: HookEntry,
  knownIds: ReadonlySet<string>,
  failure: Failure,
): Promise<Hook> {
  const listed = await listHooks(context).catch(() => []);
  const matches = listed.filter((hook) => {
    if (knownIds.has(hook.record.id) || urlKeyOf(hook) !== urlKey(entry.url)) return false;
    return compareWebhook(entry, findFacts({ ...hook, local: undefined })).differences.length === 0;
  });
  const [match] = matches;
  if (match === undefined || matches.length > 1) throw failure;
  await context.report.warn(
    `The response to creating ${entry.url} was lost; the service lists the new webhook ${match.record.id}.`,
  );
  return match;
}

/** Shows each secret as its variable, and a stored one as WM_WEBHOOK_SECRET. */
export async function printPlannedRequests(context: Context, items: readonly PlanItem[]): Promise<void> {
  await printRequests(context, (format) => items.flatMap((item) => requestsOf(item, format)));
}

function requestsOf(item: PlanItem, format: RequestFormatter): readonly string[] {
  const setStatus = (webhookId: string, status: 'Active' | 'Suspended') =>
    format(operations.updateWebhook, { webhookId }, { status });
  const remove = (webhookId: string) => format(operations.deleteWebhook, { webhookId }, {});
  if (item.change === 'suspend') return [setStatus(item.facts.id, 'Suspended')];
  if (item.change === 'resume') return [setStatus(item.facts.id, 'Active')];
  if (item.change === 'delete') return [remove(item.facts.id)];
  if (item.change !== 'create' && item.change !== 'replace') return [];
  const { entry } = item;
  const webhook = { ...toNewWebhook(entry), ...(entry.secret === undefined ? {} : { secret: '' }) };
  return [
    withVariable(entry, withCreateRequest(webhook, format)),
    ...(entry.status === 'Suspended' ? [setStatus(newId, 'Suspended')] : []),
    ...(item.change === 'replace' ? [remove(item.facts.id)] : []),
  ];
}

/** A curl command then works where the file is applied. */
function withVariable({ secret }: HookEntry, line: string): string {
  if (secret === undefined || !('variable' in secret)) return line;
  return line.replace(/(?<=\bsecret=\W{0,3})WM_WEBHOOK_SECRET\b/, () => secret.variable);
}
