// Reads the file and the webhooks of the service, and plans the changes.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { formatCommandWith, formatRepeatedCommand, type RepeatContext } from '#cli/format-command.ts';
import type { ApiResponse } from '#client/response.ts';
import type { Webhook } from '#contract/webhook.ts';
import { commandHint, type Failure, usageError } from '#failure.ts';
import { assertComplete, type Hook, onlyThisApplication, toHooks } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';
import { type PlanItem, type PlanOptions, planChanges } from './hooks-plan.ts';
import { findFacts } from './webhook-facts.ts';

export const planFlags = {
  replaceUnknown: booleanFlag('Also replace webhooks whose events are unknown, or that wm cannot tell apart'),
  deleteOthers: booleanFlag('Also delete the webhooks whose URL and scope are not in the file'),
};

export function toPlanOptions(flags: { replaceUnknown?: boolean; deleteOthers?: boolean }): PlanOptions {
  return { replaceUnknown: flags.replaceUnknown === true, deleteOthers: flags.deleteOthers === true };
}

export interface ReadPlan {
  readonly items: readonly PlanItem[];
  readonly hooks: readonly Hook[];
}

export async function planFrom(
  context: Context,
  response: ApiResponse<Webhook>,
  entries: readonly HookEntry[],
  options: PlanOptions,
): Promise<ReadPlan> {
  assertComplete(response, 'compare them with the file');
  const hooks = await toHooks(context, response);
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

/** The failure if a plan is blocked; nothing was sent. `command`: the words of the typed command. */
export function blockedFailure(
  context: RepeatContext,
  command: string,
  path: string,
  blocked: readonly PlanItem[],
): Failure {
  const needsFlag = blocked.every((item) => item.change === 'blocked' && item.needsFlag);
  const why = blocked.map((item) => item.why.join('; '));
  return usageError(
    `${countOf(blocked.length, 'webhook')} cannot be brought in line with the file; nothing was changed`,
    needsFlag
      ? commandHint(
          'To replace them anyway: ',
          formatRepeatedCommand(context, command, [path], [], '--replace-unknown'),
        )
      : commandHint('To see which: ', formatCommandWith(context, 'webhook diff', [path])),
    [...new Set(why)].join('; '),
  );
}
