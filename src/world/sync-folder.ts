// Syncs a folder, and says so if that failed: for a file whose loss nobody would notice. files.ts itself syncs the folder of
// what it replaces without a word, since there the old content would be left.

import { withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';

/** What file systems that cannot sync a folder respond with. */
const unsupported = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Throws the system's own error, with the path. */
export async function syncFolderStrictly(system: FileSystem, folder: string): Promise<void> {
  try {
    const opened = await system.promises.open(folder, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (error instanceof Error && 'code' in error && unsupported.includes(String(error.code))) return;
    throw withPath(error, folder);
  }
}
