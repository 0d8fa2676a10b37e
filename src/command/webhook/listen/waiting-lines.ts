// Limits how many lines in a second say of a single delivery that it waits for a target that is down. Nobody reads more, and printing
// each would cost as much as storing it; so the others of the second are counted, and the count is a line. Each of them
// gets its own line once it is forwarded.

import type { Clock } from '../../../world/world.ts';

const secondMs = 1_000;
const mostWaitingLines = 500;

export interface WaitingLines {
  /** False if there is no room for it in this second; then it is counted. */
  take(): boolean;
  /** Reports what was counted so far. */
  end(): void;
}

export function createWaitingLines(
  clock: Pick<Clock, 'after'>,
  report: (count: number) => void,
): WaitingLines {
  let taken = 0;
  let cancel: (() => void) | undefined;
  const end = () => {
    cancel?.();
    cancel = undefined;
    if (taken > mostWaitingLines) report(taken - mostWaitingLines);
    taken = 0;
  };
  return {
    take() {
      cancel ??= clock.after(secondMs, end);
      taken += 1;
      return taken <= mostWaitingLines;
    },
    end,
  };
}
