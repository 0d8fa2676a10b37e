// Journals in wm's own folder that nobody will go on with any more: taken away when another bulk begins. Those named with
// --journal are their owner's business.

import { join } from 'node:path';
import { readHeader } from '../../../bulk/past.ts';
import type { World } from '../../../world/world.ts';
import { journalFolder, lockOf } from './record.ts';

export const keptDays = 90;
const keptMs = keptDays * 24 * 60 * 60 * 1000;

type Parts = Pick<World, 'files' | 'lock'>;

/** What cannot be looked at, or not be taken away, stays: no bulk ends for the sake of another one's journal. */
export async function dropOldJournals(
  world: Parts,
  { now, except }: { readonly now: number; readonly except: string },
): Promise<void> {
  const folder = join(world.files.stateFolder, journalFolder);
  for (const name of await world.files.list(folder).catch(() => [])) {
    const path = join(folder, name);
    if (path !== except && name.endsWith('.ndjson')) await dropIfOld(world, path, now).catch(() => {});
  }
}

async function dropIfOld({ files, lock }: Parts, path: string, now: number): Promise<void> {
  if (!(await isOld(files, path, now))) return;
  const held = await lock.take(lockOf(path), { timeoutMs: 0 });
  if (!held) return;
  try {
    await files.remove(path);
  } finally {
    await held.release();
  }
}

async function isOld(files: World['files'], path: string, now: number): Promise<boolean> {
  // Whoever reads a named pipe waits.
  if ((await files.kind(path)) !== 'file') return false;
  const bytes = await files.stream(path);
  const header = bytes && (await readHeader(bytes));
  return header !== undefined && now - header.started > keptMs;
}
