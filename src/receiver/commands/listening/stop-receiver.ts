// Stops a receiver in the reverse order of its start, so that no accepted delivery is lost.

import type { Context } from '#cli/context.ts';
import type { Failure } from '#failure.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { Listening } from '#world/world.ts';
import type { WayIn } from '../way-in/way-in.ts';
import { diskEndMs, leastEndMs, printWithin, within } from './end-within.ts';
import { describeForwarding, reportWhileWaiting } from './finishing.ts';
import type { ForwardingRecord } from './forwarding-file.ts';
import type { ListenView } from './listen-view.ts';
import type { ReceiverPage } from './receiver-page.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import type { StatusServer } from './status-server.ts';

export interface RunningReceiver {
  readonly storage: ReceiverStorage;
  readonly listening: Listening;
  /** Removes the record by which other commands find this receiver. Never rejects. */
  readonly forgetReceiver: () => Promise<void>;
  readonly forwarder: Forwarder;
  readonly forwarding: ForwardingRecord;
  readonly view: ListenView;
  readonly status: StatusServer;
  readonly wayIn: WayIn;
  /** Rejects if the way in cannot be opened. */
  readonly opening: Promise<void>;
  readonly page: ReceiverPage | undefined;
}

export interface Stopped {
  /** Set if a webhook could not be suspended or deleted as asked. */
  readonly failure: Failure | undefined;
  /** False if the disk did not respond: the last outcomes may be missing in the journal, and system calls are pending. */
  readonly isWritten: boolean;
}

export async function stopReceiver(
  { world }: Context,
  running: RunningReceiver,
  limitMs: number,
): Promise<Stopped> {
  const { storage, listening, forgetReceiver, forwarder, forwarding, view, status, wayIn, page } = running;
  // First, while deliveries are still accepted: otherwise some would fail.
  const failure = await wayIn.leave();
  const started = world.clock.monotonic();
  status.onStop();
  listening.stopAccepting();
  const responding = within(world, limitMs, listening.idle());
  await reportWhileWaiting(world, view, responding, () => 'requests are being received');
  await responding;
  const leftMs = Math.max(0, limitMs - (world.clock.monotonic() - started));
  // Do not make the user wait for targets that cannot be reached.
  const isAnyReachable = forwarder.state().targets.some(({ fault }) => fault === undefined);
  const drainMs = isAnyReachable ? leftMs : 0;
  const draining = forwarder.drain(drainMs);
  await reportWhileWaiting(world, view, draining, () => describeForwarding(forwarder.state(), drainMs));
  // Beyond the limit, wait only for the disk, which stores the last outcomes.
  let isWritten = await within(world, drainMs + diskEndMs, draining);
  // A new delivery would have to wait for the next run. Earlier ones still get their response.
  listening.refuse();
  await within(world, leastEndMs, listening.idle());
  await listening.close();
  await forgetReceiver();
  // This write would hang with the disk.
  if (isWritten) await storage.noteStop();
  await wayIn.close();
  await page?.close();
  await printWithin(world, [world.streams.output], view.end());
  await status.close();
  const closing = storage.journal.close().then(forwarding.written);
  if (!isWritten) closing.catch(() => {});
  else isWritten = await within(world, diskEndMs, closing);
  return { failure, isWritten };
}

/** Only restores the terminal: the journal is consistent at any moment. */
export async function abandonReceiver(
  { world }: Context,
  { storage, listening, forgetReceiver, forwarder, view, status, wayIn, page }: RunningReceiver,
): Promise<void> {
  const left = wayIn.abandon();
  if (left !== undefined) view.warn(left);
  void listening.close();
  void forgetReceiver();
  void status.close();
  void page?.close();
  void forwarder.stop();
  await printWithin(world, [world.streams.output], view.end());
  const closing = storage.journal.close().catch(() => {});
  if (!(await within(world, leastEndMs, closing))) world.process.giveUpDisk();
}
