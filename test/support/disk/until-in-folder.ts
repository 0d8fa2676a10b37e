// Waits for what another process does in a folder.

import { watch } from 'node:fs';

/** Resolves once `holds`, which is asked now and after each change in the folder itself, not in folders below it. */
export function untilInFolder(folder: string, holds: () => Promise<boolean>): Promise<void> {
  return new Promise((done, fail) => {
    const look = () =>
      holds().then(
        (does) => {
          if (!does) return;
          watcher.close();
          done();
        },
        (error: unknown) => {
          watcher.close();
          fail(error);
        },
      );
    // The watch begins before the first look, so that no change falls between the two.
    const watcher = watch(folder, () => void look());
    void look();
  });
}
