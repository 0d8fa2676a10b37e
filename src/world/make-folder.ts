// Makes a folder and those above it, so that their names survive a power cut. Node's own `recursive` never returns below a folder
// such as /proc/self, where the system reports an existing folder as missing: it spins on a thread that signals cannot end.

import type { PlatformPath } from 'node:path';
import { hasCode, withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';

type Paths = Pick<PlatformPath, 'dirname' | 'sep'>;

/** Creates folders with mode 0700, unless they exist. `paths`: the path rules of that system. Throws the system's own error. */
export async function makeFolder(system: FileSystem, path: string, paths: Paths): Promise<void> {
  if (await makeLastFolder(system, path, paths)) return;
  await makeFolder(system, paths.dirname(path), paths);
  if (await makeLastFolder(system, path, paths)) return;
  throw mkdirError('ENOENT', 'the folder above takes no others', path);
}

function mkdirError(code: string, problem: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${problem}, mkdir '${path}'`), { code, syscall: 'mkdir', path });
}

/** Returns false if the folder above is missing. */
async function makeLastFolder(system: FileSystem, path: string, paths: Paths): Promise<boolean> {
  const { promises: disk } = system;
  try {
    await disk.mkdir(path, { mode: 0o700 });
    await syncName(system, path, paths);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') && paths.dirname(path) !== path) return false;
    const stats = await disk.stat(path, { bigint: true }).catch((statError: unknown) => {
      // Report why it cannot be examined rather than that it exists.
      throw hasCode(error, 'EEXIST') ? statError : error;
    });
    // The system's own error says only that it exists.
    if (!stats.isDirectory()) throw mkdirError('ENOTDIR', 'not a folder', path);
    // The process that made it may have been killed before it synced the name.
    if ((await countNames(system, path)) === 0) await syncName(system, path, paths);
    return true;
  }
}

/** Syncs the name of a new folder, and of the one above if that has no other name yet. Best effort, as for the names of files. */
async function syncName(system: FileSystem, path: string, paths: Paths): Promise<void> {
  const parent = paths.dirname(path);
  // Windows cannot sync a folder.
  if (parent === path || paths.sep === '\\') return;
  await syncFolder(system, parent).catch(() => {});
  if ((await countNames(system, parent)) <= 1) await syncName(system, parent, paths);
}

/** 0 for a folder that cannot be read. */
async function countNames({ promises: disk }: FileSystem, folder: string): Promise<number> {
  return (await disk.readdir(folder).catch(() => [])).length;
}

/** Some file systems cannot sync a folder. Throws the system's own error, with the path. */
export async function syncFolder(system: FileSystem, folder: string): Promise<void> {
  try {
    const opened = await system.promises.open(folder, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (!hasCode(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw withPath(error, folder);
  }
}
