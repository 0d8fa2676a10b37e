// Runs `wm webhook forward`: opens the sink and forwards until the user ends it; a second Ctrl-C ends it at once.

import { usageError } from '../../../failure.ts';
import type { Forwarder } from '../../../receiver/forwarding/forwarder.ts';
import type { Context } from '../../context.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import { diskEndMs, printWithin, sinkSilent, within } from '../listen/end-within.ts';
import { describeForwarding, reportWhileWaiting } from '../listen/finishing.ts';
import { createCounting, describeCounts } from '../listen/listen-counts.ts';
import { checkPageFlags, listenDefaults } from '../listen/listen-flags.ts';
import type { ListenView } from '../listen/listen-view.ts';
import { openShowing, type Showing } from '../listen/open-showing.ts';
import { hearStopSignals, type StopSignals, unlessStopped } from '../listen/stop-signals.ts';
import type { ForwardFlags } from './forward-flags.ts';
import { openSinkStorage } from './sink-storage.ts';

/** Returns once the user has ended it. */
export async function forwardFromSink(context: Context, flags: ForwardFlags): Promise<void> {
  const { world, report } = context;
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
    const { storage, showing, counting, forwarder } = await start(context, flags, { quit, signals });
    const { journal } = storage;
    const { status, view, page, targets } = showing;
    const names = targets.all.map(({ name }) => name);
    if (report.wantsJson) {
      const time = new Date(world.clock.now()).toISOString();
      const record = {
        kind: 'forwarding',
        time,
        sink: storage.name,
        targets: names,
        ...(page === undefined ? {} : { page: page.url }),
      };
      await report.each({ columns: [], records: [record], raw: [record] });
    }
    view.message(
      [
        `Forwarding from ${storage.name}`,
        `  target:  ${names.join(', ')}`,
        ...(page === undefined ? [] : [`  page:    ${page.url}`]),
        'Press Ctrl-C to end.',
      ].join('\n'),
    );
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(
        signal,
        'wm did not wait for the deliveries under way',
        'Within ten seconds another forwarder gets them, or else the next run.',
      );
    });
    const end = await Promise.race([signals.first, quitting]);
    signals.begin();
    status.onStop();
    const drainMs = (flags.drain ?? listenDefaults.drainSeconds) * 1_000;
    const isWritten = await Promise.race([drain(context, view, forwarder, drainMs), atOnce]);
    await page?.close();
    const { output, errors } = world.streams;
    await printWithin(world, [output], view.end());
    const counts = counting.now();
    if (report.wantsJson) {
      const record = { kind: 'ended', time: new Date(world.clock.now()).toISOString(), ...counts };
      await printWithin(world, [output], report.each({ columns: [], records: [record], raw: [record] }));
    }
    await printWithin(world, [output, errors], report.info(`${describeCounts(counts, 0)}.`));
    await status.close();
    const closing = storage
      .noteStop()
      .then(() => journal.close())
      .catch(() => {});
    const isClosed = isWritten && (await within(world, diskEndMs, closing));
    if (!isClosed) {
      // As an interruption, since what is still under way would keep the process.
      throw interruptedFailureWith(end ?? 'SIGINT', ...sinkSilent);
    }
  } finally {
    signals.ignore();
  }
}

interface Ending {
  readonly quit: () => void;
  readonly signals: StopSignals;
}

/** If it rejects, nothing is left open. */
async function start(context: Context, flags: ForwardFlags, { quit, signals }: Ending) {
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

/** False if the servers did not respond: the outcome of the last deliveries may not be recorded. */
async function drain(
  { world }: Context,
  view: ListenView,
  forwarder: Forwarder,
  limitMs: number,
): Promise<boolean> {
  const draining = forwarder.drain(limitMs);
  await reportWhileWaiting(world, view, draining, () => describeForwarding(forwarder.state(), limitMs));
  return within(world, limitMs + diskEndMs, draining);
}
