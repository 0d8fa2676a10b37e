// What `wm webhook create` does about webhooks that already deliver to the same URL: prints one with --if-not-exists,
// prompts on a terminal, and warns in a script.

import type { Context } from '../../context.ts';
import { formatCommand, formatConfirmedCommand } from '../../format-command.ts';
import { warnUnlessFatal } from '../../warn-unless-fatal.ts';
import { webhookColumns } from '../display/columns.ts';
import { scopeOf } from '../display/coverage.ts';
import type { Hook } from '../hook.ts';
import { describeDifferences, findSameUrl, type WantedWebhook } from './same-url.ts';

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
