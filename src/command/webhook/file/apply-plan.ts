// Does what a plan says, one webhook after the other: a successor is created before its predecessor is deleted, so that no
// event is lost. Each step leaves a state from which a new plan continues.

import { Failure, toFailure } from '../../../failure.ts';
import type { Column } from '../../../terminal/table.ts';
import type { Context } from '../../context.ts';
import { makeChange, type StatusChange } from '../change/change-status.ts';
import { deleteOne } from '../change/delete-one.ts';
import { readLocalWebhooks } from '../local/local-webhooks.ts';
import { type ReadWebhook, statusOf } from '../select/read-webhook.ts';
import { createEntry } from './create-entry.ts';
import { describeScope, type HookEntry } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { urlOf } from './plan-columns.ts';

export interface Applied {
  readonly item: PlanItem;
  /** As the service has it afterwards; nothing if it was deleted. */
  readonly webhook: ReadWebhook | undefined;
}

const idOf = ({ item, webhook }: Applied) =>
  webhook?.record.id ?? ('facts' in item ? (item.facts?.id ?? '') : '');

export const appliedColumns: readonly Column<Applied>[] = [
  { title: 'id', cell: idOf, unbroken: true },
  { title: 'status', cell: ({ webhook }) => (webhook ? (statusOf(webhook) ?? '') : 'deleted') },
  { title: 'change', cell: ({ item }) => item.change },
  { title: 'url', cell: ({ item }) => urlOf(item) },
  {
    title: 'scope',
    cell: ({ item }) => {
      const { scope, recursive } = ('entry' in item ? item.entry : item.facts) ?? {};
      return describeScope(scope, recursive);
    },
  },
  { title: 'replaced', cell: ({ item }) => (item.change === 'replace' ? item.facts.id : '') },
];

export function toAppliedJson(applied: Applied): object {
  const { item, webhook } = applied;
  return {
    change: item.change,
    id: idOf(applied),
    url: urlOf(item),
    replaced: item.change === 'replace' ? item.facts.id : undefined,
    webhook: webhook?.raw,
  };
}

export interface Applying {
  readonly secrets: ReadonlyMap<HookEntry, string>;
  readonly webhooks: readonly ReadWebhook[];
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
  const before = new Map(applying.webhooks.map((one) => [one.record.id, one]));
  const knownIds = new Set(before.keys());
  const progress = { made: 0 };
  for (const item of items) {
    try {
      const webhook = await applyItem(context, item, { ...applying, before, knownIds, progress });
      if (webhook) knownIds.add(webhook.record.id);
      done.push({ item, webhook });
    } catch (thrown) {
      throw stoppedFailure(
        toFailure(thrown),
        item,
        { ...progress, done: done.length, all: items.length },
        applying.again,
      );
    }
  }
}

async function applyItem(
  context: Context,
  item: PlanItem,
  {
    secrets,
    before,
    knownIds,
    progress,
  }: Applying & {
    readonly before: ReadonlyMap<string, ReadWebhook>;
    readonly knownIds: ReadonlySet<string>;
    /** How many requests have changed something. */
    readonly progress: { made: number };
  },
): Promise<ReadWebhook | undefined> {
  const local = await readLocalWebhooks(context);
  const change = async (id: string, seen: ReadWebhook | undefined, to: StatusChange) => {
    const changed = await makeChange(context, id, seen?.record, { ...to, local });
    progress.made++;
    return changed;
  };
  const remove = async (id: string) => {
    await deleteOne(context, { id, record: before.get(id)?.record });
    progress.made++;
  };
  if (item.change === 'suspend') return change(item.facts.id, before.get(item.facts.id), suspending);
  if (item.change === 'resume') return change(item.facts.id, before.get(item.facts.id), resuming);
  if (item.change === 'delete') {
    await remove(item.facts.id);
    return undefined;
  }
  if (item.change !== 'create' && item.change !== 'replace') return undefined;
  const { entry } = item;
  const old = item.change === 'replace' ? item.facts : undefined;
  const label = entry.label ?? old?.label;
  const created = await createEntry(context, entry, { secret: secrets.get(entry), label, knownIds });
  progress.made++;
  const { id } = created.record;
  await context.report.info(`Created: ${entry.url} (${id}).`);
  const webhook = entry.status === 'Suspended' ? await change(id, created, suspending) : created;
  if (old) await remove(old.id);
  return webhook;
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
