// Where the file of a lock was deleted, another process may be refreshing the same sign-in under the lock of the file before.
// Whoever holds the lock of the file that is there now waits for the end of that.

import type { World } from '../world/world.ts';
import { wasBegun, wasBegunByOthers } from './intent.ts';
import type { TokenItem } from './store.ts';

/** How often to look whether the other refresh has ended. */
const lookMs = 200;
/** Two attempts and what storing takes. Shorter than anybody waits for a helper (lockLimits), which may wait here. */
const longestMs = 57_000;

/**
 * Resolves when no other refresh of the stored sign-in can be under way: it has stored its tokens or noted its end, or
 * began longer ago than any lasts. `lock`: the id of the one that is held.
 */
export async function othersEnd(
  world: Pick<World, 'files' | 'clock'>,
  profile: string,
  lock: string,
  readItem: () => Promise<TokenItem | undefined>,
): Promise<void> {
  for (let waited = 0; waited < longestMs; waited += lookMs) {
    if (!(await wasBegunByOthers(world, profile, lock, longestMs))) return;
    const item = await readItem();
    if (!item || !(await wasBegun(world, profile, item))) return;
    await world.clock.sleep(lookMs);
  }
}
