// `wm webhook resume`: lets the deliveries of a suspended webhook start again.

import { command } from '../command.ts';
import { changeStatus } from './change-status.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Pick one from a list', line: 'wm webhook resume' },
    { does: 'In a script', line: 'wm webhook resume IEAAAAAQJAAAAAAB' },
  ],
  details: 'What happened while it was suspended is not delivered.',
  arguments: { id: { help: 'the id of the webhook', optional: true } },
  flags: {},
  run: async ({ arguments: { id } }, context) => {
    await changeStatus(context, id, {
      to: 'Active',
      verb: 'resume',
      effect: 'Deliveries have started again.',
      asks: false,
    });
  },
});
