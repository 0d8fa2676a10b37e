// A line that says how far long work has come: on a terminal it is redrawn, elsewhere it is printed from time to time.

import type { Report } from '#terminal/report.ts';
import type { Clock, Output } from '#world/world.ts';

export type ProgressLine = ReturnType<typeof createProgressLine>;

export interface ProgressLineOptions {
  readonly errors: Output;
  readonly report: Pick<Report, 'info'>;
  readonly quiet: boolean;
  /** How long it waits before it shows the line on a terminal; then it redraws it every 200 ms. */
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
    // Nothing reads the last one yet.
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
    /** Clears the line, so that something else can be written. */
    async end() {
      cancel();
      if (isShown) await errors.write('\r\u001b[K');
      isShown = false;
    },
  };
}

/** A line that the terminal breaks could not be redrawn. Counts characters: what it says is in ASCII. */
function cut(line: string, columns = Number.POSITIVE_INFINITY): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 4))}...`;
}
