// Keeps a sign-in that was just made, and forgets one. Under the profile's lock, so that a renewal of the sign-in before
// cannot write over it, and with a generation of its own, so that nobody takes the one for the other.

import type { World } from '../world/world.ts';
import { openTokenStore } from './open-token-store.ts';
import { acquireProfileLock, findProfile, type Profile, removeProfile, saveProfile } from './profile.ts';
import { removeRefreshMarker } from './refresh-marker.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';
import { waitForOtherRefresh } from './wait-for-refresh.ts';

type Parts = Pick<World, 'files' | 'keychain' | 'lock' | 'clock'>;

async function withProfileLock<T>(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  profile: string,
  work: () => Promise<T>,
): Promise<T> {
  const held = await acquireProfileLock(world, profile);
  try {
    // What is no sign-in is refreshed by nobody.
    await waitForOtherRefresh(world, profile, held.id, () => store.read(profile).catch(() => undefined));
    return await work();
  } finally {
    await held.release();
  }
}

/**
 * The profile says which store it is: every later command looks there. What another store held of the profile before is
 * removed; if that fails, the result says so, for the person.
 */
export async function saveSignIn(
  world: Parts,
  store: TokenStore,
  profile: Profile & Required<Pick<Profile, 'store'>>,
  item: StoredTokens,
): Promise<string | undefined> {
  return withProfileLock(world, store, profile.name, async () => {
    const former = (await findProfile(world, profile.name))?.store ?? store.kind;
    // What stands there may be broken, or of another version: a new sign-in is how one gets rid of it.
    const before = await store.read(profile.name).catch(() => undefined);
    let isStored = false;
    try {
      await saveProfile(world, profile, async () => {
        await store.write(profile.name, { ...item, generation: (before?.generation ?? 0) + 1 });
        isStored = true;
      });
    } catch (error) {
      // Tokens without their profile are nobody's, and another's profile must not lead to them.
      if (isStored) await (before ? store.write(profile.name, before) : store.remove(profile.name));
      throw error;
    }
    await removeRefreshMarker(world, profile.name);
    if (former === store.kind) return undefined;
    const left = openTokenStore(world, former);
    return left.remove(profile.name).then(
      () => undefined,
      (error: unknown) =>
        `The earlier tokens of ${profile.name} are still in ${left.name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
}

/**
 * Removes the tokens first: what is left behind by an interruption is a profile that says there are none. They are
 * taken out of each of the stores; `store` is the one that is in use.
 */
export async function removeSignIn(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  stores: readonly Pick<TokenStore, 'remove'>[],
  profile: string,
): Promise<void> {
  await withProfileLock(world, store, profile, async () => {
    for (const store of stores) await store.remove(profile);
    await removeRefreshMarker(world, profile);
    await removeProfile(world, profile);
  });
}
