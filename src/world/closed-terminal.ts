// Releases a terminal that was closed. At exit, Node 20 restores the modes of each terminal on its standard descriptors, and
// aborts (SIGABRT, or SIGSEGV) if that terminal is gone.

import { closeSync } from 'node:fs';
import { isDevice, isTerminal } from './is-terminal.ts';

/** To be called at exit: afterwards, writing to a closed terminal is an error. */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2] as const) {
    // A device that is not a terminal. Also true of /dev/null, which has no use at exit.
    if (isDevice(descriptor) && !isTerminal(descriptor)) closeSync(descriptor);
  }
}
