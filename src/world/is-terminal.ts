// Tells whether a descriptor is a terminal. Node's terminal module takes a millisecond to load, and a command in a pipe does not
// need it.

import { fstatSync } from 'node:fs';

export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** Returns false for a closed descriptor. */
export function isDevice(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
