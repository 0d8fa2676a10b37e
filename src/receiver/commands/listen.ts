// `wm webhook listen`: receives the deliveries of webhooks, stores each before it responds, and forwards them.

import { command } from '#cli/command.ts';
import { words } from '#contract/words.ts';
import { usageError } from '#failure.ts';
import { type ListenFlags, listenDefaults, listenFlags } from '../listen/listen-flags.ts';
import { listenColumns } from '../listen/listen-record.ts';

export default command({
  changes: 'the service',
  mayOnlyRead: true,
  examples: {
    'Receive deliveries, and forward each to a program on this machine':
      'wm webhook listen --forward-to http://127.0.0.1:3000/hook',
    'Only print deliveries': 'wm webhook listen',
    'Start a tunnel, and create a webhook for its URL; suspend the webhook at the end':
      "wm webhook listen --forward-to http://127.0.0.1:3000/hook --tunnel 'cloudflared tunnel --url http://127.0.0.1:{port}' --create --events task",
    'Receive behind a proxy; suspend the webhook while the proxy does not reach this receiver':
      'wm webhook listen --public-url https://hooks.example.com/wm --suspend-when-unreachable --exec ./handle-event',
    'Forward new tasks to another program':
      'wm webhook listen --forward-to http://127.0.0.1:3000/ --route TaskCreated=http://127.0.0.1:3001/',
    'Store deliveries where other receivers do, too; wm webhook forward sends them on':
      'wm webhook listen --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES --secret-file secret',
    'Print the payloads of some events as JSON':
      'wm webhook listen --print TaskStatusChanged --jq \'select(.kind == "delivery") | .payload\'',
  },
  details: `wm acknowledges a delivery once it is on the disk, and never before: no acknowledged delivery is lost if this machine or the
program behind it fails. It responds to no delivery with a 4xx status, because the service would suspend the webhook. Requests from
web pages get 403: those with an Origin or Sec-Fetch-Site header, and, if only this machine can reach wm, unsigned ones for another host.

It forwards each delivery with its own bytes and headers, at least once, in order for each task and folder. A 2xx response
means that the target has accepted it. After any other, wm retries with a longer wait each time, up to five minutes; in the end (--retry-for) it
becomes a dead letter, which \`wm webhook replay\` can send again. While a target cannot be reached, its deliveries wait.

wm accepts every secret from --secret-file, --secret-stdin, WM_WEBHOOK_SECRET and --secret-of. Without any, it creates one for this
journal and stores it where tokens are stored. Listening needs no sign-in.

With --sink, deliveries are stored in NATS streams that several receivers share, and acknowledged once more than half of the servers have
them; wm webhook sink create creates the streams. All receivers need the same secret, and wm creates none. Without --forward-to,
wm webhook forward sends what is stored. See docs/several-receivers.md.

With --public-url or --tunnel, wm sends a signed handshake to the URL every minute, and warns you when it no longer arrives here. Two
failures in a row restart the tunnel. Its URL is the first https URL in its output whose host is a subdomain, with nothing after it.
--create creates a webhook once the URL reaches this receiver, with the first of the secrets, which wm also stores for it; if a webhook
delivers to the URL already, wm uses that one. At the end wm suspends only a webhook that it created (--on-exit); the next run with
--create resumes it.
With --suspend-when-unreachable, wm suspends the webhook after two failures, and resumes it when the URL reaches this receiver again.

In a pipe, wm prints a line after each attempt to forward a delivery to a target. While a target cannot be reached, it also prints a line
for each delivery that waits, up to 500 in a second, and then one that counts the rest. With --json, each activity is an object; its kind
is listening, stored, attempt, delivery (printed), duplicate, rejected, handshake, storage, sink, target, omitted or ended.

Ctrl-C and SIGTERM end it with exit status 0 once the deliveries under way are forwarded, or after --drain. A second Ctrl-C ends it
at once. See docs/receiving.md.`,
  pipeColumns: listenColumns,
  firstFlags: words('forwardTo exec print port journal secretFile secretOf publicUrl create ui'),
  flags: listenFlags,
  handlesInterrupt: true,
  async run({ flags }, context) {
    assertNotOwnAddress(flags);
    const { listenForDeliveries } = await import('../listen/start-receiver.ts');
    const { sink } = flags;
    await listenForDeliveries(context, flags, async () =>
      sink === undefined
        ? (await import('../listen/local-storage.ts')).openLocalStorage(context, flags)
        : (await import('../sink/sink-storage.ts')).openSinkStorage(context, { ...flags, sink }),
    );
  },
});

/** Rejects this receiver as its own target: a delivery would come back as a duplicate, and count as forwarded. */
function assertNotOwnAddress({ forwardTo, route = [], port, host }: ListenFlags): void {
  const { port: defaultPort, host: defaultHost } = listenDefaults;
  for (const url of [forwardTo, ...route.map(({ url }) => url)]) {
    if (url === undefined) continue;
    const target = new URL(url);
    const name = target.hostname.replace(/^\[(.*)\]$/, '$1');
    const isHere = /^(?:localhost|127\..*|::1?|0\.0\.0\.0)$/.test(name) || name === (host ?? defaultHost);
    if (isHere && target.port === String(port ?? defaultPort))
      throw usageError(
        `${url} is the address of this receiver: each delivery would come back to it`,
        'Give the URL of your own program, or let this receiver listen on another --port.',
      );
  }
}
