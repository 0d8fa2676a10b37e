// Runs `wm webhook listen`: starts the receiver, waits for the first Ctrl-C or SIGTERM, and stops it; at once after a second one.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { Failure, toFailure } from '#failure.ts';
import { diskSilent, printWithin, sinkSilent } from './end-within.ts';
import { type Counting, createCounting, describeCounts } from './listen-counts.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { OpenReceiverPage } from './receiver-page.ts';
import type { OpenReceiverStorage } from './receiver-storage.ts';
import { startReceiver } from './start-receiver.ts';
import { abandonReceiver, type RunningReceiver, stopReceiver } from './stop-receiver.ts';
import { hearStopSignals, unlessStopped } from './stop-signals.ts';

/** Returns once the user has stopped it, or the reader of its output has gone. `openPage`: for --ui. */
export async function listenForDeliveries(
  context: Context,
  flags: ListenFlags,
  openStorage: OpenReceiverStorage,
  openPage?: OpenReceiverPage,
): Promise<void> {
  const signals = hearStopSignals(context);
  let hearQuit = () => {};
  const quit = new Promise<void>((resolve) => {
    hearQuit = resolve;
  });
  const counting = createCounting();
  try {
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(
        signal,
        'wm did not wait for the deliveries under way',
        'They are stored: the next wm webhook listen forwards them.',
      );
    });
    const interrupt = () => signals.interrupt('SIGINT');
    const starting = startReceiver(context, flags, {
      counting,
      quit: hearQuit,
      interrupt,
      // A journal opens at once.
      openStorage: (...given) =>
        flags.sink === undefined ? openStorage(...given) : unlessStopped(signals, openStorage(...given)),
      openPage,
    });
    const running = await Promise.race([starting, atOnce]).catch((error: unknown) => {
      // The server may already listen, and would keep the process alive.
      starting.then(
        (late) => abandonReceiver(context, late),
        () => {},
      );
      throw error;
    });
    const cannotOpen = running.opening.then(() => new Promise<never>(() => {}), toFailure);
    const end = await Promise.race([signals.first, quit, cannotOpen]);
    signals.begin();
    const drainMs = (flags.drain ?? listenDefaults.drainSeconds) * 1_000;
    const stopping = stopReceiver(context, running, drainMs);
    const { failure, isWritten } = await Promise.race([stopping, atOnce]).catch(async (error: unknown) => {
      await abandonReceiver(context, running);
      throw error;
    });
    await printTotals(context, counting, running);
    if (end instanceof Failure) throw end;
    if (failure) throw failure;
    // Exit as after an interruption: pending calls to the system would keep the process alive.
    if (!isWritten) {
      context.world.process.giveUpDisk();
      const [what, follows] = running.storage.isShared ? sinkSilent : diskSilent;
      throw interruptedFailureWith(end ?? 'SIGINT', what, follows);
    }
  } finally {
    signals.ignore();
  }
}

async function printTotals(
  { report, world }: Context,
  counting: Counting,
  { storage: { journal, isShared } }: RunningReceiver,
): Promise<void> {
  const { output, errors } = world.streams;
  const counts = counting.now();
  const waiting = journal.state().unfinished;
  const later =
    waiting === 0 || isShared ? '' : ' What waits is forwarded when wm webhook listen runs again.';
  const record = { kind: 'ended', time: new Date(world.clock.now()).toISOString(), ...counts, waiting };
  const ended = report.wantsJson
    ? report.each({ columns: [], records: [record], raw: [record] })
    : Promise.resolve();
  // In parallel: one output may have a reader when the other has none.
  await Promise.all([
    printWithin(world, [output], ended),
    printWithin(world, [errors], report.info(`${describeCounts(counts, waiting)}.${later}`)),
  ]);
}
