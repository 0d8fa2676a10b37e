// Tests whether the disk takes so many bytes, without storing anything. After a failure, a note that was written shows only that the
// disk has room for a note.

import type { Files } from '#world/world.ts';
import { trialPath } from './segment-names.ts';

/** Writes and syncs a file of that size, and removes it. Throws the system's own error. */
export async function tryToWrite(files: Pick<Files, 'append' | 'remove'>, folder: string, bytes: number) {
  const path = trialPath(folder);
  const file = await files.append(path, { mode: 0o600, truncate: true });
  try {
    // Some disks store zeros without using any room.
    file.write(Buffer.alloc(bytes, 'wm'));
    await file.sync();
  } finally {
    await file.close().catch(() => {});
    await files.remove(path).catch(() => {});
  }
}
