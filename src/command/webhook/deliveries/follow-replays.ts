// The replays that other processes record while this one runs, as they are recorded: only what is new in their file is read.

import type { World } from '../../../world/world.ts';
import { parseReplay, type Replay, replaysPath } from './replays-file.ts';

const pollMs = 1_000;
/** At a time. The rest is read with the next look. */
const mostBytes = 1024 * 1024;
const lineFeed = 0x0a;

/** Ends with the signal. Never rejects: a file that cannot be read is looked at again later. */
export async function followReplays(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  folder: string,
  onReplay: (replay: Replay) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = replaysPath(folder);
  /** Where the first line begins that has not been read. */
  let at = await files.size(path).catch(() => 0);
  const readNew = async () => {
    const size = await files.size(path);
    // It was removed, and begun again.
    if (size < at) at = 0;
    if (size === at) return;
    const file = await files.openForReading(path);
    if (!file) return;
    try {
      const bytes = Buffer.from(await file.read(at, Math.min(size - at, mostBytes)));
      const end = bytes.lastIndexOf(lineFeed) + 1;
      // No line of ours is so long.
      at += end === 0 && bytes.length === mostBytes ? bytes.length : end;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const replay = line === '' ? undefined : parseReplay(line);
        if (replay) onReplay(replay);
      }
    } finally {
      await file.close();
    }
  };
  for (; !signal.aborted; await clock.sleep(pollMs, signal)) await readNew().catch(() => {});
}
