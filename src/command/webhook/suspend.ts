// `wm webhook suspend`: stops the deliveries of a webhook, and makes sure that they stopped.

import { command } from '../command.ts';
import { changeStatuses } from './change-several.ts';
import { webhookColumns } from './columns.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Pick one from a list', command: 'wm webhook suspend' },
    { description: 'In a script, without being asked', command: 'wm webhook suspend IEAAAAAQJAAAAAAB --yes' },
    {
      description: 'Several, in a script',
      command: 'wm webhook suspend IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    },
  ],
  details: `Without an ID, on a terminal, pick from those that are not suspended: type to filter, Tab marks several.

Suspending a suspended webhook is not an error. Events that happen while it is suspended are never delivered.

If one fails, the others are still tried, and the exit status is 8. What would fail all of them, such as an expired
sign-in, ends the command, which then prints the command for the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: { help: 'the id of a webhook', many: true, optional: true } },
  flags: {},
  run: async ({ arguments: { id } }, context) => {
    await changeStatuses(context, id, {
      to: 'Suspended',
      verb: 'suspend',
      done: 'suspended',
      effect: 'Nothing is delivered until it is resumed.',
      asks: true,
    });
  },
});
