// Handles Ctrl-C and SIGTERM for a command that finishes its work: the first asks it to stop, the second stops it at once.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import type { Interruption } from '#world/world.ts';

export interface StopSignals {
  readonly first: Promise<Interruption>;
  readonly second: Promise<Interruption>;
  /** Acts as the signal would, for a terminal that delivers Ctrl-C as a key. */
  interrupt(signal: Interruption): void;
  /** Says that the command is stopping anyway, so the next signal counts as the second. */
  begin(): void;
  ignore(): void;
}

type SignalContext = Pick<Context, 'world' | 'isPrompting'>;

export function listenForStopSignals({ world, isPrompting }: SignalContext): StopSignals {
  let resolveFirst = (_signal: Interruption) => {};
  let resolveSecond = (_signal: Interruption) => {};
  let hasBegun = false;
  const interrupt = (signal: Interruption) => {
    // The prompt handles the signal, and ends the command.
    if (isPrompting()) return;
    (hasBegun ? resolveSecond : resolveFirst)(signal);
    hasBegun = true;
  };
  return {
    first: new Promise((resolve) => {
      resolveFirst = resolve;
    }),
    second: new Promise((resolve) => {
      resolveSecond = resolve;
    }),
    interrupt,
    begin() {
      hasBegun = true;
    },
    ignore: world.process.onInterrupt(interrupt),
  };
}

/** Waits for a start, unless the user stops the command first. The start continues in the background. */
export function unlessStopped<T>({ first }: Pick<StopSignals, 'first'>, starting: Promise<T>): Promise<T> {
  const stopped = first.then((signal) => {
    throw interruptedFailureWith(signal, 'wm had not started yet', 'Nothing was changed.');
  });
  return Promise.race([starting, stopped]);
}
