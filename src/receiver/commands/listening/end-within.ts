// Limits what the end of a receiver waits for: others may never read what it prints, or never end their requests.

import type { World } from '#world/world.ts';

/** Even after `--drain` has passed, for what takes a moment where all is well. */
export const leastEndMs = 1_000;

/** The same for the disk: on a busy machine, a sync that succeeds may take seconds. */
export const diskEndMs = 5_000;

/** What it means if the disk does not respond: what happened, and what follows. */
export const diskSilent = [
  'the disk did not respond, so not everything is written',
  'No delivery that was acknowledged is lost, and the service sends the others again. Those whose last attempt is not written are forwarded again by the next wm webhook listen.',
] as const;

/** The same for the servers of a sink. */
export const sinkSilent = [
  'the NATS servers did not respond, so what became of the last deliveries is not recorded',
  'No delivery that was acknowledged is lost, and the service sends the others again. Those without a record are forwarded again.',
] as const;

/** True once the work is done, false after the limit. Rejects if the work does. */
export async function within(
  { clock }: Pick<World, 'clock'>,
  limitMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const waiting = new AbortController();
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  // The sleep also ends when it is aborted.
  await Promise.race([done, clock.sleep(limitMs, waiting.signal)]).finally(() => waiting.abort());
  return isDone;
}

/** Waits for what prints. Whichever of the outputs nobody reads by then is given up, so that the process can end. */
export async function printWithin(
  world: Pick<World, 'clock'>,
  outputs: readonly World['streams']['output'][],
  printing: Promise<unknown>,
): Promise<void> {
  if (await within(world, leastEndMs, printing)) return;
  for (const output of outputs) output.abandon?.();
  await printing;
}
