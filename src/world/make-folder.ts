// Makes a folder with those above it. Node's own `recursive` never returns where the system says of a folder that is
// there that it is missing, as below /proc/self: it spins on a thread that no signal ends.

import { promises as disk } from 'node:fs';
import { dirname } from 'node:path';

/** With mode 0700. One that is there already is fine. Throws the system's own error. */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  await makeFolder(dirname(path));
  if (await isMade(path)) return;
  throw Object.assign(new Error(`ENOENT: the folder above takes no others, mkdir '${path}'`), {
    code: 'ENOENT',
    syscall: 'mkdir',
    path,
  });
}

/** False where the folder above is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    await disk.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const found = await disk.stat(path).catch(() => undefined);
    if (found?.isDirectory()) return true;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(path) !== path)
      return false;
    throw error;
  }
}
