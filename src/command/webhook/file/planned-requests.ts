// Shows the requests of a plan for --dry-run and --curl. The id of a webhook that is still to be created is not known then.

import { operations } from '../../../contract/operation.ts';
import type { Context } from '../../context.ts';
import { createRequestFormatter } from '../../send.ts';
import { withCreateRequest } from '../create/create-request.ts';
import { type HookEntry, toCreate } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';

/** In the place of a secret is its variable; of a stored one it is WM_WEBHOOK_SECRET. */
export async function printPlannedRequests(context: Context, items: readonly PlanItem[]): Promise<void> {
  const format = await createRequestFormatter(context);
  for (const item of items) {
    for (const line of requestsOf(item, format)) await context.report.line(line);
  }
  if (!context.common.curl && !context.report.wantsJson)
    await context.report.info('Dry run: nothing was changed.');
}

/** Stands for the id of the webhook that the request before creates. */
const newId = 'NEW_ID';

function requestsOf(
  item: PlanItem,
  format: Awaited<ReturnType<typeof createRequestFormatter>>,
): readonly string[] {
  const setStatus = (webhookId: string, status: 'Active' | 'Suspended') =>
    format(operations.updateWebhook, { webhookId }, { status });
  const remove = (webhookId: string) => format(operations.deleteWebhook, { webhookId }, {});
  if (item.change === 'suspend') return [setStatus(item.facts.id, 'Suspended')];
  if (item.change === 'resume') return [setStatus(item.facts.id, 'Active')];
  if (item.change === 'delete') return [remove(item.facts.id)];
  if (item.change !== 'create' && item.change !== 'replace') return [];
  const { entry } = item;
  const create = { ...toCreate(entry), ...(entry.secret === undefined ? {} : { secret: '' }) };
  return [
    withVariable(entry, withCreateRequest(entry.scope ?? {}, create, format)),
    ...(entry.status === 'Suspended' ? [setStatus(newId, 'Suspended')] : []),
    ...(item.change === 'replace' ? [remove(item.facts.id)] : []),
  ];
}

/** A curl command then works where the file is applied. */
function withVariable({ secret }: HookEntry, line: string): string {
  if (secret === undefined || !('variable' in secret)) return line;
  return line.replace(/(?<=\bsecret=\W{0,3})WM_WEBHOOK_SECRET\b/, () => secret.variable);
}
