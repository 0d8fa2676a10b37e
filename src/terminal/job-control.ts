// Suspends a prompt with Ctrl-Z (or a signal) and draws it again after `fg`, once the terminal is back in the mode that
// the prompt needs: users type as soon as they see it.

import type { Processes, TerminalInput } from '#world/world.ts';

export interface JobControlOptions {
  readonly isRaw: boolean;
  readonly drawAgain: () => void;
  /** Called first when the process goes on; after false, the terminal is left alone. */
  readonly mayContinue?: () => boolean;
}

export function createJobControl(
  typing: TerminalInput,
  processes: Pick<Processes, 'onResume' | 'suspend'>,
  { isRaw, drawAgain: redraw, mayContinue = () => true }: JobControlOptions,
) {
  // After a stop of our own, before the system has told that the process goes on.
  let isRedrawn = false;
  const continueQuestion = () => {
    if (!mayContinue()) return;
    if (isRaw) typing.setRaw(true);
    redraw();
  };
  const close = processes.onResume(() => {
    if (!isRedrawn) continueQuestion();
    isRedrawn = false;
  });
  return {
    /** As Ctrl-Z does, for a terminal in raw mode, which does nothing by itself. Returns when the process goes on. */
    suspend() {
      typing.setRaw(false);
      processes.suspend();
      continueQuestion();
      isRedrawn = true;
    },
    close,
  };
}
