// `wm webhook get`: prints webhooks, named as in the commands that change them.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { foundRecords, missingFailure, type ReadResults, readByIds } from '#cli/read-by-ids.ts';
import { type Webhook, webhookOperations } from '#contract/webhook.ts';
import type { Failure } from '#failure.ts';
import { toReported, webhookColumns } from './columns.ts';
import { howToName, selectWebhooks, webhooksArgument } from './matching/choose.ts';
import { describeHook, type Hook, hasName, listAll, withHookName } from './records/hook.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'Show a webhook': 'wm webhook get IEAAAAAQJAAAAAAB',
    'Show several webhooks, one JSON object per line':
      'wm webhook get IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --json',
    'By a part of the URL': 'wm webhook get billing',
  },
  details: `${howToName}

Prints the webhooks found, in the order of the arguments. The exit status is 5 if any is missing.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhooksArgument },
  async run({ arguments: { id } }, context) {
    const missing = new Map<string, Failure>();
    const { hooks } = await selectWebhooks(context, id, {
      emptyMessage: 'No webhook to show',
      onMissing: (text, failure) => void missing.set(text, failure),
    });
    const ids = hooks.map(({ record }) => record.id);
    const several = await readByIds(context, webhookOperations.getWebhooks, 'webhookIds', ids, {});
    if (several) {
      const readHooks = foundRecords(several.reads);
      await (await context.webhookRecords()).observe(readHooks);
      await context.report.each(await toReported(context, readHooks));
    }
    const reads: ReadResults<Webhook> = new Map([...(several?.reads ?? []), ...missing]);
    const failure = several?.endedBy ?? failureOf(context, reads, hooks);
    if (failure) throw failure;
  },
});

/** Names the missing webhooks by the URL or label that this machine recorded. */
function failureOf(context: Context, reads: ReadResults<Webhook>, hooks: readonly Hook[]) {
  const named = new Map(hooks.flatMap((hook) => (hasName(hook) ? [[hook.record.id, hook]] : [])));
  const nameOf = (text: string) => {
    const hook = named.get(text);
    return hook ? describeHook(hook) : text;
  };
  const failure = missingFailure(reads, 'webhooks', listAll(context), nameOf);
  const [onlyHook] = reads.size === 1 ? named.values() : [];
  return failure && onlyHook ? withHookName(failure, onlyHook) : failure;
}
