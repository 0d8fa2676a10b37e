// `wm webhook get`: prints webhooks, by the same references that the commands take that change them.

import { operations } from '../../contract/operation.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Failure } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { foundRecords, missingFailure, type ReadResults, readByIds } from '../read-by-ids.ts';
import { describeWebhook } from './change/confirm.ts';
import { hasName, withWebhookName } from './change/name-failure.ts';
import { webhookColumns } from './display/columns.ts';
import { toReported } from './display/to-reported.ts';
import type { LocalWebhooks } from './local/local-webhook.ts';
import { observeWebhooks } from './local/observe.ts';
import { chooseGiven, howToName, webhookArgument } from './select/choose.ts';
import { listAll } from './select/read-webhook.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
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
    const missing = new Map<string, Failure>();
    const { ids, local: read } = await chooseGiven(context, {
      given: id,
      verb: 'get',
      pick: { of: () => true, none: 'No webhook to show' },
      onMissing: (text, failure) => void missing.set(text, failure),
    });
    const several = await readByIds(context, operations.getWebhooks, 'webhookIds', ids, {});
    if (several) {
      const seen = foundRecords(several.reads);
      const records = seen.map(({ record }) => record);
      const local = await observeWebhooks(context, records, false, read);
      await context.report.each(await toReported(context, seen, local));
    }
    const reads: ReadResults<Webhook> = new Map([...(several?.reads ?? []), ...missing]);
    const failure = several?.endedBy ?? failureOf(context, reads, read);
    if (failure) throw failure;
  },
});

/** Names those that are missing by what this machine knows about them. */
function failureOf(context: Context, reads: ReadResults<Webhook>, local: LocalWebhooks): Failure | undefined {
  const targetOf = (id: string) => ({ id, local: local.get(id) });
  const nameOf = (text: string) => (hasName(targetOf(text)) ? describeWebhook(targetOf(text)) : text);
  const failure = missingFailure(reads, 'webhooks', listAll(context), nameOf);
  const [id] = reads.keys();
  const isSingle = reads.size === 1 && id !== undefined && hasName(targetOf(id));
  return failure && isSingle ? withWebhookName(failure, targetOf(id)) : failure;
}
