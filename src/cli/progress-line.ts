// Shows the progress of long work: redraws one line on a terminal, and prints a line from time to time elsewhere.

import type { Report } from '#terminal/report.ts';
import type { Clock, Output } from '#world/world.ts';

export type ProgressLine = ReturnType<typeof createProgressLine>;

export interface ProgressLineOptions {
  readonly errors: Output;
  readonly report: Pick<Report, 'info'>;
  readonly quiet: boolean;
  /** The delay before the line appears on a terminal, which is then redrawn every 200 ms. */
  readonly firstMs?: number;
  readonly format: () => string;
}

const terminalMs = 200;
const pipedMs = 10_000;

export function createProgressLine(
  clock: Pick<Clock, 'after'>,
  { errors, report, quiet, firstMs = terminalMs, format }: ProgressLineOptions,
) {
  let cancel = () => {};
  let isShown = false;
  let isWriting = false;
  const show = async () => {
    // The terminal has not read the previous line yet.
    if (isWriting) return;
    isWriting = true;
    isShown ||= errors.isTerminal;
    await (errors.isTerminal
      ? errors.write(`\r\u001b[K${cut(format(), errors.columns)}`)
      : report.info(format()));
    isWriting = false;
  };
  const tick = () => {
    void show();
    cancel = clock.after(errors.isTerminal ? terminalMs : pipedMs, tick);
  };
  if (!quiet) cancel = clock.after(errors.isTerminal ? firstMs : pipedMs, tick);
  return {
    /** Clears the line for other output. */
    async end() {
      cancel();
      if (isShown) await errors.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** A line that wraps could not be redrawn. Counts characters, since the text is ASCII. */
function cut(line: string, columns = Number.POSITIVE_INFINITY): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 4))}...`;
}
