// Reports what a stopping receiver waits for, so that it does not seem to hang.

import { countOf } from '#cli/count-of.ts';
import type { ForwarderState } from '#receiver/forwarding/forwarder.ts';
import type { World } from '#world/world.ts';
import { formatDuration } from './delivery-line.ts';
import type { ListenView } from './listen-view.ts';

/** Prints nothing if the work ends by the next turn of the event loop, or `describe` returns nothing. */
export async function reportWhileWaiting(
  { clock }: Pick<World, 'clock'>,
  view: Pick<ListenView, 'message'>,
  work: Promise<unknown>,
  describe: () => string | undefined,
): Promise<void> {
  const isDone = await Promise.race([work.then(() => true), clock.nextTurn().then(() => false)]);
  const what = isDone ? undefined : describe();
  if (what !== undefined) view.message(`Finishing: ${what}; Ctrl-C again ends now.`);
}

/** `2 deliveries are being forwarded, 3 more wait (for at most 10 s)`; `undefined` without either. */
export function describeForwarding(
  { inFlight, waiting }: Pick<ForwarderState, 'inFlight' | 'waiting'>,
  limitMs: number,
): string | undefined {
  if (limitMs === 0 || inFlight + waiting === 0) return undefined;
  const what =
    inFlight === 0
      ? `${countOf(waiting, 'delivery waits', 'deliveries wait')} to be forwarded`
      : `${countOf(inFlight, 'delivery is', 'deliveries are')} being forwarded${waiting === 0 ? '' : `, ${waiting} more ${waiting === 1 ? 'waits' : 'wait'}`}`;
  return `${what} (for at most ${formatDuration(limitMs)})`;
}
