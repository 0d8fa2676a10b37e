// Releases a terminal that was closed. At exit, Node 20 restores the modes of each terminal on its standard descriptors, and
// aborts (SIGABRT, or SIGSEGV) if that terminal is gone.

import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/** To be called at exit: afterwards, writing to a closed terminal is an error. */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2]) if (isClosedTerminal(descriptor)) closeSync(descriptor);
}

/** A device that is not a terminal. Also true of /dev/null, whose descriptor nobody needs at exit. */
function isClosedTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor);
  } catch {
    // Closed already.
    return false;
  }
}
