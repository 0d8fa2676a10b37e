// Makes a folder with those above it. Node's own `recursive` never returns where the system says of a folder that is
// there that it is missing, as below /proc/self: it spins on a thread that no signal ends.

import type { PlatformPath } from 'node:path';
import type { FileSystem } from './file-system.ts';

/** With mode 0700. `paths`: how they are written on that system. One that is there already is fine. Throws the system's own error. */
export async function makeFolder(
  system: FileSystem,
  path: string,
  paths: Pick<PlatformPath, 'dirname'>,
): Promise<void> {
  if (await makeOne(system, path, paths)) return;
  await makeFolder(system, paths.dirname(path), paths);
  if (await makeOne(system, path, paths)) return;
  throw Object.assign(new Error(`ENOENT: the folder above takes no others, mkdir '${path}'`), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path,
  });
}

/** False where the folder above is missing. */
async function makeOne(
  { promises: disk }: FileSystem,
  path: string,
  { dirname }: Pick<PlatformPath, 'dirname'>,
): Promise<boolean> {
  try {
    await disk.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const isCode = (thrown: unknown, code: string) =>
      thrown instanceof Error && 'code' in thrown && thrown.code === code;
    if (isCode(error, 'ENOENT') && dirname(path) !== path) return false;
    const found = await disk.stat(path, { bigint: true }).catch((trouble: unknown) => {
      // That it cannot be looked at says more than that it is there.
      throw isCode(error, 'EEXIST') ? trouble : error;
    });
    if (found.isDirectory()) return true;
    throw error;
  }
}
