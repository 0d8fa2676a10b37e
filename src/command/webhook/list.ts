// `wm webhook list`: lists the webhooks of this application.

import { joinWithOr } from '../../contract/format-list.ts';
import { operations } from '../../contract/operation.ts';
import { webhookStatus } from '../../contract/webhook.ts';
import { command } from '../command.ts';
import { valueFlag } from '../flag.ts';
import { send } from '../send.ts';
import { webhookColumns, webhookColumnsWith } from './display/columns.ts';
import { titlesForTerminal } from './display/folder-titles.ts';
import { onlyThisApplication } from './select/read-webhook.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'List them all', command: 'wm webhook list' },
    { description: 'List those that no longer deliver', command: 'wm webhook list --status Suspended' },
    { description: 'Get their ids in a script', command: 'wm webhook list | cut -f1' },
  ],
  pipeColumns: webhookColumns,
  arguments: {},
  flags: {
    status: valueFlag(
      webhookStatus,
      'STATUS',
      `Show only webhooks with this status: ${joinWithOr(webhookStatus.choices)}`,
    ),
  },
  async run({ flags: { status } }, context) {
    const response = await send(context, operations.listWebhooks, {}, {});
    if (!response) return;
    const wanted = (index: number) => status === undefined || response.records[index]?.status === status;
    const records = response.records.filter((_, index) => wanted(index));
    const raw = response.raw.filter((_, index) => wanted(index));
    const columns = webhookColumnsWith(await titlesForTerminal(context, records));
    await context.report.list({ columns, records, raw });
    if (records.length === 0) await context.report.info(`No ${status ? `${status} ` : ''}webhooks.`);
    await context.report.info(onlyThisApplication);
  },
});
