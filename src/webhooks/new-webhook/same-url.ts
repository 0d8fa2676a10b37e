// Finds webhooks that already deliver to a URL. Two may be intended, one for each of two folders; more often a script ran
// twice, and every event would be delivered twice.

import type { Context } from '#cli/context.ts';
import { formatCommand, formatConfirmedCommand } from '#cli/format-command.ts';
import type { Webhook } from '#contract/webhook.ts';
import { toReported } from '../columns.ts';
import { scopeOf, settingsOf } from '../coverage.ts';
import { type Hook, incompleteList, isSameUrl, listHooks, whyNoId } from '../records/hook.ts';
import type { NewWebhook } from './resolve-scope.ts';

/** The webhooks with this URL, the most similar first. Throws a Failure if the list cannot be read. */
export async function findSameUrl(context: Context, requested: NewWebhook): Promise<readonly Hook[]> {
  const { hooks, withoutId, isComplete } = await listHooks(context);
  const isSame = ({ record }: Hook) => isSameUrl(record.hookUrl, requested.hookUrl);
  const distance = ({ record }: Hook) => describeDifferences(record, requested).length;
  const existing = hooks.filter(isSame).sort((a, b) => distance(a) - distance(b));
  const unnamed = withoutId.find(isSame);
  if (existing.length === 0 && (unnamed || !isComplete))
    throw incompleteList(undefined, undefined, unnamed && whyNoId(unnamed));
  return existing;
}

/** How the webhook differs from the new one, one phrase each. Compares only settings that the record has. */
export function describeDifferences(webhook: Webhook, requested: NewWebhook): readonly string[] {
  const isSameFolder = webhook.folderId === requested.folderId;
  const isSameDepth =
    !isSameFolder ||
    webhook.folderId === undefined ||
    webhook.recursive === undefined ||
    webhook.recursive === (requested.recursive ?? false);
  const events = webhook.events?.toSorted().join(', ');
  return [
    ...(webhook.status === 'Suspended' ? ['it is Suspended'] : []),
    ...(isSameFolder && isSameDepth ? [] : [`it covers ${scopeOf(settingsOf({ record: webhook }))}`]),
    ...(events === undefined || events === requested.events?.toSorted().join(', ')
      ? []
      : [`it delivers ${events}`]),
  ];
}

export async function showExisting(context: Context, hook: Hook, requested: NewWebhook): Promise<void> {
  const { report } = context;
  const { record } = hook;
  const differs = describeDifferences(record, requested);
  await report.info(`Webhook ${record.id} (${record.hookUrl}) already exists; nothing was created.`);
  if (differs.length > 0) {
    await report.warn(`It differs from what you asked for: ${differs.join('; ')}.`);
    if (record.status === 'Suspended')
      await report.warn(`To resume it: ${formatConfirmedCommand(context, 'webhook resume', [record.id])}`);
  }
  await report.one(await toReported(context, [hook]));
}

const maxNamed = 5;

export async function confirmDuplicate(context: Context, existing: readonly Hook[], url: string) {
  if (existing.length === 0) return;
  for (const { record } of existing.slice(0, maxNamed))
    await context.report.warn(
      `Webhook ${record.id} (${record.hookUrl}) already exists: ${record.status ?? 'no status'}, ${scopeOf(settingsOf({ record }))}`,
    );
  if (existing.length > maxNamed)
    await context.report.warn(
      `And ${existing.length - maxNamed} more: ${formatCommand(context, 'webhook list')}`,
    );
  if (context.canPrompt) return context.confirm(`Create another webhook for ${url}?`);
  await context.report.warn(
    'Creating another: both may deliver the same events. To avoid that: --if-not-exists',
  );
}
