// Stores a new sign-in, and removes one, under the profile's lock, so that a refresh of the previous sign-in cannot overwrite
// it. A new sign-in has its own generation, so that it is never mistaken for the previous one.

import { errorMessage } from '#failure.ts';
import type { World } from '#world/world.ts';
import { openTokenStore } from './open-token-store.ts';
import { acquireProfileLock, findProfile, type Profile, removeProfile, saveProfile } from './profile.ts';
import { removeRefreshMarker, waitForOtherRefresh } from './refresh-marker.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

type StorageWorld = Pick<World, 'files' | 'keychain' | 'lock' | 'clock'>;

async function withProfileLock<T>(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  profile: string,
  onWait: (line: string) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  const held = await acquireProfileLock(world, profile);
  try {
    // Unreadable tokens cannot be in the middle of a refresh.
    const readTokens = () => store.read(profile).catch(() => undefined);
    await waitForOtherRefresh(world, profile, held.id, readTokens, onWait);
    return await work();
  } finally {
    await held.release();
  }
}

/**
 * Stores the tokens and the profile, which names its store for all later commands. Removes tokens of the profile that are in
 * the other store; if that fails, the result is a warning for the user.
 *
 * @throws {Failure} if the tokens or the profile cannot be stored; the previous sign-in is then unchanged.
 */
export async function saveSignIn(
  world: StorageWorld,
  store: TokenStore,
  profile: Profile & Required<Pick<Profile, 'store'>>,
  item: StoredTokens,
  onWait: (line: string) => unknown,
): Promise<string | undefined> {
  return withProfileLock(world, store, profile.name, onWait, async () => {
    const former = (await findProfile(world, profile.name))?.store ?? store.kind;
    // The stored text may be damaged, or from another version: a new sign-in is the remedy.
    const before = await store.read(profile.name).catch(() => undefined);
    let isStored = false;
    try {
      await saveProfile(world, profile, async () => {
        await store.write(profile.name, { ...item, generation: (before?.generation ?? 0) + 1 });
        isStored = true;
      });
    } catch (error) {
      // The tokens must not stay without their profile, nor with the previous one, which may be another user's.
      if (isStored) await (before ? store.write(profile.name, before) : store.remove(profile.name));
      throw error;
    }
    await removeRefreshMarker(world, profile.name);
    if (former === store.kind) return undefined;
    const left = openTokenStore(world, former);
    return left.remove(profile.name).then(
      () => undefined,
      (error: unknown) =>
        `The earlier tokens of ${profile.name} are still in ${left.name}: ${errorMessage(error)}`,
    );
  });
}

/**
 * Removes the profile and its tokens, from each of `stores`; `store` is the one in use. Removes the tokens first, so that an
 * interruption leaves a profile without tokens, and never the reverse.
 *
 * @throws {Failure} `token_store` if tokens cannot be removed; `other` if the profile cannot.
 */
export async function removeSignIn(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  stores: readonly Pick<TokenStore, 'remove'>[],
  profile: string,
  onWait: (line: string) => unknown,
): Promise<void> {
  await withProfileLock(world, store, profile, onWait, async () => {
    for (const store of stores) await store.remove(profile);
    await removeRefreshMarker(world, profile);
    await removeProfile(world, profile);
  });
}
