// Stores the secret of a webhook in an item of the operating system's keychain.

import { type KeychainWords, orThrow } from '#login/keychain-token-store.ts';
import type { World } from '#world/world.ts';
import type { SecretOwner, SecretPlace } from './secret-store.ts';

/** Not the service of the tokens: a webhook's id must not be taken for a profile. */
const service = 'wm webhook secret';

const words: KeychainWords = {
  subject: 'The secret is',
  hint: 'Give the secret with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET. WM_TOKEN_STORE=file stores secrets in files that only you can read.',
  unlockHint: 'Unlock it and try again.',
};

export function openKeychainSecret({ keychain }: Pick<World, 'keychain'>, owner: SecretOwner): SecretPlace {
  const account = `${owner.webhookId}@${owner.host}`;
  const read = async () => orThrow(await keychain.read(service, account), words).secret;
  return {
    kind: 'keychain',
    owner,
    location: 'the keychain',
    read,
    has: async () => (await read()) !== undefined,
    async write(secret) {
      orThrow(await keychain.write(service, account, secret), words);
    },
    remove: async () => orThrow(await keychain.remove(service, account), words).removed,
  };
}
