// `wm webhook delete`: for good; the service keeps nothing of it.

import { prepare } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { command } from '../command.ts';
import { showInstead } from '../send.ts';
import { lookBefore } from './change-status.ts';
import { confirmTargets, nameOf } from './confirm.ts';
import { pickWebhooks } from './pick.ts';

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
    const [id = ''] =
      given === undefined
        ? await pickWebhooks(context, 'delete', { of: () => true, none: 'No webhook to delete' })
        : [given];
    if (await showInstead(context, operations.deleteWebhook, { webhookId: id }, {})) return;
    prepare(operations.deleteWebhook, { webhookId: id }, {});
    const record = (await lookBefore(context, id))?.record;
    await confirmTargets(context, 'delete', [{ id, record }], ' for good');
    const session = await context.session();
    await session.send(operations.deleteWebhook, { webhookId: id }, {});
    await report.say(`Deleted: ${nameOf({ id, record })}.`);
    if (report.wantsJson) await report.json({ id, deleted: true });
  },
});
