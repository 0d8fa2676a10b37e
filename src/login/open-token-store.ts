// Opens token stores: by kind, or the store that holds a profile's tokens. The profile remembers its store, so that no shell needs a
// variable to find the tokens; WM_TOKEN_STORE chooses the store of the next sign-in.

import type { Secrets, World } from '#world/world.ts';
import { createFileTokenStore } from './file-token-store.ts';
import { createKeychainTokenStore } from './keychain-token-store.ts';
import type { Profile } from './profile.ts';
import { parseStoreKind, type StoredTokens, type StoreKind, type TokenStore } from './token-store.ts';

/** `items: 'old'`: keychain items have the names of versions that did not record the store in the profile. */
export function openTokenStore(
  world: Pick<World, 'files' | 'keychain'>,
  kind: StoreKind,
  items: 'old' | 'new' = 'new',
): TokenStore {
  return kind === 'file' ? createFileTokenStore(world) : createKeychainTokenStore(world, items);
}

/**
 * Opens the store that holds the tokens of `profile`; `variable` is the value of WM_TOKEN_STORE. A profile of a version
 * that did not record the store has its tokens where the variable says, or in the keychain; so does a new sign-in, without a profile.
 * @throws {Failure} `usage` for an unknown kind of store in the variable.
 */
export function openProfileStore(
  world: Pick<World, 'files' | 'keychain' | 'secrets'>,
  profile: Pick<Profile, 'store'> | undefined,
  variable: string | undefined,
): TokenStore {
  const fromVariable = parseStoreVariable(variable);
  const store =
    profile?.store === undefined
      ? openTokenStore(world, fromVariable ?? 'keychain', profile ? 'old' : 'new')
      : openTokenStore(world, profile.store);
  return withSecretTracking(store, world.secrets);
}

/** The kind of store that WM_TOKEN_STORE names. @throws {Failure} `usage` for an unknown kind. */
export function parseStoreVariable(text: string | undefined): StoreKind | undefined {
  return text === undefined ? undefined : parseStoreKind(text, 'WM_TOKEN_STORE');
}

/** The same store; its secrets are redacted from messages as soon as they are read or written. */
function withSecretTracking(store: TokenStore, secrets: Secrets): TokenStore {
  const track = ({ accessToken, refreshToken, clientSecret }: StoredTokens) =>
    secrets.addCredentials(accessToken, refreshToken, clientSecret);
  return {
    ...store,
    async read(profile) {
      const tokens = await store.read(profile);
      if (tokens) track(tokens);
      return tokens;
    },
    write(profile, tokens) {
      // First, since the error of a failed write may quote them.
      track(tokens);
      return store.write(profile, tokens);
    },
  };
}
