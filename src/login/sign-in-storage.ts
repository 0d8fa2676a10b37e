// Stores a new sign-in, and removes one, under the profile's lock, so that a refresh of the previous sign-in cannot overwrite
// it. A new sign-in has its own generation, so that it is never mistaken for the previous one.

import { commandHint, errorMessage, failWith } from '#failure.ts';
import type { World } from '#world/world.ts';
import { openTokenStore } from './open-token-store.ts';
import {
  findProfile,
  type Profile,
  removeProfile,
  saveProfile,
  signInCommand,
  withProfileLock,
} from './profile.ts';
import { removeRefreshMarker, waitForOtherRefresh } from './refresh-marker.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

type StorageWorld = Pick<World, 'files' | 'keychain' | 'lock' | 'clock'>;

function withIdleProfile<T>(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  profile: string,
  onWait: (line: string) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  return withProfileLock(world, profile, async (held) => {
    // Unreadable tokens cannot be in the middle of a refresh.
    const readTokens = () => store.read(profile).catch(() => undefined);
    await waitForOtherRefresh(world, profile, held.id, readTokens, onWait);
    return work();
  });
}

/**
 * Returns a warning if tokens in the other store cannot be removed. If it throws, the previous sign-in is unchanged, unless the message
 * says otherwise.
 */
export async function saveSignIn(
  world: StorageWorld,
  store: TokenStore,
  profile: Profile & Required<Pick<Profile, 'store'>>,
  item: StoredTokens,
  onWait: (line: string) => unknown,
): Promise<string | undefined> {
  return withIdleProfile(world, store, profile.name, onWait, async () => {
    const previousKind = (await findProfile(world, profile.name))?.store ?? store.kind;
    // The stored text may be damaged, or from another version: a new sign-in is the remedy.
    const previous = await store.read(profile.name).catch(() => undefined);
    let isStored = false;
    // Only for a logout after a kill: no reason to lose this sign-in.
    const announce = (kept: TokenStore) => kept.announce(profile.name).catch(() => {});
    await announce(store);
    if (previousKind !== store.kind) await announce(openTokenStore(world, previousKind));
    try {
      await saveProfile(world, profile, async () => {
        await store.write(profile.name, { ...item, generation: (previous?.generation ?? 0) + 1 });
        isStored = true;
      });
    } catch (error) {
      // The tokens must not stay without their profile, nor with the previous one, which may be another user's.
      const cannotTakeBack = failWith(
        'token_store',
        `Can neither save the profile ${profile.name} nor take back its new tokens`,
        commandHint('Sign in again: ', signInCommand(profile.name)),
      );
      if (isStored && previous) await store.write(profile.name, previous).catch(cannotTakeBack);
      else if (isStored) await store.remove(profile.name).catch(cannotTakeBack);
      throw error;
    }
    await removeRefreshMarker(world, profile.name);
    if (previousKind === store.kind) return undefined;
    const previousStore = openTokenStore(world, previousKind);
    return previousStore.remove(profile.name).then(
      () => undefined,
      (error: unknown) =>
        `The earlier tokens of ${profile.name} are still in ${previousStore.name}: ${errorMessage(error)}`,
    );
  });
}

/**
 * Removes the profile, which uses `store`. First `clear` removes its tokens, so that an interruption leaves a profile without tokens, and
 * never the reverse.
 * @throws {Failure} `other` if the profile cannot be removed; what `clear` throws.
 */
export async function removeSignIn(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  clear: () => Promise<void>,
  profile: string,
  onWait: (line: string) => unknown,
): Promise<void> {
  await withIdleProfile(world, store, profile, onWait, async () => {
    await clear();
    await removeRefreshMarker(world, profile);
    await removeProfile(world, profile);
  });
}
