// Shows the progress of long work: redraws one line on a terminal, and prints a line from time to time elsewhere.

import { canRedraw, clearedLine } from '#terminal/line-drawing.ts';
import type { Context } from './context.ts';

const redrawnMs = 200;
const printedMs = 10_000;

/** `firstMs`: the delay before the line appears on a terminal. */
export function createProgressLine(
  { world, report }: Pick<Context, 'world' | 'report'>,
  format: () => string,
  firstMs = redrawnMs,
) {
  const { clock, environment } = world;
  const { errors } = world.streams;
  const redraws = canRedraw(errors, environment);
  let cancel = () => {};
  let isShown = false;
  let isWriting = false;
  const show = async () => {
    // The terminal has not read the previous line yet.
    if (isWriting) return;
    isWriting = true;
    isShown ||= redraws;
    await (redraws ? errors.write(clearedLine + cut(format(), errors.columns)) : report.info(format()));
    isWriting = false;
  };
  const tick = () => {
    void show();
    cancel = clock.after(redraws ? redrawnMs : printedMs, tick);
  };
  if (!report.isQuiet) cancel = clock.after(redraws ? firstMs : printedMs, tick);
  return {
    async end() {
      cancel();
      if (isShown) await errors.write(clearedLine);
      isShown = false;
    },
  };
}

/** A line that wraps could not be redrawn. Counts characters, since the text is ASCII. */
function cut(line: string, columns = Number.POSITIVE_INFINITY): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 4))}...`;
}
