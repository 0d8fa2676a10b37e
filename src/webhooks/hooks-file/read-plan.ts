// Reads the file and the webhooks of the service, and plans the changes.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { formatCommandWith, formatRepeatedCommand, type RepeatContext } from '#cli/format-command.ts';
import { commandHint, usageError } from '#failure.ts';
import { type Hook, listAllHooks, onlyThisApplication } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';
import { type PlanItem, type PlanOptions, planChanges } from './hooks-plan.ts';
import { findFacts } from './webhook-facts.ts';

export const planFlags = {
  replaceUnknown: booleanFlag('Also replace webhooks whose events are unknown, or that wm cannot tell apart'),
  deleteOthers: booleanFlag('Also delete the webhooks whose URL and scope are not in the file'),
};

export async function readPlan(
  context: Context,
  entries: readonly HookEntry[],
  options: PlanOptions,
): Promise<{ readonly items: readonly PlanItem[]; readonly hooks: readonly Hook[] }> {
  const hooks = await listAllHooks(context, { purpose: 'compare them with the file' });
  if (!context.common.dryRun && !context.common.curl)
    await (await context.webhookRecords()).observe(hooks.map(({ record }) => record));
  return { items: planChanges(entries, hooks.map(findFacts), options), hooks };
}

/** Names the webhooks that are left alone, on standard error. */
export async function reportOthers(
  { report }: Pick<Context, 'report'>,
  items: readonly PlanItem[],
): Promise<void> {
  const others = items.filter(({ change }) => change === 'other');
  if (others.length > 0)
    await report.info(
      `Not in the file, and left alone: ${countOf(others.length, 'webhook')}. To delete what is not in the file: --delete-others`,
    );
  await report.info(onlyThisApplication);
}

/** @throws {Failure} `usage` if one of the changes is blocked; nothing was sent. */
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
