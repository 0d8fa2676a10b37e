// Creates and begins the file of a segment. A new segment counts only once its first write is on the disk; until then a restart
// finds the old one.

import { randomInt } from 'node:crypto';
import type { AppendFile, Files } from '#world/world.ts';
import { addCheckpoint, type History } from './checkpoint.ts';
import type { EarlierAttempts } from './earlier-attempts.ts';
import { FrameBuffer } from './frame.ts';
import { Segment } from './segment.ts';
import { segmentPath } from './segment-names.ts';

export type OpenSegment = ReturnType<typeof beginSegment>;

type Parts = Pick<Files, 'append' | 'syncFolder' | 'remove'>;

/** Creates an empty file and syncs its name. Throws the system's own error. */
export async function createSegmentFile(files: Parts, folder: string, number: number): Promise<AppendFile> {
  const file = await files.append(segmentPath(folder, number), { mode: 0o600, truncate: true });
  try {
    await files.syncFolder(folder);
    return file;
  } catch (error) {
    await discardSegmentFile(files, folder, number, file);
    throw error;
  }
}

/** Writes the first frame. Throws the system's own error. */
export function beginSegment(
  file: AppendFile,
  facts: { readonly number: number; readonly begun: number; readonly first: number },
  sealed: readonly Segment[],
  history: History,
  attempts: EarlierAttempts,
) {
  const segment = new Segment({ ...facts, salt: randomInt(2 ** 32) });
  const frames = new FrameBuffer();
  addCheckpoint(frames, segment, sealed, history, attempts);
  file.write(frames.complete(segment.salt));
  segment.bytes = frames.length;
  return { segment, file };
}

/** Removes the file, or leaves that to a later start: no checkpoint names it. */
export async function discardSegmentFile(
  files: Parts,
  folder: string,
  number: number,
  file: AppendFile,
): Promise<void> {
  await file.close().catch(() => {});
  await files.remove(segmentPath(folder, number)).catch(() => {});
}
