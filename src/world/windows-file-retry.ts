// Retries file operations on Windows for a short while, as npm does. A file that another process has open cannot be replaced, and a
// file that was just removed cannot be opened. docs/platforms.md has the rules.

import { hasCode } from './file-error.ts';
import type { FileSystem } from './file-system.ts';

const busyCodes = ['EPERM', 'EACCES', 'EBUSY'];
/** Two seconds in all: the same errors also mean missing permission. */
const retryDelaysMs = [5, 10, 20, 40, 80, 160, 320, 640, 640];

/** Returns the same functions, with retries for errors that may be temporary. A synchronous call cannot wait. */
export function retryBusyFiles(system: FileSystem): FileSystem {
  const disk = system.promises;
  return {
    ...system,
    promises: {
      ...disk,
      open: (path, flags, mode) => retryWhileBusy(() => disk.open(path, flags, mode)),
      rename: (from, to) => retryWhileBusy(() => disk.rename(from, to)),
      unlink: (path) => retryWhileBusy(() => disk.unlink(path)),
    },
  };
}

export async function retryWhileBusy<T>(call: () => Promise<T>): Promise<T> {
  for (const pause of retryDelaysMs)
    try {
      return await call();
    } catch (error) {
      if (!hasCode(error, ...busyCodes)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return call();
}
