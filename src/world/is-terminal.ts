// Tells whether a descriptor is a terminal. Node's terminal module takes a millisecond to load, and a command in a pipe does not
// need it.

import { closeSync, fstatSync } from 'node:fs';

export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** Returns false for a closed descriptor. */
function isDevice(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Lets go of a terminal that was closed: Node 20 would restore its modes at exit, and crash (SIGABRT or SIGSEGV). Call this at exit,
 * after the last output: writing to a closed terminal fails afterwards.
 */
export function releaseClosedTerminal(): void {
  for (const descriptor of [0, 1, 2] as const) {
    // A closed terminal is a device that is not a terminal. So is /dev/null, which is not needed at exit either.
    if (isDevice(descriptor) && !isTerminal(descriptor)) closeSync(descriptor);
  }
}
