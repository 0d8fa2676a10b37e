// Opens the token store of a kind: the one place that knows both of them.

import type { World } from '../world/world.ts';
import { createFileTokenStore } from './file-token-store.ts';
import { createKeychainTokenStore } from './keychain-token-store.ts';
import type { StoreKind, TokenStore } from './token-store.ts';

type Parts = Pick<World, 'files' | 'keychain'>;

/** `items: 'old'`: named as they were by versions that did not note the store in the profile. */
export function openTokenStore(world: Parts, kind: StoreKind, items: 'old' | 'new' = 'new'): TokenStore {
  return kind === 'file' ? createFileTokenStore(world) : createKeychainTokenStore(world, items);
}
