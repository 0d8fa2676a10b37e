// Turns the flags of `listen` and `forward` into the options of the forwarder.

import type { ForwarderOptions } from '#receiver/forwarding/forwarder.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';

type Limits = Pick<ForwarderOptions, 'concurrency' | 'maxAttempts' | 'giveUpAfterMs'>;

export function forwardingLimits({
  concurrency = listenDefaults.concurrency,
  maxAttempts = listenDefaults.maxAttempts,
  giveUpAfter = listenDefaults.giveUpAfterMs,
}: Pick<ListenFlags, 'concurrency' | 'maxAttempts' | 'giveUpAfter'>): Limits {
  return { concurrency, maxAttempts, giveUpAfterMs: giveUpAfter };
}
