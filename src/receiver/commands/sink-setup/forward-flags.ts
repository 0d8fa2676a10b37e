// The flags of `wm webhook forward`: the sink, and the same targets as those of `listen`.

import type { Flag, ParsedFlags } from '#cli/flags/flag.ts';
import { listenFlags } from '../listening/listen-flags.ts';
import { sinkConnectionFlags, sinkFlag } from '../listening/sink-flags.ts';

const { forwardTo, route, exec, forwardHeader, forwardCa, forwardHost, forwardTimeout } = listenFlags;
const { concurrency, maxAttempts, giveUpAfter, metrics, ui, uiPort, drain } = listenFlags;

export const forwardFlags = {
  sink: {
    ...sinkFlag('The NATS streams where receivers store deliveries'),
    required: 'Give its URL: --sink nats://HOST[,HOST...]/NAME',
  } satisfies Flag<string>,
  ...sinkConnectionFlags,
  forwardTo,
  route,
  exec,
  forwardHeader,
  forwardCa,
  forwardHost,
  forwardTimeout,
  concurrency,
  maxAttempts,
  giveUpAfter,
  metrics,
  ui,
  uiPort,
  drain,
};

export type ForwardFlags = ParsedFlags<typeof forwardFlags>;
