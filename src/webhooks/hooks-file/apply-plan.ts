// Carries out a plan, one webhook after the other. A successor is created before its predecessor is deleted, so that no
// event is lost; after each step, a new plan can continue.

import type { Context } from '#cli/context.ts';
import { Failure, toFailure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { learnStatus, setStatus } from '../change/change-status.ts';
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

/** What carries out an item, in this order. `status`: of what is created, or else of the item's webhook. */
export function stepsOf({ change, entry, hook }: PlanItem) {
  const created = change === 'create' || change === 'replace' ? entry : undefined;
  const to = { suspend: 'Suspended', resume: 'Active' } as const;
  const status =
    change === 'suspend' || change === 'resume'
      ? to[change]
      : created?.status === 'Suspended'
        ? created.status
        : undefined;
  return { created, status, deleted: change === 'replace' || change === 'delete' ? hook : undefined };
}

/** Returns the webhook after the change; undefined if it was deleted. */
async function applyItem(context: Context, item: PlanItem, run: Run): Promise<Hook | undefined> {
  const { created, status, deleted } = stepsOf(item);
  let hook = created ? await create(context, created, item.hook, run) : item.hook;
  if (hook && status) {
    const effect = 'It delivers nothing until it is resumed.';
    hook = await setStatus(context, hook, { to: status, ...(status === 'Suspended' && { effect }) });
    run.made++;
  } else if (hook && created) await learnStatus(context, hook, true);
  if (deleted) {
    run.deleted.push(await deleteAndForget(context, deleted));
    run.made++;
  }
  return deleted && !created ? undefined : hook;
}

async function create(context: Context, entry: HookEntry, old: Hook | undefined, run: Run): Promise<Hook> {
  const secret = run.secrets.get(entry);
  const webhook = { ...toNewWebhook(entry.url, entry), ...omitUndefined({ secret }) };
  const options = { label: old?.local?.label, before: run.knownIds };
  const [created] = (await sendCreate(context, webhook, options)) ?? [];
  if (!created)
    throw new Failure('bad_response', { message: `The service returned no webhook for ${entry.url}` });
  const { id } = created.record;
  run.knownIds.add(id);
  run.made++;
  await context.report.info(`Created: ${entry.url} (${id}).`);
  if (secret !== undefined && entry.secret && 'stored' in entry.secret)
    await storeForSuccessor(context, id, secret);
  return created;
}

/** Exit status 8 if anything was changed, unless the outcome is unknown. */
function stoppedFailure(failure: Failure, item: PlanItem, progress: string, { made, again }: Run): Failure {
  const isWhole = made === 0 || failure.meaning.changed !== 'no';
  const hint = [failure.hint, again].filter(Boolean).join('\n');
  if (isWhole) return failure.with({ why: [failure.why, progress].filter(Boolean).join('; '), hint });
  return new Failure('part_failed', {
    message: progress,
    why: `${item.change} ${toPlanRow(item).url}: ${failure.sentence}`,
    hint,
    cause: failure,
  });
}

/** For a dry run. Shows each secret as its variable, and a stored one as WM_WEBHOOK_SECRET. */
export function requestsOf(item: PlanItem, requests: WebhookRequests): readonly string[] {
  const { created, status, deleted } = stepsOf(item);
  const id = created ? newId : (item.hook?.record.id ?? '');
  const secret = created?.secret && { secret: 'stored' };
  return [
    ...(created
      ? [withVariable(created, requests.create({ ...toNewWebhook(created.url, created), ...secret }))]
      : []),
    ...(status ? [requests.setStatus(id, status)] : []),
    ...(deleted ? [requests.remove(deleted.record.id)] : []),
  ];
}

/** A curl command then works where the file is applied. */
function withVariable({ secret }: HookEntry, line: string): string {
  if (secret === undefined || !('variable' in secret)) return line;
  return line.replace(/(?<=\bsecret=\W{0,3})WM_WEBHOOK_SECRET\b/, () => secret.variable);
}
