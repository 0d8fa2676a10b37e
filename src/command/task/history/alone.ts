// Keeps two undos of one task apart, on this machine: each reads the log, sends, and logs before the other reads it.

import { join } from 'node:path';
import { lockLimits, waitedTooLong } from '../../../login/held-lock.ts';
import type { World } from '../../../world/world.ts';
import { folderOf, safe } from './record.ts';

/** Throws a {@link Failure} where another wm does not come to an end. */
export async function alone<T>(
  world: Pick<World, 'files' | 'lock'>,
  host: string,
  task: string,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(folderOf(world), `${safe(host)}.${safe(task)}.lock`);
  const doing = `undoing an update of ${task}`;
  const held = await world.lock.take(path, { ...lockLimits, doing });
  if (!held) throw waitedTooLong(await world.lock.holder(path), doing, 'Nothing was sent.');
  try {
    return await work();
  } finally {
    // Or there would be one for each task. Whoever waits for this file looks whether it is still there.
    await world.files.remove(path).catch(() => {});
    await held.release();
  }
}
