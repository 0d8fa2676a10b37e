// The token store in the operating system's keychain: one item for each profile, or several if an item is too small for the tokens.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '#failure.ts';
import type { Keychain, KeychainFault, World } from '#world/world.ts';
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
  const account = (profile: string) => {
    if (items === 'old' ? files.isDefaultConfigFolder : files.isAccountHome) return profile;
    const folder = items === 'old' ? files.configFolder : files.realConfigFolder;
    return `${profile}@${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  };
  const itemOf = (profile: string) => ({ keychain, service, account: account(profile) });
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
      const { removed } = orThrow(await removeChunkedSecret(itemOf(profile)));
      const isPendingRemoved = await pending.remove(profile);
      const path = note(profile);
      await files.remove(path).catch(diskFailure(`Cannot remove ${path}`, 'token_store'));
      return removed || isPendingRemoved;
    },
    async announce(profile) {
      const path = note(profile);
      const text = 'The keychain may hold secrets of this profile. wm logout removes them.\n';
      await files
        .write(path, text, { mode: 0o600 })
        .catch(diskFailure(`Cannot write ${path}`, 'token_store'));
    },
    mayHold: async (profile) => (await files.kind(note(profile))) !== undefined,
    assertWritable,
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

/** Counts code points, so that none is cut in half; each may take two characters. */
const chunkPattern = /.{1,600}/gsu;
/** Another process may replace the secret between two reads of chunks. */
const maxReads = 3;

type KeychainItem = { readonly keychain: Keychain; readonly service: string; readonly account: string };

/** Two successive secrets use different slots, so their chunks have different names. */
function chunkAccount({ account }: KeychainItem, slot: number, number: number): string {
  return `${account}#${slot}.${number}`;
}

function formatHeader(slot: number, count: number, text: string): string {
  return `in parts: ${slot} ${count} ${createHash('sha256').update(text).digest('hex')}`;
}

/** If the chunks do not match the header's hash, the result is the header itself, which the caller cannot parse as tokens. */
async function readChunkedSecret(item: KeychainItem): Promise<{ readonly secret?: string } | KeychainFault> {
  const { keychain, service, account } = item;
  for (let attempt = 1; ; attempt++) {
    const main = await keychain.read(service, account);
    if ('fault' in main) return main;
    const { secret } = main;
    if (secret === undefined) return {};
    const [, slot, count] = /^in parts: ([01]) (\d{1,3}) /.exec(secret) ?? [];
    if (slot === undefined) return { secret };
    let text = '';
    for (let number = 0; number < Number(count); number++) {
      const chunk = await keychain.read(service, chunkAccount(item, Number(slot), number));
      if ('fault' in chunk) return chunk;
      text += chunk.secret ?? '';
    }
    if (formatHeader(Number(slot), Number(count), text) === secret) return { secret: text };
    if (attempt === maxReads) return { secret };
  }
}

/** Writes a secret, in chunks if an item is too small for it. `generation` must grow by one from each secret to the next. */
async function writeChunkedSecret(item: KeychainItem, text: string, generation: number) {
  const { keychain, service, account } = item;
  const written = await keychain.write(service, account, text);
  if (!('fault' in written && written.fault === 'too-large')) return written;
  const slot = generation % 2;
  const chunks = Array.from(text.matchAll(chunkPattern), ([chunk]) => chunk);
  for (const [number, chunk] of chunks.entries()) {
    const result = await keychain.write(service, chunkAccount(item, slot, number), chunk);
    if ('fault' in result) return result;
  }
  const header = await keychain.write(service, account, formatHeader(slot, chunks.length, text));
  if (!('fault' in header)) await removeChunks(item, 1 - slot);
  return header;
}

/** Removes a secret with all its chunks. `removed` is true if there was one. */
async function removeChunkedSecret(item: KeychainItem) {
  const removed = await item.keychain.remove(item.service, item.account);
  if ('fault' in removed) return removed;
  return (await removeChunks(item, 0)) ?? (await removeChunks(item, 1)) ?? removed;
}

async function removeChunks(item: KeychainItem, slot: number): Promise<KeychainFault | undefined> {
  const { keychain, service } = item;
  const accounts: string[] = [];
  for (let number = 0; ; number++) {
    const account = chunkAccount(item, slot, number);
    const chunk = await keychain.read(service, account);
    if ('fault' in chunk) return chunk;
    if (chunk.secret === undefined) break;
    accounts.push(account);
  }
  // From the last to the first: after an interruption, the next removal still finds the remaining items.
  for (const account of accounts.reverse()) {
    const result = await keychain.remove(service, account);
    if ('fault' in result) return result;
  }
  return undefined;
}
