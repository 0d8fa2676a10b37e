// Ctrl-C and SIGTERM for a command that first finishes what it has begun: the first one asks it to end, the second ends it at once.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import type { Interruption } from '#world/world.ts';

export interface StopSignals {
  /** Resolves with the first. */
  readonly first: Promise<Interruption>;
  readonly second: Promise<Interruption>;
  /** What the signal would do; for a terminal that delivers Ctrl-C as a key. */
  interrupt(signal: Interruption): void;
  /** It ends for another reason: the next signal counts as the second. */
  begin(): void;
  /** Stops listening for signals. */
  ignore(): void;
}

export function hearStopSignals({ world, isPrompting }: Pick<Context, 'world' | 'isPrompting'>): StopSignals {
  let hearFirst = (_signal: Interruption) => {};
  let hearSecond = (_signal: Interruption) => {};
  let hasBegun = false;
  const interrupt = (signal: Interruption) => {
    // A prompt ends first, and the command with it.
    if (isPrompting()) return;
    (hasBegun ? hearSecond : hearFirst)(signal);
    hasBegun = true;
  };
  return {
    first: new Promise((resolve) => {
      hearFirst = resolve;
    }),
    second: new Promise((resolve) => {
      hearSecond = resolve;
    }),
    interrupt,
    begin() {
      hasBegun = true;
    },
    ignore: world.process.onInterrupt(interrupt),
  };
}

/** What starts, unless the user ends it before, which may take long where servers do not respond. What has begun goes on meanwhile. */
export function unlessStopped<T>({ first }: StopSignals, starting: Promise<T>): Promise<T> {
  const stopped = first.then((signal) => {
    throw interruptedFailureWith(signal, 'wm had not started yet', 'Nothing was changed.');
  });
  return Promise.race([starting, stopped]);
}
