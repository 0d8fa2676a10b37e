// Opens the token store of a kind: the one place that knows both of them.

import type { World } from '../world/world.ts';
import { fileStore } from './file-store.ts';
import { keychainStore } from './keychain-store.ts';
import type { StoreKind, TokenStore } from './store.ts';

type Parts = Pick<World, 'files' | 'keychain'>;

/** `items: 'old'`: named as they were by versions that did not note the store in the profile. */
export function openStore(world: Parts, kind: StoreKind, items: 'old' | 'new' = 'new'): TokenStore {
  return kind === 'file' ? fileStore(world) : keychainStore(world, items);
}
