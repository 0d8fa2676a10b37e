// Ends a receiver in the reverse order of its start, so that nothing that was accepted is lost.

import type { Failure } from '../../../failure.ts';
import type { Journal } from '../../../receiver/delivery-journal.ts';
import type { Forwarder } from '../../../receiver/forwarding/forwarder.ts';
import type { Listening } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { leastEndMs, printWithin, within } from './end-within.ts';
import { describeForwarding, sayWhileWaiting } from './finishing.ts';
import type { ListenView } from './listen-view.ts';
import type { ReceiverPage } from './receiver-page.ts';
import { recordStop } from './receiver-runs.ts';
import type { StatusServer } from './status-server.ts';
import type { WayIn } from './way-in/way-in.ts';

/** The parts of a running receiver. */
export interface RunningReceiver {
  /** Of the journal. */
  readonly folder: string;
  readonly journal: Journal;
  readonly listening: Listening;
  readonly forwarder: Forwarder;
  readonly view: ListenView;
  readonly status: StatusServer;
  readonly wayIn: WayIn;
  /** Rejects if the way in cannot be had. */
  readonly opening: Promise<void>;
  readonly page: ReceiverPage | undefined;
}

/** The failure if a webhook that was to be suspended or deleted was not. */
export async function stopReceiver(
  { world }: Context,
  running: RunningReceiver,
  limitMs: number,
): Promise<Failure | undefined> {
  const { folder, journal, listening, forwarder, view, status, wayIn, page } = running;
  // Before nothing is accepted any more: otherwise deliveries would fail in between.
  const failure = await wayIn.leave();
  const started = world.clock.monotonic();
  status.onStop();
  listening.stopAccepting();
  const responding = within(world, limitMs, listening.idle());
  await sayWhileWaiting(world, view, responding, () => 'requests are being received');
  await responding;
  const leftMs = Math.max(0, limitMs - (world.clock.monotonic() - started));
  // Whoever ends it need not wait for a target that cannot be reached.
  const isAnyReachable = forwarder.state().targets.some(({ fault }) => fault === undefined);
  const drainMs = isAnyReachable ? leftMs : 0;
  const draining = forwarder.drain(drainMs);
  await sayWhileWaiting(world, view, draining, () => describeForwarding(forwarder.state(), drainMs));
  await draining;
  // Whatever comes now would have to wait for the next run. What was accepted before gets its response.
  listening.refuse();
  await within(world, leastEndMs, listening.idle());
  await listening.close();
  await recordStop(world, folder);
  await wayIn.close();
  await page?.close();
  await printWithin(world, [world.streams.output], view.end());
  await status.close();
  await journal.close();
  return failure;
}

/** The journal is whole at any moment; only the terminal has to be given back. */
export async function abandonReceiver(
  { world }: Context,
  { listening, forwarder, view, status, wayIn, page }: RunningReceiver,
): Promise<void> {
  const left = wayIn.abandon();
  if (left !== undefined) view.warn(left);
  void listening.close();
  void status.close();
  void page?.close();
  void forwarder.stop();
  await printWithin(world, [world.streams.output], view.end());
}
