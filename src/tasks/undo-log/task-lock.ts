// Lets only one wm on this machine update or undo a task at a time, so that each sees the log entry of the one before it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { undoLogFolder } from '#cli/history/log-folders.ts';
import { lockLimits, lockTimeoutFailure } from '#login/lock-wait.ts';
import type { World } from '#world/world.ts';

/** Lock files are never deleted, so all tasks share 256 of them; tasks with the same file wait for each other. */
function lockPathOf(world: Pick<World, 'files'>, host: string, task: string): string {
  const hash = createHash('sha256').update(`${host} ${task}`).digest('hex');
  return join(undoLogFolder(world).folder, 'locks', `${hash.slice(0, 2)}.lock`);
}

/** `doing` is shown by other processes while they wait. Throws a {@link Failure} if another wm holds the lock for too long. */
export async function withTaskLock<T>(
  world: Pick<World, 'files' | 'lock'>,
  host: string,
  task: string,
  doing: 'undoing an update' | 'updating a task',
  work: () => Promise<T>,
): Promise<T> {
  // Only the holder knows which task it is: several share a lock.
  const path = lockPathOf(world, host, task);
  const held = await world.lock.acquire(path, { ...lockLimits, activity: doing });
  if (!held) throw lockTimeoutFailure(await world.lock.holder(path), doing, 'Nothing was sent.');
  try {
    return await work();
  } finally {
    await held.release();
  }
}
