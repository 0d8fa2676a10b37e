// While a long list is read, a line says from time to time on a terminal how far it is. Plain lines, since the rows of the
// list and other messages may come between them. Scripts get none.

import type { Context } from './context.ts';

/** A list that takes no longer than this needs no line. */
const firstLineMs = 1000;
/** Each wait is twice as long as the one before, up to this. */
const longestWaitMs = 32_000;

/** `describe` gives the line, or nothing while none is needed. Shows no more once the returned function was called. */
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
