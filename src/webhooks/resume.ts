// `wm webhook resume`: resumes suspended webhooks.

import { command } from '#cli/command.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { changeStatuses } from './change/change-status.ts';
import { webhookColumns } from './columns.ts';
import { chooseWebhooks, howToName, selectionFlags, webhooksArgument } from './matching/choose.ts';
import { secretFlags } from './secrets/find-secret.ts';
import { warnBeforeResume } from './verification/before-resume.ts';
import { assertNoVerifyFlags, verifyFlags } from './verification/verify-flags.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: [
    { description: 'Pick webhooks from a list', command: 'wm webhook resume' },
    { description: 'In a script, without a prompt', command: 'wm webhook resume IEAAAAAQJAAAAAAB --yes' },
    {
      description: 'Resume several webhooks',
      command: 'wm webhook resume IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    },
    {
      description: 'Resume all suspended webhooks of a host, after a confirmation',
      command: "wm webhook resume --all --status suspended --url 'https://old.example/*'",
    },
  ],
  details: `${howToName}

Without an ID, on a terminal, wm lets you pick from the webhooks that are not active: type to filter, press Tab to mark
several. It then asks for confirmation.

wm first verifies the receiver of each suspended webhook, as wm webhook verify does but with fewer samples. If a check fails, this
machine cannot reach the receiver, or the secret is unknown, wm warns and asks for confirmation, once for all; with --yes it
warns and resumes. A secret from a flag or WM_WEBHOOK_SECRET is used for all of them; otherwise each has its stored one (wm
webhook secret). After two minutes wm verifies no further receiver. --no-verify skips the verification.

wm says how many other active webhooks deliver to the same URL; with --same-url it resumes all of that URL.

Events that occurred while a webhook was suspended are never delivered: wm prints since when, if this machine knows, and the
command that lists the tasks changed since. A webhook with a note (\`wm webhook suspend --note\`) always needs a confirmation, which
shows the note; --yes prints it. Then the note is removed, and wm history keeps it.

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhooksArgument },
  firstFlags: ['sameUrl', 'all', 'status', 'url', 'folder', 'event', 'verify', 'secretFile'],
  flags: {
    ...selectionFlags,
    verify: booleanFlag('Verify the receivers first (default: yes)', { negatable: true }),
    ...secretFlags,
    ...verifyFlags,
  },
  run: async ({ arguments: { id }, flags }, context) => {
    const { verify = true, secretFile, secretStdin, within, allowPrivate, connectTo, ...selection } = flags;
    if (!verify) assertNoVerifyFlags({ secretFile, secretStdin, within, allowPrivate, connectTo });
    const chosen = await chooseWebhooks(context, id, selection, 'Active');
    await changeStatuses(context, chosen, {
      to: 'Active',
      effect: 'Its deliveries start again.',
      alwaysConfirms: false,
      ...(verify && { check: (hooks) => warnBeforeResume(context, hooks, flags) }),
    });
  },
});
