// Keeps two undos of one task apart, on this machine: each reads the log, sends, and logs before the other reads it.

import { join } from 'node:path';
import { Failure } from '../../../failure.ts';
import type { World } from '../../../world/world.ts';
import { folderOf, safe } from './record.ts';

/** As long as an undo may take whose requests are retried. */
const waitMs = 90_000;

/** Throws a {@link Failure} where another wm does not come to an end. */
export async function alone<T>(
  world: Pick<World, 'files' | 'lock'>,
  host: string,
  task: string,
  work: () => Promise<T>,
): Promise<T> {
  const path = join(folderOf(world), `${safe(host)}.${safe(task)}.lock`);
  const held = await world.lock.take(path, { timeoutMs: waitMs });
  if (!held) {
    throw new Failure('other', {
      what: `Another wm has been undoing an update of ${task} for more than a minute`,
      why: `it holds ${path}`,
      hint: 'Nothing was sent. Wait for it, or end it, then try again.',
    });
  }
  try {
    return await work();
  } finally {
    // Or there would be one for each task. Whoever waits for this file looks whether it is still there.
    await world.files.remove(path).catch(() => {});
    await held.release();
  }
}
