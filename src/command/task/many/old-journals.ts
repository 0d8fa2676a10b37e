// Journals in wm's own folder that nobody will go on with any more: taken away when another bulk begins. Those named with
// --journal are their owner's business.

import { join } from 'node:path';
import { readHeader } from '../../../bulk/past.ts';
import type { World } from '../../../world/world.ts';
import { journalFolder, lockOf } from './record.ts';

const keptMs = 90 * 24 * 60 * 60 * 1000;

export async function dropOldJournals(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  { now, except }: { readonly now: number; readonly except: string },
): Promise<void> {
  const folder = join(files.stateFolder, journalFolder);
  for (const name of await files.list(folder)) {
    const path = join(folder, name);
    if (path === except || !name.endsWith('.ndjson') || !(await isOld(files, path, now))) continue;
    const held = await lock.take(lockOf(path), { timeoutMs: 0 });
    if (!held) continue;
    await files.remove(path);
    await files.remove(lockOf(path));
    await held.release();
  }
}

async function isOld(files: World['files'], path: string, now: number): Promise<boolean> {
  const bytes = await files.stream(path);
  const header = bytes && (await readHeader(bytes));
  return header !== undefined && now - header.started > keptMs;
}
