// The token store that is the keychain of the operating system: one item for each profile, or several where an item is too
// small for the tokens.

import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { KeychainFault, World } from '../world/world.ts';
import { readChunkedSecret, removeChunkedSecret, writeChunkedSecret } from './chunked-secret.ts';
import { pendingName } from './pending-name.ts';
import { formatTokens, parseTokens } from './token-format.ts';
import type { PendingSignInStore, TokenStore } from './token-store.ts';

/** There is no keychain at all, as in a container: the one fault that another store is a remedy for. */
export class KeychainMissing extends Failure {}

const service = 'wm';

const faultHint =
  'In CI, set WM_TOKEN and WM_HOST. Without a keychain, wm login --store file stores the tokens in a file that only you can read.';

/** `items: 'old'`: named as they were by versions that did not note the store in the profile. */
export function createKeychainTokenStore(
  { keychain, files }: Pick<World, 'files' | 'keychain'>,
  items: 'old' | 'new',
): TokenStore {
  const name = 'the keychain';
  // Two config folders of one user must not share an item, since each has locks of its own; nor must two values of HOME.
  // Worked out each time: how the disk spells a folder is known once it was made, and that may be in between.
  const account = (profile: string) => {
    if (items === 'old' ? files.isDefaultConfigFolder : files.isAccountHome) return profile;
    const folder = items === 'old' ? files.configFolder : files.realConfigFolder;
    return `${profile}@${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  };
  const place = (profile: string) => ({ keychain, service, account: account(profile) });
  const pendingPlace = (profile: string) => place(pendingName(profile));
  const prove = async () => {
    const probe = account('.probe');
    for (let attempt = 1; ; attempt++) {
      orThrow(await keychain.write(service, probe, 'probe'));
      const { secret } = orThrow(await keychain.read(service, probe));
      orThrow(await keychain.remove(service, probe));
      if (secret === 'probe') return;
      // Another sign-in may have removed it in between.
      if (attempt === maxProbes)
        throw keychainFailure({ fault: 'failed', detail: 'it does not keep what it is given' });
    }
  };
  const pending: PendingSignInStore = {
    read: async (profile) => orThrow(await readChunkedSecret(pendingPlace(profile))).secret,
    async write(profile, text) {
      orThrow(await removeChunkedSecret(pendingPlace(profile)));
      orThrow(await writeChunkedSecret(pendingPlace(profile), text, 0));
    },
    remove: async (profile) => orThrow(await removeChunkedSecret(pendingPlace(profile))).removed,
  };

  return {
    kind: 'keychain',
    name,
    locationOf: () => name,
    pending,
    async read(profile) {
      const { secret } = orThrow(await readChunkedSecret(place(profile)));
      return secret === undefined ? undefined : parseTokens(secret, name, profile);
    },
    async write(profile, item) {
      orThrow(await writeChunkedSecret(place(profile), formatTokens(item), item.generation));
    },
    async remove(profile) {
      const { removed } = orThrow(await removeChunkedSecret(place(profile)));
      await pending.remove(profile);
      return removed;
    },
    assertWritable: prove,
    async reserve(profile) {
      // A keychain cannot keep room free; at least it stored something a moment before.
      await prove();
      return {
        async write(item) {
          orThrow(await writeChunkedSecret(place(profile), formatTokens(item), item.generation));
        },
        release: async () => {},
      };
    },
    // An item of a keychain is replaced at once.
    findInterruptedWrite: async () => undefined,
  };
}

const maxProbes = 5;

function orThrow<T extends object>(result: T | KeychainFault): T {
  if ('fault' in result) throw keychainFailure(result);
  return result;
}

const faultMessages: Readonly<Record<KeychainFault['fault'], string>> = {
  missing: 'There is no keychain here',
  locked: 'The keychain is locked',
  timeout: 'The keychain waited for an answer that nobody gave',
  'too-large': 'The sign-in is too large for an item of the keychain',
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
