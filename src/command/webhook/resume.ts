// `wm webhook resume`: lets the deliveries of a suspended webhook start again.

import { command } from '../command.ts';
import { changeStatuses } from './change-several.ts';
import { webhookColumns } from './columns.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Pick one from a list', command: 'wm webhook resume' },
    { description: 'In a script', command: 'wm webhook resume IEAAAAAQJAAAAAAB' },
    { description: 'Several, in a script', command: 'wm webhook resume IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC' },
  ],
  details: `Without an ID, on a terminal, pick from those that are not active: type to filter, Tab marks several. What you
pick is confirmed first.

Events that happened while it was suspended are never delivered.

If one fails, the others are still tried, and the exit status is 8. What would fail all of them, such as an expired
sign-in, ends the command, which then prints the command for the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: { help: 'the id of a webhook', many: true, optional: true } },
  flags: {},
  run: async ({ arguments: { id } }, context) => {
    await changeStatuses(context, id, {
      to: 'Active',
      verb: 'resume',
      done: 'resumed',
      effect: 'Deliveries have started again.',
      asks: false,
    });
  },
});
