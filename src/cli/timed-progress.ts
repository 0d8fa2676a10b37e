// Prints what a command is waiting for, in plain lines, since rows and messages may come between them. Only on a terminal.

import type { Context } from './context.ts';

/** A list that takes less time prints no progress. Its waits double. */
const ofList = { firstMs: 1000, longestMs: 32_000 };
/** For receivers and changes, which the service may hold up. */
export const everyFiveSeconds = { firstMs: 5000, longestMs: 5000 };

/** `describe` returns the line, or undefined to skip it. The returned function ends the progress. */
export function startProgress(
  { world: { clock, streams }, report }: Pick<Context, 'world' | 'report'>,
  describe: () => string | undefined,
  { firstMs, longestMs } = ofList,
): () => void {
  if (!streams.errors.isTerminal || report.isQuiet) return () => {};
  let cancel = () => {};
  const wait = (milliseconds: number) => {
    cancel = clock.after(milliseconds, () => {
      const line = describe();
      if (line !== undefined) void report.info(line);
      wait(Math.min(2 * milliseconds, longestMs));
    });
  };
  wait(firstMs);
  return () => cancel();
}
