// `wm webhook suspend`: suspends webhooks, and checks that their deliveries have stopped.

import { command } from '#cli/command.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { changeStatuses } from './change/change-status.ts';
import { webhookColumns } from './columns.ts';
import { chooseWebhooks, howToName, selectionFlags, webhooksArgument } from './matching/choose.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Pick webhooks from a list': 'wm webhook suspend',
    'In a script, without a prompt': 'wm webhook suspend IEAAAAAQJAAAAAAB --yes',
    'Suspend several webhooks': 'wm webhook suspend IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    'By a part of the URL': 'wm webhook suspend billing --yes',
    'Suspend all active webhooks of a host':
      "wm webhook suspend --all --status active --url 'https://old.example/*' --yes",
    'Suspend every webhook that delivers to the same URL': 'wm webhook suspend billing --same-url --yes',
    'Say why': "wm webhook suspend billing --note 'ticket 4711' --yes",
  },
  details: `${howToName}

Without an ID, on a terminal, wm lets you pick from the webhooks that are not suspended: type to filter, press Tab to
mark several.

Several webhooks may deliver to one URL. wm says how many other active ones deliver to the URL, and to its host, before it asks; on
a terminal, "a" suspends all of the URL, and so does --same-url. At the end wm says what still delivers there.

It is not an error if a webhook is already suspended. Events that occur while a webhook is suspended are never delivered.

The note stays until the webhook is resumed. A webhook that is already suspended gets it too, besides the note that it has, and wm
lists it before it asks; with --no-note-change it keeps only its own.

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhooksArgument },
  flags: {
    ...selectionFlags,
    note: textFlag('TEXT', 'Store why, with your name and the time, on this machine; list and get show it'),
    noteChange: booleanFlag('Also note it on webhooks that are suspended already (default: yes)', {
      negatable: true,
    }),
  },
  async run({ arguments: { id }, flags: { note, noteChange = true, ...flags } }, context) {
    const chosen = await chooseWebhooks(context, id, flags, 'Suspended');
    if (note !== undefined && !context.isDryRun) (await context.history()).setNote(note);
    let name: Promise<string> | undefined;
    const readName = async () => (await import('#cli/current-user.ts')).currentUserName(context);
    const by = () => (name ??= readName());
    await changeStatuses(context, chosen, {
      to: 'Suspended',
      changesNotes: noteChange,
      note: note === undefined ? undefined : { text: note, by },
    });
  },
});
