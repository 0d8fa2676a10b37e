// The token store in the operating system's keychain: the tokens of each profile, and the sign-in that was started for it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '#failure.ts';
import type { KeychainFault, World } from '#world/world.ts';
import { readChunkedSecret, removeChunkedSecret, writeChunkedSecret } from './chunked-secret.ts';
import { diskFailure } from './private-folder.ts';
import {
  KeychainMissing,
  type PendingSignInStore,
  PromptDeclined,
  parseTokens,
  pendingName,
  type TokenStore,
} from './token-store.ts';

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
  const account = (profile: string, names = items) => {
    if (names === 'old' ? files.isDefaultConfigFolder : files.isAccountHome) return profile;
    const folder = names === 'old' ? files.configFolder : files.realConfigFolder;
    return `${profile}@${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  };
  const itemOf = (profile: string, names = items) => ({
    keychain,
    service,
    account: account(profile, names),
  });
  const pendingItem = (profile: string) => itemOf(pendingName(profile));
  const note = (profile: string) => join(files.configFolder, 'tokens', `.keychain-${profile}`);
  const assertWritable = async () => {
    const probe = account('.probe');
    for (let attempt = 1; ; attempt++) {
      orThrow(await keychain.write(service, probe, 'probe'));
      const { secret } = orThrow(await keychain.read(service, probe));
      orThrow(await keychain.remove(service, probe));
      if (secret === 'probe') return;
      // Another sign-in may have removed it meanwhile.
      if (attempt === maxProbes)
        orThrow({ fault: 'failed', detail: 'it does not store what is written to it' });
    }
  };
  const write: TokenStore['write'] = async (profile, tokens) => {
    orThrow(await writeChunkedSecret(itemOf(profile), JSON.stringify(tokens), tokens.generation));
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
    pending,
    async read(profile) {
      const { secret } = orThrow(await readChunkedSecret(itemOf(profile)));
      return secret === undefined ? undefined : parseTokens(secret, name, profile);
    },
    write,
    async remove(profile) {
      let isRemoved = false;
      // A sign-in that was started has a new name, whatever name its profile has.
      for (const names of new Set([items, 'new'] as const))
        for (const name of [profile, pendingName(profile)]) {
          const { removed } = orThrow(await removeChunkedSecret(itemOf(name, names)));
          isRemoved ||= removed;
        }
      const path = note(profile);
      const cannotRemove = diskFailure(`Cannot remove ${path}`, 'token_store');
      await files.remove(path).catch(cannotRemove);
      await files.removeLeftovers(path).catch(cannotRemove);
      return isRemoved;
    },
    async announce(profile) {
      const path = note(profile);
      const text = 'The keychain may hold secrets of this profile. wm logout removes them.\n';
      await files
        .write(path, text, { mode: 0o600 })
        .catch(diskFailure(`Cannot write ${path}`, 'token_store'));
    },
    async findTrace(profile) {
      const path = note(profile);
      return (await files.kind(path)) === undefined ? undefined : path;
    },
    assertWritable,
    settle: async () => {},
    async reserve(profile) {
      // A keychain cannot reserve room; at least it has just stored something.
      await assertWritable();
      return { write: (tokens) => write(profile, tokens), release: async () => {} };
    },
    // A keychain replaces an item in one step.
    findInterruptedWrite: async () => undefined,
  };
}

const maxProbes = 5;

export interface KeychainWords {
  /** `The tokens are`. */
  readonly subject: string;
  readonly hint: string;
  readonly unlockHint: string;
}

const tokenWords: KeychainWords = {
  subject: 'The tokens are',
  hint: faultHint,
  unlockHint: `Unlock it and try again. ${faultHint}`,
};

/** @throws {Failure} `token_store` for a fault. */
export function orThrow<T extends object>(result: T | KeychainFault, words = tokenWords): T {
  if (!('fault' in result)) return result;
  const { fault, detail, isDeclined } = result;
  const message = {
    missing: 'No keychain is available',
    locked: 'The keychain is locked',
    timeout: 'The keychain did not respond in time',
    'too-large': `${words.subject} too large for a keychain item`,
    failed: 'The keychain failed',
  }[fault];
  const hint = fault === 'locked' || fault === 'timeout' ? words.unlockHint : words.hint;
  const kind = fault === 'missing' ? KeychainMissing : isDeclined ? PromptDeclined : Failure;
  throw new kind('token_store', { message, why: detail, hint });
}
