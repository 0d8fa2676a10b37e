// `wm webhook delete`: deletes webhooks for good; the service keeps nothing of them.

import { prepareRequest } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { hintText } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { printEachIfDryRun } from '../send.ts';
import { changeEach } from './change/change-each.ts';
import { formatNextCommands, readBefore } from './change/change-status.ts';
import { confirmTargets } from './change/confirm.ts';
import { type Deleted, deletedColumns, deleteOne, deletion } from './change/delete-one.ts';
import { nameFailure } from './change/name-failure.ts';
import { forgetWebhooks } from './change/record-changes.ts';
import type { LocalWebhook } from './local/local-webhook.ts';
import { chooseWebhooks, howToName, selectionFlags, webhookArgument } from './select/choose.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: [
    { description: 'Pick webhooks from a list', command: 'wm webhook delete' },
    { description: 'In a script, without a prompt', command: 'wm webhook delete IEAAAAAQJAAAAAAB --yes' },
    {
      description: 'Delete several webhooks',
      command: 'wm webhook delete IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    },
    {
      description: 'Delete all webhooks of a host',
      command: "wm webhook delete --all --url 'https://old.example/*' --yes",
    },
  ],
  details: `${howToName}

To stop deliveries for a while, suspend the webhook instead: wm webhook suspend ID

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.

What this machine stored of a webhook is removed with it: the label, the note and the secret.`,
  pipeColumns: deletedColumns,
  arguments: { id: webhookArgument },
  flags: selectionFlags,
  async run({ arguments: { id: given }, flags }, context) {
    const chosen = await chooseWebhooks(context, {
      given,
      flags,
      verb: 'delete',
      pick: { of: () => true, none: 'No webhook to delete' },
    });
    const { ids, local } = chosen;
    const paths = ids.map((webhookId) => ({ webhookId }));
    if (await printEachIfDryRun(context, operations.deleteWebhook, paths, {})) return;
    for (const path of paths) prepareRequest(operations.deleteWebhook, path, {});
    const [only, ...more] = ids;
    if (only !== undefined && more.length === 0) await deleteSingle(context, only, local.get(only));
    else
      await changeEach<Deleted>(context, chosen, {
        words: deletion,
        confirm: (targets) => confirmTargets(context, 'delete', targets, ' for good'),
        run: (target) => deleteOne(context, target),
        record: (some) => forgetWebhooks(context, some, local),
        show: (all) => show(context, all),
      });
  },
});

async function deleteSingle(context: Context, id: string, local: LocalWebhook | undefined): Promise<void> {
  const before = await nameFailure({ id, local }, () => readBefore(context, { id, local }));
  const target = { id, record: before?.record, local };
  await confirmTargets(context, 'delete', [target], ' for good');
  context.onInterruptHint(() => hintText(formatNextCommands(context, deletion.verb, [id], [id])));
  const deleted = await nameFailure(target, () => deleteOne(context, target));
  await forgetWebhooks(context, [deleted], new Map(local ? [[id, local]] : []));
  await show(context, [deleted]);
}

async function show({ report }: Context, deleted: readonly Deleted[]): Promise<void> {
  await report.each({
    columns: deletedColumns,
    records: deleted,
    raw: deleted.map(({ id, hookUrl }) => ({ id, hookUrl, deleted: true })),
  });
}
