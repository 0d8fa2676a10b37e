// A question while the process is stopped (Ctrl-Z, or a signal) and goes on again: the question is drawn once more, and
// not before the terminal is as it needs it, since whoever sees it may type.

import type { Processes, TerminalInput } from '../world/world.ts';

export interface JobControl {
  /** As Ctrl-Z does, for a terminal in raw mode, which does nothing by itself. Returns when the process goes on. */
  suspend(): void;
  close(): void;
}

export function createJobControl(
  typing: TerminalInput,
  processes: Pick<Processes, 'onResume' | 'suspend'>,
  { isRaw, drawAgain: redraw }: { readonly isRaw: boolean; readonly drawAgain: () => void },
): JobControl {
  // After a stop of our own, before the system has told that the process goes on.
  let isRedrawn = false;
  const continueQuestion = () => {
    if (isRaw) typing.setRaw(true);
    redraw();
  };
  const close = processes.onResume(() => {
    if (!isRedrawn) continueQuestion();
    isRedrawn = false;
  });
  return {
    suspend() {
      typing.setRaw(false);
      processes.suspend();
      continueQuestion();
      isRedrawn = true;
    },
    close,
  };
}
