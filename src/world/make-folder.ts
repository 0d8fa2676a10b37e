// Makes a folder and those above it. Node's own `recursive` never returns below a folder such as /proc/self, where the system
// reports an existing folder as missing: it spins on a thread that signals cannot end.

import type { PlatformPath } from 'node:path';
import { hasCode } from './file-error.ts';
import type { FileSystem } from './file-system.ts';

/** Creates folders with mode 0700, unless they exist. `paths`: the path rules of that system. Throws the system's own error. */
export async function makeFolder(
  system: FileSystem,
  path: string,
  paths: Pick<PlatformPath, 'dirname'>,
): Promise<void> {
  if (await makeLastFolder(system, path, paths)) return;
  await makeFolder(system, paths.dirname(path), paths);
  if (await makeLastFolder(system, path, paths)) return;
  throw Object.assign(new Error(`ENOENT: the folder above takes no others, mkdir '${path}'`), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path,
  });
}

/** Returns false if the folder above is missing. */
async function makeLastFolder(
  { promises: disk }: FileSystem,
  path: string,
  { dirname }: Pick<PlatformPath, 'dirname'>,
): Promise<boolean> {
  try {
    await disk.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return false;
    const stats = await disk.stat(path, { bigint: true }).catch((statError: unknown) => {
      // Report why it cannot be examined rather than that it exists.
      throw hasCode(error, 'EEXIST') ? statError : error;
    });
    if (stats.isDirectory()) return true;
    throw error;
  }
}
