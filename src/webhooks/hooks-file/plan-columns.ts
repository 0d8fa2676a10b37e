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

export interface Applied {
  readonly item: PlanItem;
  /** The webhook after the change; undefined if it was deleted. */
  readonly webhook: Hook | undefined;
}

/** A change as `webhook apply` prints it, in a table and as JSON. */
export function toAppliedRow({ item, webhook }: Applied) {
  const { change, id, url, scope } = toPlanRow(item);
  const replaced = change === 'replace' ? id : undefined;
  const json = { change, id: webhook?.record.id ?? id, url, replaced, webhook: webhook?.raw };
  return { ...json, status: webhook ? webhook.record.status : 'deleted', scope, json };
}

type Title = 'change' | 'id' | 'url' | 'scope' | 'label' | 'line' | 'why' | 'status' | 'replaced';
type Row = { readonly [T in Title]?: string | number | readonly string[] | undefined };

const columnsOf = (...titles: readonly Title[]) =>
  titles.map(
    (title): Column<Row> => ({
      title,
      cell: (row) => [row[title] ?? ''].flat().join('; '),
      ...(title === 'id' && { unbroken: true }),
      ...(title === 'change' && {
        format: ({ change }, style) => (change === 'same' ? style.good : style.notice),
      }),
    }),
  );

export const planColumns = columnsOf('change', 'id', 'url', 'scope', 'label', 'line', 'why');
export const appliedColumns = columnsOf('id', 'status', 'change', 'url', 'scope', 'replaced');

/** One line of the confirmation: `create http://hooks.example.com/billing for the account: ...`. */
export function describeItem(item: PlanItem): string {
  const { change, id, url, scope, label, why } = toPlanRow(item);
  const names = [url, label && `'${label}'`, id && `(${id})`].filter(Boolean);
  return sanitizeLine(`${change} ${names.join(' ')} for ${scope}: ${why.join('; ')}`);
}
