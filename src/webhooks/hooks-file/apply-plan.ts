// Carries out a plan, one webhook after the other. A successor is created before its predecessor is deleted, so that no
// event is lost; after each step, a new plan can continue.

import type { Context } from '#cli/context.ts';
import { Failure, toFailure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { learnStatus, type StatusChange, setStatus } from '../change/change-status.ts';
import { type Deleted, deleteAndForget } from '../change/delete-one.ts';
import { newId, sendCreate, toNewWebhook, type WebhookRequests } from '../new-webhook/create-request.ts';
import type { Hook } from '../records/hook.ts';
import { removeSecrets } from '../secrets/remove-secrets.ts';
import { storeForSuccessor } from '../secrets/secret-place.ts';
import type { HookEntry } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { type Applied, toPlanRow } from './plan-columns.ts';

interface ApplyOptions {
  readonly secrets: ReadonlyMap<HookEntry, string>;
  /** The ids whose stored secrets stay, because the file refers to them. */
  readonly secretsToKeep: ReadonlySet<string>;
  /** The ids of all webhooks, to recognise a new one. */
  readonly knownIds: Set<string>;
  readonly again: string;
}

const suspension: StatusChange = { to: 'Suspended', effect: 'It delivers nothing until it is resumed.' };

/** Adds each finished item to `done`, which a failure therefore leaves complete. */
export async function applyPlan(
  context: Context,
  items: readonly PlanItem[],
  options: ApplyOptions,
  done: Applied[],
): Promise<void> {
  const run: Run = { ...options, deleted: [], made: 0 };
  try {
    for (const item of items) {
      const webhook = await applyItem(context, item, run).catch((thrown: unknown) => {
        const progress = `${done.length} of ${items.length} changes were completed`;
        throw stoppedFailure(toFailure(thrown), item, progress, run);
      });
      done.push({ item, webhook });
    }
  } finally {
    await (await context.webhookRecords()).save();
    const unused = run.deleted.filter(({ id }) => !options.secretsToKeep.has(id));
    await removeSecrets(context, unused);
  }
}

interface Run extends ApplyOptions {
  readonly deleted: Deleted[];
  made: number;
}

async function applyItem(context: Context, item: PlanItem, run: Run): Promise<Hook | undefined> {
  if (item.change === 'suspend' || item.change === 'resume')
    return changeTo(context, run, item.change === 'suspend' ? suspension : { to: 'Active' }, item.hook);
  if (item.change === 'delete') return remove(context, run, item.hook);
  if (item.change !== 'create' && item.change !== 'replace') return undefined;
  const { entry } = item;
  const old = item.change === 'replace' ? item.hook : undefined;
  const secret = run.secrets.get(entry);
  const webhook = { ...toNewWebhook(entry.url, entry), ...omitUndefined({ secret }) };
  const [created] =
    (await sendCreate(context, webhook, { label: old?.local?.label, before: run.knownIds })) ?? [];
  if (!created)
    throw new Failure('bad_response', { message: `The service returned no webhook for ${entry.url}` });
  const { id } = created.record;
  run.knownIds.add(id);
  run.made++;
  await context.report.info(`Created: ${entry.url} (${id}).`);
  if (secret !== undefined && entry.secret && 'stored' in entry.secret)
    await storeForSuccessor(context, id, secret);
  const isSuspended = entry.status === 'Suspended';
  if (!isSuspended) await learnStatus(context, created, true);
  const after = isSuspended ? await changeTo(context, run, suspension, created) : created;
  if (old) await remove(context, run, old);
  return after;
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
    why: `${item.change} ${toPlanRow(item).url}: ${failure.sentence}`,
    hint,
    cause: failure,
  });
}

/** For a dry run. Shows each secret as its variable, and a stored one as WM_WEBHOOK_SECRET. */
export function requestsOf(
  item: PlanItem,
  { create, setStatus, remove }: WebhookRequests,
): readonly string[] {
  if (item.change === 'suspend') return [setStatus(item.hook.record.id, 'Suspended')];
  if (item.change === 'resume') return [setStatus(item.hook.record.id, 'Active')];
  if (item.change === 'delete') return [remove(item.hook.record.id)];
  if (item.change !== 'create' && item.change !== 'replace') return [];
  const { entry } = item;
  const webhook = {
    ...toNewWebhook(entry.url, entry),
    ...(entry.secret === undefined ? {} : { secret: 'stored' }),
  };
  return [
    withVariable(entry, create(webhook)),
    ...(entry.status === 'Suspended' ? [setStatus(newId, 'Suspended')] : []),
    ...(item.change === 'replace' ? [remove(item.hook.record.id)] : []),
  ];
}

/** A curl command then works where the file is applied. */
function withVariable({ secret }: HookEntry, line: string): string {
  if (secret === undefined || !('variable' in secret)) return line;
  return line.replace(/(?<=\bsecret=\W{0,3})WM_WEBHOOK_SECRET\b/, () => secret.variable);
}
