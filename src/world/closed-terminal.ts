// Lets go of a terminal that was closed. Node 20 gives each terminal that it has found on its standard descriptors its
// modes back at the end, and aborts (SIGABRT, or SIGSEGV on the way) where the system says that there is none any more.

import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

/** To be called last: what is written to a closed terminal afterwards is an error instead of nothing. */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2]) if (isClosedTerminal(descriptor)) closeSync(descriptor);
}

/** A device that is not a terminal: also /dev/null, of which nobody misses a descriptor at the end. */
function isClosedTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor);
  } catch {
    // Closed already.
    return false;
  }
}
