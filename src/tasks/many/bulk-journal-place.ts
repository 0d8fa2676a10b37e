// Where the journals of bulk runs are stored, the name in their headers, and the removal of old journals. A file of --journal
// belongs to the user.

import { join } from 'node:path';
import type { JournalHeader } from '#bulk/journal.ts';
import { readJournalHeader } from '#bulk/journal-replay.ts';
import { streamFile } from '#local-records/json-records.ts';
import type { World } from '#world/world.ts';

export const journalName = 'wm task update';
/** Below the state folder. */
export const journalFolder = 'bulk';

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}

/** The new place of an unfinished journal of --journal when the next run begins. */
export const oldJournalOf = (journal: string) => `${journal}.old`;

export const journalRetentionDays = 90;
const retentionMs = journalRetentionDays * 24 * 60 * 60 * 1000;

type Parts = Pick<World, 'files' | 'lock'>;

/** Never rejects: a journal that cannot be read or removed stays, since no run may fail because of another run's journal. */
export async function removeOldJournals(
  world: Parts,
  { now, except }: { readonly now: number; readonly except: string },
): Promise<void> {
  const folder = join(world.files.stateFolder, journalFolder);
  const startTimes = new Map<string, number>();
  for (const name of await world.files.list(folder).catch(() => [])) {
    const path = join(folder, name);
    const header = name.endsWith('.ndjson')
      ? await readHeader(world.files, path).catch(() => undefined)
      : undefined;
    if (header) startTimes.set(path, header.started);
  }
  for (const [path, started] of startTimes) {
    const isOldAt = (time: number) => time - started > retentionMs;
    // The clock may be wrong, so a journal is removed only if it was old when an earlier run began.
    const wasOld = [...startTimes.values()].some((time) => time <= now && isOldAt(time));
    if (path !== except && isOldAt(now) && wasOld) await removeUnlessLocked(world, path).catch(() => {});
  }
}

async function removeUnlessLocked({ files, lock }: Parts, path: string): Promise<void> {
  const heldLock = await lock.acquire(lockOf(path), { timeoutMs: 0 });
  if (!heldLock) return;
  try {
    await files.remove(path);
  } finally {
    await heldLock.release();
  }
}

/** Undefined if the file is not a journal. */
export async function readHeader(files: World['files'], path: string): Promise<JournalHeader | undefined> {
  const bytes = await streamFile(files, path);
  return bytes && readJournalHeader(bytes, journalName);
}
