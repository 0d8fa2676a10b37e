// Does what a plan says, one webhook after the other: a successor is created before its predecessor is deleted, so that no
// event is lost. Each step leaves a state from which a new plan continues.

import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { learnStatus, type StatusChange, setStatus } from '../change/change-status.ts';
import { type Deleted, deleteAndForget, removeSecrets } from '../change/delete-one.ts';
import type { Hook } from '../hook.ts';
import { storeForSuccessor } from '../secret/store-for-successor.ts';
import type { Applied } from './applied.ts';
import { createEntry } from './create-entry.ts';
import type { HookEntry } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { urlOf } from './plan-columns.ts';

export interface Applying {
  readonly secrets: ReadonlyMap<HookEntry, string>;
  /** Those that the file refers to: they stay, whatever is deleted. */
  readonly keptSecrets: ReadonlySet<string>;
  readonly hooks: readonly Hook[];
  /** How to continue after a failure. */
  readonly again: string;
}

const suspending: StatusChange = { to: 'Suspended', effect: 'It delivers nothing until it is resumed.' };
const resuming: StatusChange = { to: 'Active', effect: 'Its deliveries start again.' };

/** `done` is filled as it goes, so that a failure leaves what was done. */
export async function applyPlan(
  context: Context,
  items: readonly PlanItem[],
  applying: Applying,
  done: Applied[],
): Promise<void> {
  const before = new Map(applying.hooks.map((one) => [one.record.id, one]));
  const knownIds = new Set(before.keys());
  const run: Run = { ...applying, before, knownIds, deleted: [], made: 0 };
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
    await (await context.webhookRecords()).save();
    await removeSecrets(
      context,
      run.deleted.filter(({ id }) => !applying.keptSecrets.has(id)),
    );
  }
}

interface Run extends Applying {
  readonly before: ReadonlyMap<string, Hook>;
  readonly knownIds: ReadonlySet<string>;
  readonly deleted: Deleted[];
  /** How many requests have changed something. */
  made: number;
}

async function applyItem(context: Context, item: PlanItem, run: Run): Promise<Hook | undefined> {
  const { before, knownIds } = run;
  if (item.change === 'suspend' || item.change === 'resume')
    return changeTo(
      context,
      run,
      item.change === 'suspend' ? suspending : resuming,
      before.get(item.facts.id) ?? { record: { id: item.facts.id } },
    );
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
  if (!isToStop) await learnStatus(context, created, true);
  const webhook = isToStop ? await changeTo(context, run, suspending, created) : created;
  if (old) await remove(context, run, old.id);
  return webhook;
}

async function changeTo(context: Context, run: Run, change: StatusChange, seen: Hook): Promise<Hook> {
  const webhook = await setStatus(context, seen, change);
  run.made++;
  return webhook;
}

async function remove(context: Context, run: Run, id: string): Promise<undefined> {
  run.deleted.push(await deleteAndForget(context, run.before.get(id) ?? { record: { id } }));
  run.made++;
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
