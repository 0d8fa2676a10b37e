// Does what a plan says, one webhook after the other: a successor is created before its predecessor is deleted, so that no
// event is lost. Each step leaves a state from which a new plan continues.

import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { makeChange, type StatusChange } from '../change/change-status.ts';
import { type Deleted, deleteOne } from '../change/delete-one.ts';
import {
  type Batch,
  createBatch,
  forgetWebhooks,
  type Recorded,
  recordStatuses,
} from '../change/record-changes.ts';
import type { LocalWebhooks } from '../local/local-webhook.ts';
import { storeForSuccessor } from '../secret/store-for-successor.ts';
import type { ReadWebhook } from '../select/read-webhook.ts';
import type { Applied } from './applied.ts';
import { createEntry } from './create-entry.ts';
import type { HookEntry } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { urlOf } from './plan-columns.ts';

export interface Applying {
  readonly secrets: ReadonlyMap<HookEntry, string>;
  /** Those that the file refers to: they stay, whatever is deleted. */
  readonly keptSecrets: ReadonlySet<string>;
  readonly webhooks: readonly ReadWebhook[];
  readonly local: LocalWebhooks;
  /** How to continue after a failure. */
  readonly again: string;
}

const suspending: StatusChange = {
  to: 'Suspended',
  verb: 'suspend',
  done: 'suspended',
  effect: 'It delivers nothing until it is resumed.',
  asks: false,
};
const resuming: StatusChange = {
  to: 'Active',
  verb: 'resume',
  done: 'resumed',
  effect: 'Its deliveries start again.',
  asks: false,
};

/** `done` is filled as it goes, so that a failure leaves what was done. */
export async function applyPlan(
  context: Context,
  items: readonly PlanItem[],
  applying: Applying,
  done: Applied[],
): Promise<void> {
  const { webhooks, local, keptSecrets } = applying;
  const before = new Map(webhooks.map((one) => [one.record.id, one]));
  const knownIds = new Set(before.keys());
  const statuses = createBatch<Recorded>(context.world, async (some) => {
    await recordStatuses(context, some, undefined, local);
  });
  const gone = createBatch<Deleted>(context.world, (some) =>
    forgetWebhooks(context, some, local, keptSecrets),
  );
  const run = { ...applying, before, knownIds, statuses, gone, made: 0 };
  try {
    for (const item of items) {
      const webhook = await applyItem(context, item, run).catch((thrown: unknown) => {
        const counts = { made: run.made, done: done.length, all: items.length };
        throw stoppedFailure(toFailure(thrown), item, counts, applying.again);
      });
      if (webhook) knownIds.add(webhook.record.id);
      done.push({ item, webhook });
    }
  } finally {
    await statuses.flush();
    await gone.flush();
  }
}

interface Run extends Applying {
  readonly before: ReadonlyMap<string, ReadWebhook>;
  readonly knownIds: ReadonlySet<string>;
  readonly statuses: Batch<Recorded>;
  readonly gone: Batch<Deleted>;
  /** How many requests have changed something. */
  made: number;
}

async function applyItem(context: Context, item: PlanItem, run: Run): Promise<ReadWebhook | undefined> {
  const { before, knownIds } = run;
  if (item.change === 'suspend' || item.change === 'resume') {
    const { id } = item.facts;
    return changeTo(context, run, item.change === 'suspend' ? suspending : resuming, id, before.get(id));
  }
  if (item.change === 'delete') return remove(context, run, item.facts.id);
  if (item.change !== 'create' && item.change !== 'replace') return undefined;
  const { entry } = item;
  const old = item.change === 'replace' ? item.facts : undefined;
  const secret = run.secrets.get(entry);
  const created = await createEntry(context, entry, { secret, label: old?.label, knownIds });
  run.made++;
  const { id } = created.record;
  await context.report.info(`Created: ${entry.url} (${id}).`);
  if (secret !== undefined && entry.secret && 'stored' in entry.secret)
    await storeForSuccessor(context, id, secret);
  const isToStop = entry.status === 'Suspended';
  if (!isToStop) await run.statuses.add({ webhook: created, changed: true });
  const webhook = isToStop ? await changeTo(context, run, suspending, id, created) : created;
  if (old) await remove(context, run, old.id);
  return webhook;
}

async function changeTo(
  context: Context,
  run: Run,
  change: StatusChange,
  id: string,
  seen: ReadWebhook | undefined,
): Promise<ReadWebhook> {
  const webhook = await makeChange(context, id, seen?.record, { ...change, local: run.local });
  run.made++;
  await run.statuses.add({ webhook, changed: true });
  return webhook;
}

async function remove(context: Context, run: Run, id: string): Promise<undefined> {
  const deleted = await deleteOne(context, {
    id,
    record: run.before.get(id)?.record,
    local: run.local.get(id),
  });
  run.made++;
  await run.gone.add(deleted);
  return undefined;
}

/** Exit status 8 if something was changed; an unknown outcome stays one. */
function stoppedFailure(
  failure: Failure,
  item: PlanItem,
  { made, done, all }: { readonly made: number; readonly done: number; readonly all: number },
  again: string,
): Failure {
  const hint = [failure.hint, again].filter(Boolean).join('\n');
  const progress = `${done} of ${all} changes were completed`;
  if (made === 0 || failure.meaning.changed !== 'no')
    return failure.with({ why: [failure.why, progress].filter(Boolean).join('; '), hint });
  return new Failure('part_failed', {
    message: progress,
    why: `${item.change} ${urlOf(item)}: ${failure.sentence}`,
    hint,
    cause: failure,
  });
}
