// Polls at an interval for commands that watch something, until they are interrupted or the reader of their output has gone. A
// failed read is a warning, and doubles the wait.

import { Failure } from '#failure.ts';
import type { Context } from './context.ts';

/** The longest wait after failed reads, unless the interval is longer. */
const longestWaitMs = 15 * 60_000;

interface Polling<T> {
  /** For warnings: `the webhooks`. */
  readonly what: string;
  readonly intervalMs: number;
  read(): Promise<T>;
  /** Shows what was read. A {@link Failure} from it counts as a failed read. */
  show(value: T): Promise<void>;
}

/** Reads first after one interval. Throws only errors that are not the service's: a bug, or an output that cannot be written. */
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
      const value = await read();
      if (failures > 0) await report.info('The service responds again.');
      failures = 0;
      await show(value);
    } catch (error) {
      if (!(error instanceof Failure) || error.reactions.watch === 'end') throw error;
      failures++;
      await report.warn(`Cannot read ${what}: ${error.sentence}. Next attempt in ${nextWaitMs() / 1000} s.`);
    }
  }
}
