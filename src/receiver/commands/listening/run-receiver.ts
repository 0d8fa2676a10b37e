// Runs a receiver or a forwarder: starts it, waits for the first Ctrl-C or SIGTERM, and stops it; at once after a second one.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { Failure, toFailure } from '#failure.ts';
import { type Counting, describeCounts } from './listen-counts.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import { printRunRecord } from './listen-record.ts';
import type { StartOptions } from './open-output.ts';
import {
  abandonReceiver,
  diskNotResponding,
  printWithin,
  type RunningReceiver,
  sinkNotResponding,
  stopReceiver,
} from './stop-receiver.ts';
import { listenForStopSignals } from './stop-signals.ts';

/** Returns once the user has stopped it, or the reader of its output has gone. `abandoned`: what happens to deliveries under way. */
export async function runReceiver(
  context: Context,
  { drain = listenDefaults.drainSeconds }: Pick<ListenFlags, 'drain'>,
  counting: Counting,
  abandoned: string,
  start: (options: StartOptions) => Promise<RunningReceiver>,
): Promise<void> {
  const signals = listenForStopSignals(context);
  let quit = () => {};
  const quitting = new Promise<void>((resolve) => {
    quit = resolve;
  });
  try {
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(signal, 'wm did not wait for the deliveries under way', abandoned);
    });
    const starting = start({ counting, signals, quit });
    const running = await Promise.race([starting, atOnce]).catch((error: unknown) => {
      // The server may already listen, and would keep the process alive.
      starting.then(
        (started) => abandonReceiver(context, started),
        () => {},
      );
      throw error;
    });
    const opening = running.intake?.opening ?? Promise.resolve();
    const cannotOpen = opening.then(() => new Promise<never>(() => {}), toFailure);
    const end = await Promise.race([signals.first, quitting, cannotOpen]);
    signals.begin();
    const stopping = stopReceiver(context, running, drain * 1_000);
    const { failure, isWritten } = await Promise.race([stopping, atOnce]).catch(async (error: unknown) => {
      await abandonReceiver(context, running);
      throw error;
    });
    await printTotals(context, counting, running);
    if (end instanceof Failure) throw end;
    if (failure) throw failure;
    // Exit as after an interruption: pending calls to the system would keep the process alive.
    if (!isWritten) {
      if (running.intake) context.world.process.giveUpDisk();
      const [why, effect] = running.storage.isShared ? sinkNotResponding : diskNotResponding;
      throw interruptedFailureWith(end ?? 'SIGINT', why, effect);
    }
  } finally {
    signals.ignore();
  }
}

async function printTotals(
  context: Context,
  counting: Counting,
  { storage: { journal, isShared }, intake }: RunningReceiver,
): Promise<void> {
  const { report, world } = context;
  const { output, errors } = world.streams;
  const counts = counting.now();
  const waiting = intake ? journal.state().unfinished : 0;
  const later =
    waiting === 0 || isShared ? '' : ' The next wm webhook listen forwards the waiting deliveries.';
  const ended = printRunRecord(context, 'ended', { ...counts, ...(intake && { waiting }) });
  // In parallel: one output may have a reader when the other has none.
  await Promise.all([
    printWithin(world, [output], ended),
    printWithin(world, [errors], report.info(`${describeCounts(counts, waiting)}.${later}`)),
  ]);
}
