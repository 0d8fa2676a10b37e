// A token store from which this process learns what it must not show: everything secret that is read or written there.

import type { Secrets } from '../world/world.ts';
import type { TokenItem, TokenStore } from './store.ts';

export function learning(store: TokenStore, secrets: Pick<Secrets, 'add'>): TokenStore {
  return {
    ...store,
    async read(profile) {
      const item = await store.read(profile);
      if (item) learn(secrets, item);
      return item;
    },
    write(profile, item) {
      // Before anything of it can fail and say why.
      learn(secrets, item);
      return store.write(profile, item);
    },
  };
}

export function learn(
  secrets: Pick<Secrets, 'add'>,
  { accessToken, refreshToken, clientSecret }: Partial<TokenItem>,
): void {
  secrets.add(accessToken, refreshToken, clientSecret);
}
