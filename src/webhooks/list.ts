// `wm webhook list`: lists the webhooks of this application with their coverage and this machine's records.

import { command } from '#cli/command.ts';
import { longFlag } from '#cli/print-list.ts';
import { send } from '#cli/send.ts';
import { webhookOperations } from '#contract/webhook.ts';
import { toListed, webhookColumns } from './columns.ts';
import { filterFlags, filterWebhooks, warnOfUnknown } from './matching/filter.ts';
import { onlyThisApplication, toHookList, warnIfIncomplete } from './records/hook.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'List them all': 'wm webhook list',
    'List webhooks that no longer deliver': 'wm webhook list --status suspended',
    'List the webhooks of a host': "wm webhook list --url 'https://old.example/*'",
    'Print everything that is known of each': 'wm webhook list --long',
    'Get their ids in a script': 'wm webhook list | cut -f1',
  },
  details: `On a terminal, each webhook gets one line with its status, URL (without https://), label, coverage, unfinished rotation, time of
suspension, note and id. A line that is too long drops the id first. --long prints everything; so do --json and output to a pipe.

The service shows the id, the folder, the URL and the status of a webhook. Its space, events, filters and item types come from
the record that wm made on this machine when it created the webhook; without one, wm prints "not shown by the service".

The service does not show when a status changed either: wm records each status that it sees. "3 hours ago, by wm"
is exact; "3 hours ago or earlier", in a list "3+ hours ago", is when wm first saw it. Labels and notes are stored on this machine too.`,
  pipeColumns: webhookColumns,
  flags: { ...filterFlags, long: longFlag },
  async run({ flags }, context) {
    const response = await send(context, webhookOperations.listWebhooks, {}, {});
    if (!response) return;
    const { long, ...filter } = flags;
    const listed = await toHookList(context, response);
    await (await context.webhookRecords()).observe(listed.hooks);
    const { hooks, unknown } = await filterWebhooks(context, listed.all, filter);
    const { report } = context;
    await report.list(await toListed(context, hooks, long));
    await warnOfUnknown(context, unknown);
    await warnIfIncomplete(context, listed);
    const { length } = listed.all;
    if (hooks.length === 0)
      await report.info(length === 0 ? 'No webhooks.' : `None of ${length} webhooks matches.`);
    await report.info(onlyThisApplication);
  },
});
