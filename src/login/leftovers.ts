// What a process that was killed while it replaced a file has left beside it. Whoever holds the lock of the file knows that
// no living process is at it, and removes it.

import type { World } from '../world/world.ts';

/** Never fails: what stays is removed the next time. */
export async function removeLeftovers({ files }: Pick<World, 'files'>, path: string): Promise<void> {
  for (const left of await files.leftovers(path).catch(() => [])) await files.remove(left).catch(() => false);
}
