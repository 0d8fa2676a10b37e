// Whether the disk takes so many bytes, without storing anything: after a failure, a note that is written shows only that there is
// room for a note.

import type { Files } from '#world/world.ts';
import { trialPath } from './segment-names.ts';

/** Writes and syncs a file of that size, and removes it. Throws the system's own error. */
export async function tryToWrite(
  files: Pick<Files, 'append' | 'remove'>,
  folder: string,
  bytes: number,
): Promise<void> {
  const path = trialPath(folder);
  const file = await files.append(path, { mode: 0o600, truncate: true });
  try {
    // Not zeros, which some disks store in no room at all.
    file.write(Buffer.alloc(bytes, 'wm'));
    await file.sync();
  } finally {
    await file.close().catch(() => {});
    await files.remove(path).catch(() => {});
  }
}
