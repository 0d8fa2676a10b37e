// The token store in the operating system's keychain: one item for each profile, or several if an item is too small for the
// tokens.

import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { KeychainFault, World } from '../world/world.ts';
import { readChunkedSecret, removeChunkedSecret, writeChunkedSecret } from './chunked-secret.ts';
import { formatTokens, parseTokens } from './token-format.ts';
import { type PendingSignInStore, pendingName, type TokenStore } from './token-store.ts';

/** There is no keychain at all, as in a container: the one fault that another store solves. */
export class KeychainMissing extends Failure {}

const service = 'wm';

const faultHint =
  'In CI, set WM_TOKEN and WM_HOST. Without a keychain, wm login --store file stores the tokens in a file that only you can read.';

/** Creates the store; see openTokenStore for `items`. Nothing is read or written yet. */
export function createKeychainTokenStore(
  { keychain, files }: Pick<World, 'files' | 'keychain'>,
  items: 'old' | 'new',
): TokenStore {
  const name = 'the keychain';
  // Two config folders of one user must not share an item, since each has its own locks; nor must two values of HOME.
  // Evaluated each time, since the disk's spelling of a folder is known only after it was created.
  const account = (profile: string) => {
    if (items === 'old' ? files.isDefaultConfigFolder : files.isAccountHome) return profile;
    const folder = items === 'old' ? files.configFolder : files.realConfigFolder;
    return `${profile}@${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  };
  const itemOf = (profile: string) => ({ keychain, service, account: account(profile) });
  const pendingItem = (profile: string) => itemOf(pendingName(profile));
  const prove = async () => {
    const probe = account('.probe');
    for (let attempt = 1; ; attempt++) {
      orThrow(await keychain.write(service, probe, 'probe'));
      const { secret } = orThrow(await keychain.read(service, probe));
      orThrow(await keychain.remove(service, probe));
      if (secret === 'probe') return;
      // Another sign-in may have removed it meanwhile.
      if (attempt === maxProbes)
        throw keychainFailure({ fault: 'failed', detail: 'it does not store what is written to it' });
    }
  };
  const pending: PendingSignInStore = {
    read: async (profile) => orThrow(await readChunkedSecret(pendingItem(profile))).secret,
    async write(profile, text) {
      orThrow(await removeChunkedSecret(pendingItem(profile)));
      orThrow(await writeChunkedSecret(pendingItem(profile), text, 0));
    },
    remove: async (profile) => orThrow(await removeChunkedSecret(pendingItem(profile))).removed,
  };

  return {
    kind: 'keychain',
    name,
    locationOf: () => name,
    pending,
    async read(profile) {
      const { secret } = orThrow(await readChunkedSecret(itemOf(profile)));
      return secret === undefined ? undefined : parseTokens(secret, name, profile);
    },
    async write(profile, tokens) {
      orThrow(await writeChunkedSecret(itemOf(profile), formatTokens(tokens), tokens.generation));
    },
    async remove(profile) {
      const { removed } = orThrow(await removeChunkedSecret(itemOf(profile)));
      await pending.remove(profile);
      return removed;
    },
    assertWritable: prove,
    async reserve(profile) {
      // A keychain cannot reserve room; at least it has just stored something.
      await prove();
      return {
        async write(item) {
          orThrow(await writeChunkedSecret(itemOf(profile), formatTokens(item), item.generation));
        },
        release: async () => {},
      };
    },
    // A keychain replaces an item in one step.
    findInterruptedWrite: async () => undefined,
  };
}

const maxProbes = 5;

function orThrow<T extends object>(result: T | KeychainFault): T {
  if ('fault' in result) throw keychainFailure(result);
  return result;
}

const faultMessages: Readonly<Record<KeychainFault['fault'], string>> = {
  missing: 'No keychain is available',
  locked: 'The keychain is locked',
  timeout: 'The keychain did not respond in time',
  'too-large': 'The tokens are too large for a keychain item',
  failed: 'The keychain failed',
};

function keychainFailure({ fault, detail }: KeychainFault): Failure {
  const hint =
    fault === 'locked' || fault === 'timeout' ? `Unlock it and try again. ${faultHint}` : faultHint;
  const details = { message: faultMessages[fault], why: detail, hint };
  return fault === 'missing'
    ? new KeychainMissing('token_store', details)
    : new Failure('token_store', details);
}
