// What `wm webhook create` does about the webhooks that deliver to the same URL already: prints one with
// --if-not-exists, asks a person, and warns a script.

import { commandLine, commandWith } from '../command-line.ts';
import type { Context } from '../context.ts';
import { scopeOf, webhookColumns } from './columns.ts';
import { onlyTrouble } from './only-trouble.ts';
import type { Seen } from './pick.ts';
import { differences, findSameUrl, type Wanted } from './same-url.ts';

/**
 * Those with the same hookUrl. Where they cannot be looked up, a warning says so, unless whether to create depends on
 * them: then it throws.
 */
export async function findExisting(
  context: Context,
  wanted: Wanted,
  decides: boolean,
): Promise<readonly Seen[]> {
  try {
    return await findSameUrl(context, wanted);
  } catch (error) {
    if (decides) throw error;
    await onlyTrouble(context, 'Cannot tell whether a webhook delivers to this URL already', error);
    return [];
  }
}

export async function showExisting(context: Context, { record, raw }: Seen, wanted: Wanted): Promise<void> {
  const { report } = context;
  const differs = differences(record, wanted);
  await report.info(`Webhook ${record.id} (${record.hookUrl}) exists already; nothing was created.`);
  if (differs.length > 0) {
    await report.warn(`It differs from what you asked for: ${differs.join('; ')}.`);
    if (record.status === 'Suspended')
      await report.warn(`To resume it: ${commandWith(context, 'webhook resume', [record.id])}`);
  }
  await report.one({ columns: webhookColumns, records: [record], raw: [raw] });
}

const mostNamed = 5;

/** Throws a usage failure where a person does not want another. */
export async function confirmAnother(context: Context, same: readonly Seen[], url: string): Promise<void> {
  if (same.length === 0) return;
  for (const { record } of same.slice(0, mostNamed)) {
    await context.report.warn(
      `Webhook ${record.id} (${record.hookUrl}) exists already: ${record.status ?? 'no status'}, ${scopeOf(record)}`,
    );
  }
  if (same.length > mostNamed)
    await context.report.warn(`And ${same.length - mostNamed} more: ${commandLine(context, 'webhook list')}`);
  if (context.mayAsk) return context.confirm(`Create another webhook for ${url}?`);
  await context.report.warn(
    'Creating another: both may deliver the same events. To avoid it: --if-not-exists',
  );
}
