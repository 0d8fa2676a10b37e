// Finds webhooks that already deliver to a URL. Two may be intended, as for two folders; more often a script ran twice,
// and every event would be delivered twice.

import type { Context } from '#cli/context.ts';
import { formatCommand, formatConfirmedCommand } from '#cli/format-command.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { operations } from '#contract/operation.ts';
import type { Webhook, WebhookCreate } from '#contract/webhook.ts';
import { webhookColumns } from '../columns.ts';
import { scopeOf } from '../coverage.ts';
import { isSameUrl } from '../matching/choose.ts';
import { assertComplete, type Hook, toHooks } from '../records/hook.ts';

/** What is asked for, as far as a record tells the same of a webhook. */
export interface WantedWebhook extends Pick<WebhookCreate, 'events' | 'recursive'> {
  readonly hookUrl: string;
  readonly folderId?: string | undefined;
}

/** Those with this hookUrl, the one most like what is wanted first. Throws a Failure where the list cannot be had. */
export async function findSameUrl(context: Context, wanted: WantedWebhook): Promise<readonly Hook[]> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  const same = (await toHooks(context, response))
    .filter(({ record }) => record.hookUrl !== undefined && isSameUrl(record.hookUrl, wanted.hookUrl))
    .sort(
      (a, b) => describeDifferences(a.record, wanted).length - describeDifferences(b.record, wanted).length,
    );
  if (same.length === 0) assertComplete(response);
  return same;
}

/** In what a webhook differs from what is wanted, a phrase each. What the record does not tell is not compared. */
export function describeDifferences(webhook: Webhook, wanted: WantedWebhook): readonly string[] {
  const asFolder = webhook.folderId === wanted.folderId;
  const asDeep =
    !asFolder ||
    webhook.folderId === undefined ||
    webhook.recursive === undefined ||
    webhook.recursive === (wanted.recursive ?? false);
  const events = webhook.events?.toSorted().join(', ');
  return [
    ...(webhook.status === 'Suspended' ? ['it is Suspended'] : []),
    ...(asFolder && asDeep ? [] : [`it covers ${scopeOf(webhook)}`]),
    ...(events === undefined || events === wanted.events?.toSorted().join(', ')
      ? []
      : [`it delivers ${events}`]),
  ];
}

/**
 * Those with the same hookUrl. Where they cannot be looked up, a warning says so, unless whether to create depends on
 * them: then it throws.
 */
export async function findExisting(
  context: Context,
  wanted: WantedWebhook,
  decides: boolean,
): Promise<readonly Hook[]> {
  try {
    return await findSameUrl(context, wanted);
  } catch (error) {
    if (decides) throw error;
    await warnUnlessFatal(context, 'Cannot check whether a webhook already delivers to this URL', error);
    return [];
  }
}

export async function showExisting(
  context: Context,
  { record, raw = {} }: Hook,
  wanted: WantedWebhook,
): Promise<void> {
  const { report } = context;
  const differs = describeDifferences(record, wanted);
  await report.info(`Webhook ${record.id} (${record.hookUrl}) already exists; nothing was created.`);
  if (differs.length > 0) {
    await report.warn(`It differs from what you asked for: ${differs.join('; ')}.`);
    if (record.status === 'Suspended')
      await report.warn(`To resume it: ${formatConfirmedCommand(context, 'webhook resume', [record.id])}`);
  }
  await report.one({ columns: webhookColumns, records: [record], raw: [raw] });
}

const maxNamed = 5;

/** Throws a usage failure where a user does not want another. */
export async function confirmDuplicate(context: Context, same: readonly Hook[], url: string): Promise<void> {
  if (same.length === 0) return;
  for (const { record } of same.slice(0, maxNamed)) {
    await context.report.warn(
      `Webhook ${record.id} (${record.hookUrl}) already exists: ${record.status ?? 'no status'}, ${scopeOf(record)}`,
    );
  }
  if (same.length > maxNamed)
    await context.report.warn(
      `And ${same.length - maxNamed} more: ${formatCommand(context, 'webhook list')}`,
    );
  if (context.canPrompt) return context.confirm(`Create another webhook for ${url}?`);
  await context.report.warn(
    'Creating another: both may deliver the same events. To avoid that: --if-not-exists',
  );
}
