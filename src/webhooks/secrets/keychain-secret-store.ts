// Stores the secrets of webhooks in the operating system's keychain, one item for each webhook.

import { type KeychainWords, orThrow } from '#login/keychain-token-store.ts';
import type { World } from '#world/world.ts';
import type { SecretOwner, SecretStore } from './secret-store.ts';

/** Not the service of the tokens: a webhook's id must not be taken for a profile. */
const service = 'wm webhook secret';

const words: KeychainWords = {
  subject: 'The secret is',
  hint: 'Give the secret with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET. WM_TOKEN_STORE=file stores secrets in files that only you can read.',
  unlockHint: 'Unlock it and try again.',
};

export function createKeychainSecretStore({ keychain }: Pick<World, 'keychain'>): SecretStore {
  const account = ({ host, webhookId }: SecretOwner) => `${webhookId}@${host}`;
  const read = async (owner: SecretOwner) =>
    orThrow(await keychain.read(service, account(owner)), words).secret;
  return {
    kind: 'keychain',
    locationOf: () => 'the keychain',
    read,
    has: async (owner) => (await read(owner)) !== undefined,
    async write(owner, secret) {
      orThrow(await keychain.write(service, account(owner), secret), words);
    },
    remove: async (owner) => orThrow(await keychain.remove(service, account(owner)), words).removed,
  };
}
