// Where the file of a lock was deleted, another process may be refreshing the same sign-in under the lock of the file before.
// Whoever holds the lock of the file that is there now waits for the end of that.

import type { World } from '../world/world.ts';
import { isRefreshInFlight, isRefreshInFlightElsewhere } from './refresh-marker.ts';
import type { StoredTokens } from './token-store.ts';

/** How often to look whether the other refresh has ended. */
const pollMs = 200;
/** Two attempts and what storing takes. Shorter than anybody waits for a helper (lockLimits), which may wait here. */
const maxRefreshMs = 57_000;

/**
 * Resolves when no other refresh of the stored sign-in can be under way: it has stored its tokens or noted its end, or
 * began longer ago than any lasts. `lock`: the id of the one that is held.
 */
export async function waitForOtherRefresh(
  world: Pick<World, 'files' | 'clock'>,
  profile: string,
  lock: string,
  readItem: () => Promise<StoredTokens | undefined>,
): Promise<void> {
  for (let waited = 0; waited < maxRefreshMs; waited += pollMs) {
    if (!(await isRefreshInFlightElsewhere(world, profile, lock, maxRefreshMs))) return;
    const item = await readItem();
    if (!item || !(await isRefreshInFlight(world, profile, item))) return;
    await world.clock.sleep(pollMs);
  }
}
