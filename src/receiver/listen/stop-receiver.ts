// Stops a receiver in the reverse order of its start, so that no accepted delivery is lost. Limits how long that takes, even if its output
// is never read or a client never ends its request.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import type { Failure } from '#failure.ts';
import { withinLimit } from '#within-limit.ts';
import type { Listening, World } from '#world/world.ts';
import { formatDuration } from '../archive/deliveries/delivery-line.ts';
import type { Forwarder, ForwarderState } from '../core/forwarding/forwarder.ts';
import type { WayIn } from '../way-in/way-in.ts';
import type { ListenView } from './listen-view.ts';
import type { ReceiverOutput } from './open-output.ts';
import type { ReceiverStorage } from './receiver-storage.ts';

export interface RunningReceiver {
  readonly storage: ReceiverStorage;
  readonly forwarder: Forwarder;
  readonly output: ReceiverOutput;
  /** A forwarder of a sink receives nothing itself. */
  readonly intake?: {
    readonly listening: Listening;
    /** Removes the record by which other commands find this receiver. Never rejects. */
    readonly forgetReceiver: () => Promise<void>;
    readonly wayIn: WayIn;
    /** Rejects if the way in cannot be opened. */
    readonly opening: Promise<void>;
  };
}

/**
 * Returns the failure if a webhook could not be suspended or deleted as asked. `isWritten` is false if the disk, or the servers of the
 * sink, did not respond: the last outcomes may not be recorded, and system calls are pending.
 */
export async function stopReceiver(
  { world }: Context,
  { storage, forwarder, output, intake }: RunningReceiver,
  limitMs: number,
): Promise<{ readonly failure: Failure | undefined; readonly isWritten: boolean }> {
  const { view, status, page } = output;
  // First, while deliveries are still accepted: otherwise some would fail.
  const failure = await intake?.wayIn.leave();
  const started = world.clock.monotonic();
  status?.onStop();
  if (intake) {
    intake.listening.stopAccepting();
    const responding = within(world, limitMs, intake.listening.idle());
    await reportWhileWaiting(world, view, responding, () => 'requests are being received');
    await responding;
  }
  const remainingMs = Math.max(0, limitMs - (world.clock.monotonic() - started));
  // Do not make the user wait for targets that cannot be reached.
  const isAnyReachable = forwarder.state().targets.some(({ fault }) => fault === undefined);
  const drainMs = isAnyReachable ? remainingMs : 0;
  const draining = forwarder.drain(drainMs);
  await reportWhileWaiting(world, view, draining, () => describeForwarding(forwarder.state(), drainMs));
  // Beyond the limit, wait only for the disk, which stores the last outcomes.
  let isWritten = await within(world, drainMs + diskEndMs, draining);
  if (intake) {
    // A new delivery would have to wait for the next run. Earlier ones still get their response.
    intake.listening.refuse();
    await within(world, leastEndMs, intake.listening.idle());
    await intake.listening.close();
    await intake.forgetReceiver();
  }
  // This write would hang with the disk.
  if (isWritten) await storage.noteStop();
  await intake?.wayIn.close();
  await page?.close();
  await printWithin(world, world.streams.output, view.end());
  await status?.close();
  const closing = storage.journal.close();
  if (!isWritten) closing.catch(() => {});
  else isWritten = await within(world, diskEndMs, closing);
  return { failure, isWritten };
}

/** Only restores the terminal: the journal is consistent at any moment. */
export async function abandonReceiver(
  { world }: Context,
  { storage, forwarder, output: { view, status, page }, intake }: RunningReceiver,
): Promise<void> {
  const warning = intake?.wayIn.abandon();
  if (warning !== undefined) view.warn(warning);
  void intake?.listening.close();
  void intake?.forgetReceiver();
  void status?.close();
  void page?.close();
  void forwarder.stop();
  await printWithin(world, world.streams.output, view.end());
  const closing = storage.journal.close().catch(() => {});
  if (!(await within(world, leastEndMs, closing)) && intake) world.process.giveUpDisk();
}

/** Prints nothing if the work ends by the next turn of the event loop, or `describe` returns nothing. */
async function reportWhileWaiting(
  { clock }: Pick<World, 'clock'>,
  view: Pick<ListenView, 'message'>,
  work: Promise<unknown>,
  describe: () => string | undefined,
): Promise<void> {
  const isDone = await Promise.race([work.then(() => true), clock.nextTurn().then(() => false)]);
  const activity = isDone ? undefined : describe();
  if (activity !== undefined) view.message(`Finishing: ${activity}; Ctrl-C again ends now.`);
}

/** `2 deliveries are being forwarded, 3 more wait (for at most 10 s)`; `undefined` without either. */
function describeForwarding(
  { inFlight, waiting }: Pick<ForwarderState, 'inFlight' | 'waiting'>,
  limitMs: number,
): string | undefined {
  if (limitMs === 0 || inFlight + waiting === 0) return undefined;
  const counts =
    inFlight === 0
      ? `${countOf(waiting, 'delivery waits', 'deliveries wait')} to be forwarded`
      : `${countOf(inFlight, 'delivery is', 'deliveries are')} being forwarded${waiting === 0 ? '' : `, ${waiting} more ${waiting === 1 ? 'waits' : 'wait'}`}`;
  return `${counts} (for at most ${formatDuration(limitMs)})`;
}

/** The time for quick work that is always left, even after `--drain` has passed. */
const leastEndMs = 1_000;

/** The time for the disk: on a busy machine, a sync may take seconds. */
const diskEndMs = 5_000;

/** Resolves to true once the work is done, to false after the limit. Rejects if the work does. */
export function within({ clock }: Pick<World, 'clock'>, limitMs: number, work: Promise<unknown>) {
  const done = work.then(() => true);
  return withinLimit(clock, limitMs, done, () => false);
}

/** Waits for printing within the limit. Gives up an output without a reader, so that the process can end. */
export async function printWithin(
  world: Pick<World, 'clock'>,
  output: World['streams']['output'],
  printing: Promise<unknown>,
): Promise<void> {
  if (!(await within(world, leastEndMs, printing))) output.abandon?.();
  await printing;
}
