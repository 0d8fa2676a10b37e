// Syncs a folder and reports a failure, for files whose loss would go unnoticed. When files.ts replaces a file, it ignores such a
// failure: the old content would be left.

import { hasCode, withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';

/** The errors of file systems that cannot sync a folder. */
const unsupported = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Throws the system's own error, with the path. */
export async function syncFolderStrictly(system: FileSystem, folder: string): Promise<void> {
  try {
    const opened = await system.promises.open(folder, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (hasCode(error, ...unsupported)) return;
    throw withPath(error, folder);
  }
}
