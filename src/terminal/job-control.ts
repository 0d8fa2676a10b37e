// Suspends a prompt on Ctrl-Z, and redraws it after `fg`. Restores the terminal's mode first: users type as soon as they see it.

import type { Processes, TerminalInput } from '#world/world.ts';

interface JobControlOptions {
  readonly isRaw: boolean;
  readonly drawAgain: () => void;
  /** Called first when the process continues. If it returns false, the terminal is left alone. */
  readonly mayContinue?: () => boolean;
}

export function createJobControl(
  typing: TerminalInput,
  processes: Pick<Processes, 'onResume' | 'suspend'>,
  { isRaw, drawAgain: redraw, mayContinue = () => true }: JobControlOptions,
) {
  // True after our own stop, before the system reports that the process continues.
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
    /** Does what Ctrl-Z does, which a terminal in raw mode ignores. Returns when the process continues. */
    suspend() {
      typing.setRaw(false);
      processes.suspend();
      continueQuestion();
      isRedrawn = true;
    },
    close,
  };
}
