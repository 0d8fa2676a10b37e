// `wm webhook delete`: for good; the service keeps nothing of it.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { command } from '../command.ts';
import { readIdentity } from '../identity.ts';
import { showInstead } from '../send.ts';
import { scopeOf } from './columns.ts';
import { about, pickWebhook, readWebhook } from './pick.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Pick one from a list', line: 'wm webhook delete' },
    { does: 'In a script, without being asked', line: 'wm webhook delete IEAAAAAQJAAAAAAB --yes' },
  ],
  details: 'To stop deliveries for a while, suspend the webhook instead: wm webhook suspend.',
  arguments: { id: { help: 'the id of the webhook', optional: true } },
  flags: {},
  async run({ arguments: { id: given } }, context) {
    const { report } = context;
    const id = await pickWebhook(context, given, 'delete', (webhook) => webhook.status === 'Suspended');
    if (await showInstead(context, operations.deleteWebhook, { webhookId: id }, {})) return;
    prepare(operations.deleteWebhook, { webhookId: id }, {});
    if (!context.common.yes && context.mayAsk) {
      const { record } = await readWebhook(context, id);
      const { user, account } = await readIdentity(await context.session(), '');
      await report.warn(`Account ${account}, as ${user}`);
      await report.warn(`${record.status}  ${scopeOf(record)}  ${record.hookUrl ?? ''}  ${about(record)}`);
    }
    await context.confirm(`Delete webhook ${id} for good?`);
    const session = await context.session();
    await session.send(operations.deleteWebhook, { webhookId: id }, {});
    await report.say(`Webhook ${id} is deleted.`);
    if (report.wantsJson) await report.json({ id, deleted: true });
  },
});
