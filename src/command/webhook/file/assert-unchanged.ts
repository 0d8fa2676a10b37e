// Plans once more after a user has confirmed: a prompt may be open for hours, in which somebody else may have applied the file.
// What they created would be created a second time.

import { operations } from '../../../contract/operation.ts';
import { commandHint, Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import type { HookEntry } from './hooks-file.ts';
import type { PlanItem, PlanOptions } from './hooks-plan.ts';
import { toPlanJson } from './plan-columns.ts';
import { planFrom } from './read-plan.ts';

/** @throws {Failure} `other` if the plan is no longer the one that was shown. */
export async function assertUnchanged(
  context: Context,
  file: string,
  entries: readonly HookEntry[],
  options: PlanOptions,
  shown: readonly PlanItem[],
): Promise<void> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  const { items } = await planFrom(context, response, entries, options);
  if (formatPlan(items) === formatPlan(shown)) return;
  throw new Failure('other', {
    message: 'The plan is no longer what you confirmed; nothing was changed',
    why: 'somebody has changed the webhooks meanwhile',
    hint: commandHint('To see the new plan: ', formatCommandWith(context, 'webhook diff', [file])),
  });
}

/** In any order: the service promises none. */
function formatPlan(items: readonly PlanItem[]): string {
  return items
    .map((item) => JSON.stringify(toPlanJson(item)))
    .toSorted()
    .join('\n');
}
