// `wm webhook delete`: deletes webhooks for good; the service cannot restore them.

import { command } from '#cli/command.ts';
import { printIfDryRun } from '#cli/send.ts';
import { webhookOperations } from '#contract/webhook.ts';
import { changeEach } from './change/change-each.ts';
import { confirmTargets } from './change/confirm.ts';
import { type Deleted, deleteAndForget, deletedColumns, deletion } from './change/delete-one.ts';
import { chooseWebhooks, howToName, selectionFlags, webhooksArgument } from './matching/choose.ts';
import { readOtherWebhooks } from './matching/other-webhooks.ts';
import { removeSecrets } from './secrets/remove-secrets.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Pick webhooks from a list': 'wm webhook delete',
    'In a script, without a prompt': 'wm webhook delete IEAAAAAQJAAAAAAB --yes',
    'Delete several webhooks': 'wm webhook delete IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    'Delete all webhooks of a host': "wm webhook delete --all --url 'https://old.example/*' --yes",
  },
  details: `${howToName}

To stop deliveries for a while, suspend the webhook instead: wm webhook suspend ID

wm says how many other active webhooks deliver to the same URL; with --same-url it deletes all of that URL, suspended ones too.

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.

wm also removes what this machine stored for the webhook: the label, the note and the secret.`,
  pipeColumns: deletedColumns,
  arguments: { id: webhooksArgument },
  flags: selectionFlags,
  async run({ arguments: { id: names }, flags }, context) {
    const { hooks, listed, withoutId } = await chooseWebhooks(context, names, flags);
    const requests = hooks.map(({ record }) => ({ path: { webhookId: record.id }, parameters: {} }));
    if (await printIfDryRun(context, webhookOperations.deleteWebhook, requests)) return;
    const deleted: Deleted[] = [];
    const removeTheirSecrets = () => removeSecrets(context, deleted.splice(0));
    context.atEnd(removeTheirSecrets);
    await changeEach<Deleted>(context, hooks, {
      withoutId,
      words: deletion,
      async confirm(webhooks) {
        const others = await readOtherWebhooks(context, webhooks, listed);
        return { added: await confirmTargets(context, { verb: 'delete', hooks: webhooks, others }), others };
      },
      async run(hook, sending) {
        const result = await deleteAndForget(sending, hook);
        deleted.push(result);
        return result;
      },
      async show(results) {
        await removeTheirSecrets();
        await context.report.each({
          columns: deletedColumns,
          records: results,
          raw: results.map(({ id, hookUrl }) => ({ id, hookUrl, deleted: true })),
        });
      },
    });
  },
});
