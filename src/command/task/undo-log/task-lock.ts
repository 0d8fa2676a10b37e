// Keeps apart the undos and the logged updates of one task, on this machine: each reads the log or the task, sends, and logs
// before another reads it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lockLimits, lockTimeoutFailure } from '../../../login/lock-wait.ts';
import type { World } from '../../../world/world.ts';
import { logFolder } from './log-files.ts';

/** A lock file is never deleted, so there are 256 of them for all tasks; those that share one wait for each other. */
function lockPathOf(world: Pick<World, 'files'>, host: string, task: string): string {
  const hash = createHash('sha256').update(`${host} ${task}`).digest('hex');
  return join(logFolder(world), 'locks', `${hash.slice(0, 2)}.lock`);
}

/** `doing`: what this one does, for whoever waits for it. Throws a {@link Failure} where another wm does not come to an end. */
export async function withTaskLock<T>(
  world: Pick<World, 'files' | 'lock'>,
  host: string,
  task: string,
  doing: 'undoing an update' | 'updating a task',
  work: () => Promise<T>,
): Promise<T> {
  // Of which task, its holder alone knows: several share a lock.
  const path = lockPathOf(world, host, task);
  const held = await world.lock.acquire(path, { ...lockLimits, activity: doing });
  if (!held) throw lockTimeoutFailure(await world.lock.holder(path), doing, 'Nothing was sent.');
  try {
    return await work();
  } finally {
    await held.release();
  }
}
