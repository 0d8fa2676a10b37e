// Shows the progress of long work: redraws one line on a terminal, and prints a line from time to time elsewhere.

import { canRedraw, clearedLine } from '#terminal/line-drawing.ts';
import type { Report } from '#terminal/report.ts';
import type { World } from '#world/world.ts';

export interface ProgressLineOptions {
  readonly report: Pick<Report, 'info'>;
  readonly quiet: boolean;
  /** The delay before the line appears on a terminal, which is then redrawn every 200 ms. */
  readonly firstMs?: number;
  readonly format: () => string;
}

const redrawnMs = 200;
const printedMs = 10_000;

export function createProgressLine(
  { clock, streams: { errors }, environment }: Pick<World, 'clock' | 'streams' | 'environment'>,
  { report, quiet, firstMs = redrawnMs, format }: ProgressLineOptions,
) {
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
  if (!quiet) cancel = clock.after(redraws ? firstMs : printedMs, tick);
  return {
    /** Clears the line for other output. */
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
