// Limits how long a receiver takes to stop, even if its output is never read or a client never ends its request.

import type { World } from '#world/world.ts';

/** The time for quick work that is always left, even after `--drain` has passed. */
export const leastEndMs = 1_000;

/** The time for the disk: on a busy machine, a sync may take seconds. */
export const diskEndMs = 5_000;

/** What happened if the disk does not respond, and what follows. */
export const diskNotResponding = [
  'the disk did not respond, so not everything is written',
  'No acknowledged delivery is lost, and the service sends the others again. The next wm webhook listen forwards a delivery again if its last attempt was not written.',
] as const;

/** What happened if the servers of a sink do not respond, and what follows. */
export const sinkNotResponding = [
  'the NATS servers did not respond, so the outcomes of the last deliveries are not recorded',
  'No acknowledged delivery is lost, and the service sends the others again. Deliveries without a recorded outcome are forwarded again.',
] as const;

/** Resolves to true once the work is done, to false after the limit. Rejects if the work does. */
export async function within({ clock }: Pick<World, 'clock'>, limitMs: number, work: Promise<unknown>) {
  const waiting = new AbortController();
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  // An aborted sleep ends too.
  await Promise.race([done, clock.sleep(limitMs, waiting.signal)]).finally(() => waiting.abort());
  return isDone;
}

/** Waits for printing within the limit. Gives up outputs without a reader, so that the process can end. */
export async function printWithin(
  world: Pick<World, 'clock'>,
  outputs: readonly World['streams']['output'][],
  printing: Promise<unknown>,
): Promise<void> {
  if (await within(world, leastEndMs, printing)) return;
  for (const output of outputs) output.abandon?.();
  await printing;
}
