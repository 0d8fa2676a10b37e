// A token store from which this process learns what it must not show: everything secret that is read or written there.

import type { Secrets } from '../world/world.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

export function withSecretTracking(store: TokenStore, secrets: Pick<Secrets, 'add'>): TokenStore {
  return {
    ...store,
    async read(profile) {
      const item = await store.read(profile);
      if (item) trackSecrets(secrets, item);
      return item;
    },
    write(profile, item) {
      // Before anything of it can fail and say why.
      trackSecrets(secrets, item);
      return store.write(profile, item);
    },
  };
}

export function trackSecrets(
  secrets: Pick<Secrets, 'add'>,
  { accessToken, refreshToken, clientSecret }: Partial<StoredTokens>,
): void {
  secrets.add(accessToken, refreshToken, clientSecret);
}
