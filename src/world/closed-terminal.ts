// Lets go of a terminal that was closed. At exit, Node 20 restores the modes of each terminal on its standard descriptors, and
// crashes (SIGABRT or SIGSEGV) if that terminal is gone.

import { closeSync } from 'node:fs';
import { isDevice, isTerminal } from './is-terminal.ts';

/** Call this at exit, after the last output: writing to a closed terminal fails afterwards. */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2] as const) {
    // A closed terminal is a device that is not a terminal. So is /dev/null, which is not needed at exit either.
    if (isDevice(descriptor) && !isTerminal(descriptor)) closeSync(descriptor);
  }
}
