// Reads something at an interval, for commands that watch it, until they are interrupted or nobody reads their output any more. A
// read that fails is a warning, and the next one comes later each time.

import { Failure } from '#failure.ts';
import type { Context } from './context.ts';

/** However often reads fail, unless the interval is longer. */
const longestWaitMs = 15 * 60_000;

export interface Polling<T> {
  /** For warnings: `the webhooks`. */
  readonly what: string;
  readonly intervalMs: number;
  read(): Promise<T>;
  /** What was read. A {@link Failure} that it throws counts as one of the read. */
  show(now: T): Promise<void>;
}

/** The first read comes after one interval. Throws what is no fault of the service: a bug, an output that cannot be written. */
export async function pollRepeatedly<T>(
  { world, report, beginFollowing }: Pick<Context, 'world' | 'report' | 'beginFollowing'>,
  { what, intervalMs, read, show }: Polling<T>,
): Promise<void> {
  beginFollowing();
  let failures = 0;
  const nextWaitMs = () => Math.max(intervalMs, Math.min(longestWaitMs, intervalMs * 2 ** failures));
  while (!world.streams.output.isReaderGone) {
    await world.clock.sleep(nextWaitMs());
    try {
      const now = await read();
      if (failures > 0) await report.info('The service responds again.');
      failures = 0;
      await show(now);
    } catch (error) {
      if (!(error instanceof Failure) || error.reactions.watch === 'end') throw error;
      failures++;
      await report.warn(`Cannot read ${what}: ${error.sentence}. Next attempt in ${nextWaitMs() / 1000} s.`);
    }
  }
}
