// Plans the changes that bring the webhooks of the service in line with a file, and formats them for people and for scripts.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { formatCommandWith, formatRepeatedCommand, type RepeatContext } from '#cli/format-command.ts';
import { commandHint, usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { describeScope, settingsOf } from '../coverage.ts';
import { type Hook, listAllHooks, onlyThisApplication } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';
import { type PlanItem, type PlanOptions, planChanges } from './hooks-plan.ts';

export const planFlags = {
  replaceUnknown: booleanFlag('Also replace webhooks whose events are unknown, or that wm cannot tell apart'),
  deleteOthers: booleanFlag('Also delete the webhooks whose URL and scope are not in the file'),
};

export async function readPlan(context: Context, entries: readonly HookEntry[], options: PlanOptions) {
  const hooks = await listAllHooks(context, 'compare them with the file');
  if (!context.isDryRun) await (await context.webhookRecords()).observe(hooks);
  return { items: planChanges(entries, hooks, options), hooks };
}

/** Names the webhooks that are left alone, on standard error. */
export async function reportOthers({ report }: Context, items: readonly PlanItem[]): Promise<void> {
  const others = items.filter(({ change }) => change === 'other');
  if (others.length > 0)
    await report.info(
      `Not in the file, and left alone: ${countOf(others.length, 'webhook')}. To delete what is not in the file: --delete-others`,
    );
  await report.info(onlyThisApplication);
}

export function assertNotBlocked(context: RepeatContext, path: string, changes: readonly PlanItem[]): void {
  const blocked = changes.flatMap((item) => (item.change === 'blocked' ? [item] : []));
  if (blocked.length === 0) return;
  const why = blocked.map((item) => item.why.join('; '));
  throw usageError(
    `${countOf(blocked.length, 'webhook')} cannot be brought in line with the file; nothing was changed`,
    blocked.every(({ needsFlag }) => needsFlag)
      ? commandHint(
          'To replace them anyway: ',
          formatRepeatedCommand(context, 'webhook apply', [path], [], '--replace-unknown'),
        )
      : commandHint('To see which: ', formatCommandWith(context, 'webhook diff', [path])),
    [...new Set(why)].join('; '),
  );
}

/** An item as `webhook diff` prints it. */
export function toPlanRow({ change, entry, hook, why }: PlanItem) {
  return {
    change,
    id: hook?.record.id,
    url: entry?.url ?? hook?.record.hookUrl ?? 'no URL',
    scope: describeScope(entry ?? (hook ? settingsOf(hook) : {})),
    label: entry?.label ?? hook?.local?.label,
    line: entry?.line,
    why,
  };
}

export const planColumns: readonly Column<ReturnType<typeof toPlanRow>>[] = [
  {
    title: 'change',
    cell: ({ change }) => change,
    format: ({ change }, style) => (change === 'same' ? style.good : style.notice),
  },
  { title: 'id', cell: ({ id }) => id ?? '', unbroken: true },
  { title: 'url', cell: ({ url }) => url },
  { title: 'scope', cell: ({ scope }) => scope },
  { title: 'label', cell: ({ label }) => label ?? '' },
  { title: 'line', cell: ({ line }) => String(line ?? '') },
  { title: 'why', cell: ({ why }) => why.join('; ') },
];

/** One line of the confirmation: `create http://hooks.example.com/billing for the account: ...`. */
export function describeItem(item: PlanItem): string {
  const { change, id, url, scope, label, why } = toPlanRow(item);
  const names = [url, label && `'${label}'`, id && `(${id})`].filter(Boolean);
  return sanitizeLine(`${change} ${names.join(' ')} for ${scope}: ${why.join('; ')}`);
}

export interface Applied {
  readonly item: PlanItem;
  /** The webhook after the change; undefined if it was deleted. */
  readonly webhook: Hook | undefined;
}

/** A change as `webhook apply` prints it. */
export function toAppliedRow({ item, webhook }: Applied) {
  const { change, id, url, scope } = toPlanRow(item);
  const replaced = change === 'replace' ? id : undefined;
  const status = webhook ? webhook.record.status : 'deleted';
  const json = { change, id: webhook?.record.id ?? id, url, replaced, webhook: webhook?.raw };
  return { ...json, status, scope, json };
}

export const appliedColumns: readonly Column<ReturnType<typeof toAppliedRow>>[] = [
  { title: 'id', cell: ({ id }) => id ?? '', unbroken: true },
  { title: 'status', cell: ({ status }) => status ?? '' },
  { title: 'change', cell: ({ change }) => change },
  { title: 'url', cell: ({ url }) => url },
  { title: 'scope', cell: ({ scope }) => scope },
  { title: 'replaced', cell: ({ replaced }) => replaced ?? '' },
];
