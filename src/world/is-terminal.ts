// Whether a descriptor is a terminal. Node's module for terminals, which a command in a pipe has no use for, takes a millisecond
// to load.

import { fstatSync } from 'node:fs';

export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** False for a closed one. */
export function isDevice(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
