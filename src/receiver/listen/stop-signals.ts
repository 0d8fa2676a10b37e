// Handles Ctrl-C and SIGTERM for a command that finishes its work: the first asks it to stop, the second stops it at once.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import type { Interruption } from '#world/world.ts';

export type StopSignals = ReturnType<typeof listenForStopSignals>;

export function listenForStopSignals({ world, isPrompting }: Pick<Context, 'world' | 'isPrompting'>) {
  const waiting: ((signal: Interruption) => void)[] = [];
  const nextSignal = () => new Promise<Interruption>((resolve) => waiting.push(resolve));
  const interrupt = (signal: Interruption) => {
    // A prompt handles the signal, and ends the command.
    if (!isPrompting()) waiting.shift()?.(signal);
  };
  return {
    first: nextSignal(),
    second: nextSignal(),
    /** Acts as the signal would, for a terminal that delivers Ctrl-C as a key. */
    interrupt,
    /** Says that the command is stopping anyway, so the next signal counts as the second. */
    begin() {
      waiting.splice(0, waiting.length - 1);
    },
    ignore: world.process.onInterrupt(interrupt),
  };
}

/** Waits for a start, unless the user stops the command first. The start continues in the background. */
export function unlessStopped<T>({ first }: Pick<StopSignals, 'first'>, starting: Promise<T>): Promise<T> {
  const stopped = first.then((signal) => {
    throw interruptedFailureWith(signal, 'wm had not started yet', 'No delivery was received or forwarded.');
  });
  return Promise.race([starting, stopped]);
}
