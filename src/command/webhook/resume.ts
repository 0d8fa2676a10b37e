// `wm webhook resume`: resumes the deliveries of suspended webhooks.

import { command } from '../command.ts';
import { changeStatuses } from './change/change-several.ts';
import { webhookColumns } from './display/columns.ts';
import { chooseWebhooks, howToName, selectionFlags, webhookArgument } from './select/choose.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Pick webhooks from a list', command: 'wm webhook resume' },
    { description: 'In a script', command: 'wm webhook resume IEAAAAAQJAAAAAAB' },
    {
      description: 'Resume several webhooks',
      command: 'wm webhook resume IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC',
    },
    {
      description: 'Resume all suspended webhooks of a host, after a confirmation',
      command: "wm webhook resume --all --status suspended --url 'https://old.example/*'",
    },
  ],
  details: `${howToName}

Without an ID, on a terminal, wm lets you pick from the webhooks that are not active: type to filter, press Tab to mark
several. It then asks for confirmation.

Events that occurred while a webhook was suspended are never delivered. The note of \`wm webhook suspend --note\` is removed.

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhookArgument },
  flags: selectionFlags,
  run: async ({ arguments: { id }, flags }, context) => {
    const chosen = await chooseWebhooks(context, {
      given: id,
      flags,
      verb: 'resume',
      // One whose status nobody knows can be both suspended and resumed.
      pick: { of: (status) => status !== 'Active', none: 'No webhook to resume' },
    });
    await changeStatuses(context, chosen, {
      to: 'Active',
      verb: 'resume',
      done: 'resumed',
      effect: 'Its deliveries start again.',
      asks: false,
    });
  },
});
