// `wm webhook listen`: receives the deliveries of webhooks, stores each before it responds, and forwards them.

import { command } from '../command.ts';
import { listenFlags } from './listen/listen-flags.ts';
import { listenColumns } from './listen/listen-record.ts';

export default command({
  changes: 'the service',
  mayOnlyRead: true,
  examples: [
    {
      description: 'Receive deliveries, and forward each to a program on this machine',
      command: 'wm webhook listen --forward-to http://127.0.0.1:3000/hook',
    },
    { description: 'Only print what comes', command: 'wm webhook listen' },
    {
      description: 'Start a tunnel, and create a webhook for its URL; suspend the webhook at the end',
      command:
        "wm webhook listen --forward-to http://127.0.0.1:3000/hook --tunnel 'cloudflared tunnel --url http://127.0.0.1:{port}' --create --events task",
    },
    {
      description: 'Behind a proxy; suspend the webhook while the proxy does not lead here',
      command:
        'wm webhook listen --public-url https://hooks.example.com/wm --suspend-when-unreachable --exec ./handle-event',
    },
    {
      description: 'New tasks go elsewhere',
      command:
        'wm webhook listen --forward-to http://127.0.0.1:3000/ --route TaskCreated=http://127.0.0.1:3001/',
    },
    {
      description: 'Print the payloads of some events as JSON',
      command: 'wm webhook listen --print TaskStatusChanged --jq \'select(.kind == "delivery") | .payload\'',
    },
  ],
  details: `A delivery is acknowledged once it is on the disk, and never before. So what the service has sent is not lost, whatever
happens to this machine or to the program behind it. wm never responds with a 4xx status: the service would suspend the webhook.

It forwards each delivery with its own bytes and headers, at least once, in order for each task and folder. A status of 2xx
means that the target has taken it. After anything else wm tries again, later each time; after the last attempt the delivery is
a dead letter, which \`wm webhook replay\` can send again. While the target cannot be reached, all deliveries wait.

The secrets are all that are given: with --secret-file, --secret-stdin, WM_WEBHOOK_SECRET and --secret-of. Without any, wm creates one
for this journal and stores it where tokens are stored. Listening needs no sign-in.

With --public-url or --tunnel, wm sends a signed handshake to the URL every minute, and says when it no longer comes back here. Two
failures in a row restart the tunnel. Its URL is the first https URL in its output that ends with a host below somebody's domain.
--create creates a webhook once the URL leads here, with the first of the secrets, which wm also stores for it; if a webhook
delivers to the URL already, wm uses that one. At the end wm suspends only what it created (--on-exit).
With --suspend-when-unreachable, wm suspends the webhook after two failures, and resumes it when the URL leads here again.

In a pipe, a line for each delivery and target follows each attempt; while a target cannot be reached, also one for each
delivery that waits. With --json, each activity is an object; its kind is listening, stored, attempt, delivery (one that is
printed), duplicate, rejected, handshake, storage, target, omitted or ended.

Ctrl-C and SIGTERM end it with exit status 0 once the deliveries under way are forwarded, or after --drain. A second Ctrl-C ends it
at once. See docs/receiving.md.`,
  pipeColumns: listenColumns,
  arguments: {},
  flags: listenFlags,
  handlesInterrupt: true,
  async run({ flags }, context) {
    const { listenForDeliveries } = await import('./listen/start-listening.ts');
    const openPage = flags.ui ? (await import('./page/open-page.ts')).openPage : undefined;
    await listenForDeliveries(context, flags, openPage);
    return undefined;
  },
});
