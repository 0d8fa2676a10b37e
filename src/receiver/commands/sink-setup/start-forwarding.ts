// Runs `wm webhook forward`: opens the sink and forwards until the user ends it; a second Ctrl-C ends it at once.

import type { Context } from '#cli/context.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { usageError } from '#failure.ts';
import { diskEndMs, printWithin, sinkSilent, within } from '../listening/end-within.ts';
import { describeForwarding, reportWhileWaiting } from '../listening/finishing.ts';
import { createCounting, describeCounts } from '../listening/listen-counts.ts';
import { checkPageFlags, type ListenFlags, listenDefaults } from '../listening/listen-flags.ts';
import { openShowing, type Showing } from '../listening/open-showing.ts';
import { hearStopSignals, type StopSignals, unlessStopped } from '../listening/stop-signals.ts';
import { openSinkStorage } from './sink-storage.ts';

/** Returns once the user has stopped it. */
export async function forwardFromSink(context: Context, flags: ListenFlags): Promise<void> {
  const { world, report } = context;
  const { clock, streams } = world;
  if ([flags.forwardTo, flags.route, flags.exec].every((flag) => flag === undefined))
    throw usageError(
      'Missing: where to send the deliveries',
      'Give --forward-to URL, --route EVENT=URL or --exec COMMAND.',
    );
  checkPageFlags(flags);
  const signals = hearStopSignals(context);
  let quit = () => {};
  const quitting = new Promise<void>((resolve) => {
    quit = resolve;
  });
  try {
    const { storage, showing, counting, forwarder } = await start(context, flags, quit, signals);
    const { status, view, page, targets } = showing;
    const names = targets.all.map(({ name }) => name);
    const recordOf = (kind: string, members: object) => {
      const record = { kind, time: new Date(clock.now()).toISOString(), ...members };
      return report.each({ columns: [], records: [record], raw: [record] });
    };
    if (report.wantsJson)
      await recordOf('forwarding', { sink: storage.name, targets: names, ...(page && { page: page.url }) });
    view.message(
      [
        `Forwarding from ${storage.name} (Ctrl-C ends it)`,
        `  target:  ${names.join(', ')}`,
        ...(page === undefined ? [] : [`  page:    ${page.url}`]),
      ].join('\n'),
    );
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(
        signal,
        'wm did not wait for the deliveries under way',
        'Within five seconds another forwarder gets them, or else the next run.',
      );
    });
    const end = await Promise.race([signals.first, quitting]);
    signals.begin();
    status.onStop();
    const drainMs = (flags.drain ?? listenDefaults.drainSeconds) * 1_000;
    const drain = async () => {
      const draining = forwarder.drain(drainMs);
      await reportWhileWaiting(world, view, draining, () => describeForwarding(forwarder.state(), drainMs));
      return within(world, drainMs + diskEndMs, draining);
    };
    // False if the servers did not respond: the outcome of the last deliveries may not be recorded.
    const isWritten = await Promise.race([drain(), atOnce]);
    await page?.close();
    await printWithin(world, [streams.output], view.end());
    const counts = counting.now();
    if (report.wantsJson) await printWithin(world, [streams.output], recordOf('ended', counts));
    const outputs = [streams.output, streams.errors];
    await printWithin(world, outputs, report.info(`${describeCounts(counts, 0)}.`));
    await status.close();
    const closing = storage
      .noteStop()
      .then(() => storage.journal.close())
      .catch(() => {});
    // Exit as after an interruption: unfinished work would keep the process alive.
    if (!isWritten || !(await within(world, diskEndMs, closing)))
      throw interruptedFailureWith(end ?? 'SIGINT', ...sinkSilent);
  } finally {
    signals.ignore();
  }
}

/** Leaves no connection open if it rejects. */
async function start(context: Context, flags: ListenFlags, quit: () => void, signals: StopSignals) {
  const storage = await unlessStopped(signals, openSinkStorage(context, flags));
  const counting = createCounting({ receives: false });
  let showing: Showing | undefined;
  try {
    showing = await openShowing(context, flags, {
      storage,
      counting,
      quit,
      interrupt: () => signals.interrupt('SIGINT'),
      openPage: async (titles) => storage.openPage?.(titles, 'forward'),
    });
    showing.recordForwarding();
    const forwarder = await storage.startForwarder(showing.targets, showing.onActivity);
    await showing.onReady(forwarder);
    return { storage, showing, counting, forwarder };
  } catch (error) {
    await showing?.close();
    await storage.noteStop();
    await storage.journal.close();
    throw error;
  }
}
