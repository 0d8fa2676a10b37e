// Prints the progress of a long list on a terminal. Plain lines, since rows and other messages may come between them. Scripts
// get none.

import type { Context } from './context.ts';

/** A list that takes less time prints no progress. */
const firstLineMs = 1000;
/** Waits double up to this. */
const longestWaitMs = 32_000;

/** `describe` returns the line, or undefined to skip it. The returned function ends the progress. */
export function startListProgress(
  { world: { clock, streams }, report }: Pick<Context, 'world' | 'report'>,
  describe: () => string | undefined,
): () => void {
  if (!streams.errors.isTerminal || report.isQuiet) return () => {};
  let cancel = () => {};
  const wait = (milliseconds: number) => {
    cancel = clock.after(milliseconds, () => {
      const line = describe();
      if (line !== undefined) void report.info(line);
      wait(Math.min(2 * milliseconds, longestWaitMs));
    });
  };
  wait(firstLineMs);
  return () => cancel();
}
