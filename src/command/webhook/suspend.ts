// `wm webhook suspend`: stops the deliveries of a webhook, and makes sure that they stopped.

import { command } from '../command.ts';
import { changeStatus } from './change-status.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Pick one from a list', line: 'wm webhook suspend' },
    { does: 'In a script, without being asked', line: 'wm webhook suspend IEAAAAAQJAAAAAAB --yes' },
  ],
  details: `Suspending what is suspended is no error. What happens while a webhook is suspended is not delivered later.`,
  arguments: { id: { help: 'the id of the webhook', optional: true } },
  flags: {},
  run: async ({ arguments: { id } }, context) => {
    await changeStatus(context, id, {
      to: 'Suspended',
      verb: 'suspend',
      effect: 'Nothing is delivered until it is resumed.',
      asks: true,
    });
  },
});
