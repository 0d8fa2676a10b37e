// Asks the running receiver of a journal to retry now what waits: with a file in its folder, whose removal is the response.

import { join } from 'node:path';
import { lockName } from '#receiver/core/journal/segment-names.ts';
import type { World } from '#world/world.ts';

type Parts = Pick<World, 'files' | 'clock' | 'lock'>;

const pathIn = (folder: string) => join(folder, 'retry-now');

/** Until the signal. Never rejects. */
export async function answerRetryRequests(
  { files, clock }: Parts,
  folder: string,
  retryNow: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (; !signal.aborted; await clock.sleep(1_000, signal)) {
    const kind = await files.kind(pathIn(folder)).catch(() => undefined);
    if (kind !== undefined) await files.remove(pathIn(folder)).then(retryNow, () => {});
  }
}

/** Returns whether a receiver has begun, within 10 s. Rejects with the system's own error. */
export async function requestRetry({ files, clock, lock }: Parts, folder: string): Promise<boolean> {
  await files.write(pathIn(folder), '', { mode: 0o600 });
  for (let looks = 0; looks < 50 && (await lock.isHeld(join(folder, lockName))); looks += 1) {
    if ((await files.kind(pathIn(folder))) === undefined) return true;
    await clock.sleep(200);
  }
  await files.remove(pathIn(folder));
  return false;
}
