// `wm webhook list`: the webhooks that this application has made.

import { operations } from '../../contract/operation.ts';
import { webhookStatus } from '../../contract/webhook.ts';
import { command } from '../command.ts';
import { valueFlag } from '../flag.ts';
import { send } from '../send.ts';
import { webhookColumns, webhookColumnsWith } from './columns.ts';
import { titlesForTerminal } from './folder-titles.ts';

/** The service lists by application: without saying so, support would take a hook of another one for deleted. */
export const onlyThisApplication =
  'The service lists only the webhooks that were made with the application of this token; others may exist.';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'All of them', command: 'wm webhook list' },
    { description: 'Those that no longer deliver', command: 'wm webhook list --status Suspended' },
    { description: 'Their ids, for a script', command: 'wm webhook list | cut -f1' },
  ],
  pipeColumns: webhookColumns,
  arguments: {},
  flags: { status: valueFlag(webhookStatus, 'STATUS', `Only these: ${webhookStatus.choices?.join(' or ')}`) },
  async run({ flags: { status } }, context) {
    const answer = await send(context, operations.listWebhooks, {}, {});
    if (!answer) return;
    const wanted = (index: number) => status === undefined || answer.records[index]?.status === status;
    const records = answer.records.filter((_, index) => wanted(index));
    const raw = answer.raw.filter((_, index) => wanted(index));
    const columns = webhookColumnsWith(await titlesForTerminal(context, records));
    await context.report.list({ columns, records, raw });
    if (records.length === 0) await context.report.info(`No webhooks${status ? ` that are ${status}` : ''}.`);
    await context.report.info(onlyThisApplication);
  },
});
