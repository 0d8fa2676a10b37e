// `wm webhook forward`: sends the deliveries of a sink to a program, together with any number of other forwarders.

import { command } from '#cli/command.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { words } from '#contract/words.ts';
import { requestFlags, targetFlags } from '../archive/replaying/target-flags.ts';
import { type SinkUrl, sinkConnectionFlags, sinkFlag } from '../archive/storage-flags.ts';
import { forwarderFlags } from '../listen/listen-flags.ts';
import { listenColumns } from '../listen/listen-record.ts';

const forwardFlags = {
  sink: {
    ...sinkFlag('The NATS streams where receivers store deliveries'),
    required: 'Give its URL: --sink nats://HOST[,HOST...]/NAME',
  } satisfies Flag<SinkUrl>,
  ...sinkConnectionFlags,
  ...targetFlags,
  ...requestFlags,
  ...forwarderFlags,
};

export default command({
  changes: 'a receiver',
  examples: {
    'Forward to a program on this machine; run as many as you like, on any machine':
      'wm webhook forward --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES --forward-to http://127.0.0.1:3000/hook',
    'Send new tasks to another program':
      'wm webhook forward --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES --forward-to http://127.0.0.1:3000/ --route TaskCreated=http://127.0.0.1:3001/',
  },
  details: `Deliveries come from a sink, where wm webhook listen --sink stores them. Each partition of the sink is forwarded in order, one delivery
at a time, by whichever forwarder asks first. If you start more forwarders, they share the work; if you end one, the others take over
within five seconds. Each target has its own progress. All forwarders of a sink should have the same targets.

Each delivery is sent unchanged, with its bytes and headers, at least once; if it may have been sent before, it has the header
X-Wm-Redelivered: 1. A 2xx response means that the target has accepted it. After any
other response, a forwarder retries with a longer wait each time, up to five minutes. In the end (--retry-for) it becomes a dead letter, which
\`wm webhook replay\` can send again, and the next delivery of the partition follows. While a target cannot be reached, deliveries wait.
\`wm webhook log --stuck\` shows the deliveries that no forwarder has forwarded yet.

Credentials come from --sink-creds, or from WM_SINK_USER and WM_SINK_PASSWORD, WM_SINK_TOKEN or WM_SINK_NKEY.

With --ui, wm serves a page for the whole sink: the deliveries of all receivers, and what all forwarders do with them.

Ctrl-C and SIGTERM end it with exit status 0 once the deliveries in flight are forwarded, or after --drain.`,
  pipeColumns: listenColumns,
  firstFlags: words(
    'sink forwardTo route exec forwardHeader forwardTimeout concurrency maxAttempts metrics ui',
  ),
  flags: forwardFlags,
  handlesInterrupt: true,
  async run({ flags }, context) {
    const { forwardFromSink } = await import('../sink/start-forwarding.ts');
    await forwardFromSink(context, flags);
  },
});
