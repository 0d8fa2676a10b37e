// Stores the secrets of webhooks in the operating system's keychain, one item for each webhook.

import { Failure } from '#failure.ts';
import type { KeychainFault, World } from '#world/world.ts';
import type { SecretOwner, SecretStore } from './secret-store.ts';

/** Not the service of the tokens: a webhook's id must not be taken for a profile. */
const service = 'wm webhook secret';

/** This machine has no keychain, as in a container, so none can hold a secret. */
export class NoKeychain extends Failure {}

export function createKeychainSecretStore({ keychain }: Pick<World, 'keychain'>): SecretStore {
  const account = ({ host, webhookId }: SecretOwner) => `${webhookId}@${host}`;
  return {
    kind: 'keychain',
    locationOf: () => 'the keychain',
    read: async (owner) => orThrow(await keychain.read(service, account(owner))).secret,
    has: async (owner) => orThrow(await keychain.read(service, account(owner))).secret !== undefined,
    async write(owner, secret) {
      orThrow(await keychain.write(service, account(owner), secret));
    },
    remove: async (owner) => orThrow(await keychain.remove(service, account(owner))).removed,
  };
}

function orThrow<T extends object>(result: T | KeychainFault): T {
  if (!('fault' in result)) return result;
  const { message, hint } = faults[result.fault];
  const details = { message, why: result.detail, hint: hint ?? otherPlaces };
  throw result.fault === 'missing'
    ? new NoKeychain('token_store', details)
    : new Failure('token_store', details);
}

const otherPlaces =
  'Give the secret with --secret-file, --secret-stdin or WM_WEBHOOK_SECRET. WM_TOKEN_STORE=file stores secrets in files that only you can read.';
const unlock = 'Unlock it and try again.';

const faults: Readonly<Record<KeychainFault['fault'], { readonly message: string; readonly hint?: string }>> =
  {
    missing: { message: 'No keychain is available' },
    locked: { message: 'The keychain is locked', hint: unlock },
    timeout: { message: 'The keychain did not respond in time', hint: unlock },
    'too-large': { message: 'The secret is too large for a keychain item' },
    failed: { message: 'The keychain failed' },
  };
