// How a bulk run is interrupted: the first signal stops taking rows and waits for requests in flight, the second waits
// for nothing, and a third ends the process.

import type { Context } from '#cli/context.ts';
import type { Interruption } from '#world/world.ts';

export interface BulkInterruptions {
  /** Aborted by the first signal. */
  readonly stop: AbortController;
  /** Aborted by the second signal. */
  readonly abandon: AbortSignal;
  /** Resolves a second after the second signal; results that the reader has not taken by then are given up. */
  readonly readerTimedOut: Promise<void>;
  /** The first signal, if any. */
  first(): Interruption | undefined;
  dispose(): void;
}

/** After a second signal, how long a reader has to take the remaining results. */
const readerMs = 1000;

export function handleInterruptions({ world, report }: Pick<Context, 'world' | 'report'>): BulkInterruptions {
  const stop = new AbortController();
  const second = new AbortController();
  let first: Interruption | undefined;
  let readerGone = () => {};
  const readerTimedOut = new Promise<void>((resolve) => {
    readerGone = resolve;
  });
  const ignore = world.process.onInterrupt((signal) => {
    if (first !== undefined) {
      second.abort();
      // Stop listening, so that a third signal ends the process.
      ignore();
      return void world.clock.sleep(readerMs).then(readerGone);
    }
    first = signal;
    void report.warn('Stopping: finishing the requests in flight. Press Ctrl-C again to quit now.');
    stop.abort();
  });
  return { stop, abandon: second.signal, readerTimedOut, first: () => first, dispose: ignore };
}
