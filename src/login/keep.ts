// Keeps a sign-in that was just made, and forgets one. Under the profile's lock, so that a renewal of the sign-in before
// cannot write over it, and with a generation of its own, so that nobody takes the one for the other.

import type { World } from '../world/world.ts';
import { noteEnd } from './intent.ts';
import { openStore } from './open-store.ts';
import { othersEnd } from './others.ts';
import { findProfile, type Profile, removeProfile, saveProfile, takeLock } from './profile.ts';
import type { TokenItem, TokenStore } from './store.ts';

type Parts = Pick<World, 'files' | 'keychain' | 'lock' | 'clock'>;

async function alone<T>(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  profile: string,
  work: () => Promise<T>,
): Promise<T> {
  const held = await takeLock(world, profile);
  try {
    // What is no sign-in is refreshed by nobody.
    await othersEnd(world, profile, held.id, () => store.read(profile).catch(() => undefined));
    return await work();
  } finally {
    await held.release();
  }
}

/**
 * The profile says which store it is: every later command looks there. What another store held of the profile before is
 * removed; if that fails, the result says so, for the person.
 */
export async function keepSignIn(
  world: Parts,
  store: TokenStore,
  profile: Profile & Required<Pick<Profile, 'store'>>,
  item: TokenItem,
): Promise<string | undefined> {
  return alone(world, store, profile.name, async () => {
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
    await noteEnd(world, profile.name);
    if (former === store.kind) return undefined;
    const left = openStore(world, former);
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
export async function forgetSignIn(
  world: Pick<World, 'files' | 'lock' | 'clock'>,
  store: Pick<TokenStore, 'read'>,
  stores: readonly Pick<TokenStore, 'remove'>[],
  profile: string,
): Promise<void> {
  await alone(world, store, profile, async () => {
    for (const store of stores) await store.remove(profile);
    await noteEnd(world, profile);
    await removeProfile(world, profile);
  });
}
