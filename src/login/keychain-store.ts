// The token store that is the keychain of the operating system: one item for each profile, or several where an item is too
// small for the tokens.

import { createHash } from 'node:crypto';
import { Failure } from '../failure.ts';
import type { KeychainFault, World } from '../world/world.ts';
import { readParts, removeParts, writeParts } from './parts.ts';
import { pendingOf } from './pending-name.ts';
import type { PendingStore, TokenStore } from './store.ts';
import { decodeItem, encodeItem } from './token-item.ts';

/** There is no keychain at all, as in a container: the one fault that another store is a remedy for. */
export class NoKeychain extends Failure {}

const service = 'wm';

const faultHint =
  'In CI, set WM_TOKEN and WM_HOST. Without a keychain, wm login --store file stores the tokens in a file that only you can read.';

/** `items: 'old'`: named as they were by versions that did not note the store in the profile. */
export function keychainStore(
  { keychain, files }: Pick<World, 'files' | 'keychain'>,
  items: 'old' | 'new',
): TokenStore {
  const name = 'the keychain';
  // Two config folders of one user must not share an item, since each has locks of its own; nor must two values of HOME.
  // Worked out each time: how the disk spells a folder is known once it was made, and that may be in between.
  const account = (profile: string) => {
    if (items === 'old' ? files.configFolderIsDefault : files.homeIsAccounts) return profile;
    const folder = items === 'old' ? files.configFolder : files.realConfigFolder;
    return `${profile}@${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  };
  const place = (profile: string) => ({ keychain, service, account: account(profile) });
  const pendingPlace = (profile: string) => place(pendingOf(profile));
  const prove = async () => {
    const probe = account('.probe');
    for (let attempt = 1; ; attempt++) {
      orThrow(await keychain.write(service, probe, 'probe'));
      const { secret } = orThrow(await keychain.read(service, probe));
      orThrow(await keychain.remove(service, probe));
      if (secret === 'probe') return;
      // Another sign-in may have removed it in between.
      if (attempt === probes)
        throw keychainFailure({ fault: 'failed', detail: 'it does not keep what it is given' });
    }
  };
  const pending: PendingStore = {
    read: async (profile) => orThrow(await readParts(pendingPlace(profile))).secret,
    async write(profile, text) {
      orThrow(await removeParts(pendingPlace(profile)));
      orThrow(await writeParts(pendingPlace(profile), text, 0));
    },
    remove: async (profile) => orThrow(await removeParts(pendingPlace(profile))).removed,
  };

  return {
    kind: 'keychain',
    name,
    placeOf: () => name,
    pending,
    async read(profile) {
      const { secret } = orThrow(await readParts(place(profile)));
      return secret === undefined ? undefined : decodeItem(secret, name, profile);
    },
    async write(profile, item) {
      orThrow(await writeParts(place(profile), encodeItem(item), item.generation));
    },
    async remove(profile) {
      const { removed } = orThrow(await removeParts(place(profile)));
      await pending.remove(profile);
      return removed;
    },
    prove,
    async reserve(profile) {
      // A keychain cannot keep room free; at least it stored something a moment before.
      await prove();
      return {
        async write(item) {
          orThrow(await writeParts(place(profile), encodeItem(item), item.generation));
        },
        release: async () => {},
      };
    },
    // An item of a keychain is replaced at once.
    leftBehind: async () => undefined,
  };
}

const probes = 5;

function orThrow<T extends object>(result: T | KeychainFault): T {
  if ('fault' in result) throw keychainFailure(result);
  return result;
}

const faults: Readonly<Record<KeychainFault['fault'], string>> = {
  missing: 'There is no keychain here',
  locked: 'The keychain is locked',
  timeout: 'The keychain waited for an answer that nobody gave',
  'too-large': 'The sign-in is too large for an item of the keychain',
  failed: 'The keychain failed',
};

function keychainFailure({ fault, detail }: KeychainFault): Failure {
  const hint =
    fault === 'locked' || fault === 'timeout' ? `Unlock it and try again. ${faultHint}` : faultHint;
  const details = { what: faults[fault], why: detail, hint };
  return fault === 'missing' ? new NoKeychain('token_store', details) : new Failure('token_store', details);
}
