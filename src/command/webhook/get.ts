// `wm webhook get`: prints webhooks, by the same references that the commands take that change them.

import { operations } from '../../contract/operation.ts';
import { command } from '../command.ts';
import { foundRecords, missingFailure, readByIds } from '../read-by-ids.ts';
import { webhookColumns } from './display/columns.ts';
import { toReported } from './display/to-reported.ts';
import { observeWebhooks } from './local/observe.ts';
import { chooseGiven, howToName, webhookArgument } from './select/choose.ts';
import { listAll } from './select/read-webhook.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Show a webhook', command: 'wm webhook get IEAAAAAQJAAAAAAB' },
    {
      description: 'Show several webhooks, one JSON object per line',
      command: 'wm webhook get IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --json',
    },
    { description: 'By a part of the URL', command: 'wm webhook get billing' },
  ],
  details: `${howToName}

Prints the webhooks found, in the order given. The exit status is 5 if any is missing.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhookArgument },
  flags: {},
  async run({ arguments: { id } }, context) {
    const { ids, local: read } = await chooseGiven(context, {
      given: id,
      verb: 'get',
      pick: { of: () => true, none: 'No webhook to show' },
    });
    const several = await readByIds(context, operations.getWebhooks, 'webhookIds', ids, {});
    if (!several) return;
    const { reads, endedBy } = several;
    const seen = foundRecords(reads);
    const local = await observeWebhooks(
      context,
      seen.map(({ record }) => record),
      false,
      read,
    );
    await context.report.each(await toReported(context, seen, local));
    const failure = endedBy ?? missingFailure(reads, 'webhooks', listAll(context));
    if (failure) throw failure;
  },
});
