// A question while the process is stopped (Ctrl-Z, or a signal) and goes on again: the question is drawn once more, and
// not before the terminal is as it needs it, since whoever sees it may type.

import type { Processes, TerminalInput } from '../world/world.ts';

export interface Stops {
  /** As Ctrl-Z does, for a terminal in raw mode, which does nothing by itself. Returns when the process goes on. */
  stop(): void;
  end(): void;
}

export function createStops(
  typing: TerminalInput,
  processes: Pick<Processes, 'onResume' | 'suspend'>,
  { isRaw, drawAgain }: { readonly isRaw: boolean; readonly drawAgain: () => void },
): Stops {
  // After a stop of our own, before the system has told that the process goes on.
  let isDrawn = false;
  const goOn = () => {
    if (isRaw) typing.setRaw(true);
    drawAgain();
  };
  const end = processes.onResume(() => {
    if (!isDrawn) goOn();
    isDrawn = false;
  });
  return {
    stop() {
      typing.setRaw(false);
      processes.suspend();
      goOn();
      isDrawn = true;
    },
    end,
  };
}
