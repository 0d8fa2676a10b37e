// Runs a receiver or a forwarder: starts it, waits for the first Ctrl-C or SIGTERM, and stops it; at once after a second one.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { Failure, toFailure } from '#failure.ts';
import { type Counting, describeCounts } from './listen-counts.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import { printRunRecord } from './listen-record.ts';
import type { StartOptions } from './open-output.ts';
import { abandonReceiver, printWithin, type RunningReceiver, stopReceiver } from './stop-receiver.ts';
import { listenForStopSignals } from './stop-signals.ts';

/** What happened if the disk does not respond, and what follows. */
const diskNotResponding = [
  'the disk did not respond, so not everything is written',
  'No acknowledged delivery is lost, and the service sends the others again. The next wm webhook listen forwards a delivery again if its last attempt was not written.',
] as const;

/** What happened if the servers of a sink do not respond, and what follows. */
const sinkNotResponding = [
  'the NATS servers did not respond, so the outcomes of the last deliveries are not recorded',
  'No acknowledged delivery is lost, and the service sends the others again. Deliveries without a recorded outcome are forwarded again.',
] as const;

/** Returns once the user has stopped it, or the reader of its output has gone. `abandoned`: what happens to deliveries under way. */
export async function runReceiver(
  context: Context,
  { drain = listenDefaults.drainSeconds }: Pick<ListenFlags, 'drain'>,
  counting: Counting,
  abandoned: string,
  start: (options: StartOptions) => Promise<RunningReceiver>,
): Promise<void> {
  context.ignoreHangupWithoutTerminal();
  const signals = listenForStopSignals(context);
  let quit = () => {};
  const quitting = new Promise<void>((resolve) => {
    quit = resolve;
  });
  try {
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(signal, 'wm did not wait for the deliveries under way', abandoned);
    });
    const opened: (() => Promise<unknown>)[] = [];
    const onFailure = (close: () => Promise<unknown>) => void opened.unshift(close);
    const starting = start({ counting, signals, quit, onFailure }).catch(async (error: unknown) => {
      for (const close of opened) await close();
      throw error;
    });
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
    printWithin(world, output, ended),
    printWithin(world, errors, report.info(`${describeCounts(counts, waiting)}.${later}`)),
  ]);
}
