// Where tokens are kept: one item per profile, in the operating system's keychain, or in a file where someone chose that
// in so many words. Never anywhere else, and never somewhere that is gone tomorrow.

import { createHash } from 'node:crypto';
import { parseJson } from '../contract/json.ts';
import { Failure, usage } from '../failure.ts';
import type { KeychainFault, World } from '../world/world.ts';
import { readParts, removeParts, writeParts } from './parts.ts';

/** Everything secret of one profile. */
export interface TokenItem {
  /** Grows by one with every renewal. */
  readonly generation: number;
  readonly accessToken: string;
  /** Absent for a permanent token. */
  readonly refreshToken?: string;
  /** Milliseconds since 1970; absent for a permanent token. */
  readonly expiresAt?: number;
  readonly host: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** One text per profile, as secret as a token and stored beside it. */
export interface PendingStore {
  read(profile: string): Promise<string | undefined>;
  write(profile: string, text: string): Promise<void>;
  /** True where there was one. */
  remove(profile: string): Promise<boolean>;
}

/** As WM_TOKEN_STORE and --store name it. */
export type StoreKind = 'keychain' | 'file';

export interface TokenStore {
  readonly kind: StoreKind;
  /** For messages: "the keychain". */
  readonly name: string;
  /** For messages: the one place where the tokens of this profile are. */
  placeOf(profile: string): string;
  read(profile: string): Promise<TokenItem | undefined>;
  write(profile: string, item: TokenItem): Promise<void>;
  /** True where there was one. A sign-in that was only started goes with it. */
  remove(profile: string): Promise<boolean>;
  /** A sign-in that was started and not completed: pending.ts. */
  readonly pending: PendingStore;
  /** Throws where a token (as large as this one) could not be kept: before anyone signs in for one, or uses one up. */
  prove(like?: TokenItem): Promise<void>;
}

type Parts = Pick<World, 'files' | 'keychain'>;

/** Throws a usage failure for a kind that there is none of. `from`: the flag or the variable that names it. */
export function checkStoreKind(text: string, from: string): StoreKind {
  if (text === 'keychain' || text === 'file') return text;
  throw usage(`${from}: ${JSON.stringify(text)} is not one of keychain, file`);
}

/** `items: 'old'`: named as they were by versions that did not note the store in the profile. */
export function openStore(world: Parts, kind: StoreKind, items: 'old' | 'new' = 'new'): TokenStore {
  return kind === 'file' ? fileStore(world) : keychainStore(world, items);
}

/** There is no keychain at all, as in a container: the one fault that another store is a remedy for. */
export class NoKeychain extends Failure {}

function encodeItem(item: TokenItem): string {
  return JSON.stringify(item);
}

function decodeItem(text: string, where: string, profile: string): TokenItem {
  const broken = new Failure('token_store', {
    what: `What is kept in ${where} is not a sign-in of wm`,
    hint: `Sign in again: wm login --profile ${profile}`,
  });
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch {
    throw broken;
  }
  if (!isItem(decoded)) throw broken;
  // A time that is none is no reason to be locked out: the service says when the token is over.
  const { expiresAt, ...item } = decoded;
  return isInstant(expiresAt) ? { ...item, expiresAt } : item;
}

function isItem(decoded: unknown): decoded is TokenItem {
  if (typeof decoded !== 'object' || decoded === null) return false;
  const row = decoded as Readonly<Record<string, unknown>>;
  const optional = (name: string, type: string) => row[name] === undefined || typeof row[name] === type;
  return (
    typeof row['generation'] === 'number' &&
    typeof row['accessToken'] === 'string' &&
    typeof row['host'] === 'string' &&
    optional('refreshToken', 'string') &&
    optional('clientId', 'string') &&
    optional('clientSecret', 'string')
  );
}

/** What a date can be made of. */
function isInstant(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

// ------------------------------------------------------------------------------------------------------ keychain

const service = 'wm';

/** No profile's name begins with a dot. */
function pendingOf(profile: string): string {
  return `.pending-${profile}`;
}

const faultHint =
  'In CI, set WM_TOKEN and WM_HOST. Without a keychain, wm login --store file stores the tokens in a file that only you can read.';

function keychainStore({ keychain, files }: Parts, items: 'old' | 'new'): TokenStore {
  const name = 'the keychain';
  // Two config folders of one user must not share an item, since each has locks of its own; nor must two values of HOME.
  const suffix = (items === 'old' ? files.configFolderIsDefault : files.homeIsAccounts)
    ? ''
    : `@${createHash('sha256').update(files.configFolder).digest('hex').slice(0, 12)}`;
  const account = (profile: string) => profile + suffix;
  const place = (profile: string) => ({ keychain, service, account: account(profile) });
  const pendingPlace = (profile: string) => place(pendingOf(profile));
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
    async prove() {
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
    },
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

// ---------------------------------------------------------------------------------------------------------- file

function fileStore({ files }: Parts): TokenStore {
  const folder = `${files.configFolder}/tokens`;
  const path = (profile: string) => `${folder}/${profile}.json`;
  const name = folder;
  const trouble = (what: string) => (error: unknown) => {
    throw new Failure('token_store', {
      what,
      why: error instanceof Error ? error.message : undefined,
      hint: 'The folder is that of WM_CONFIG_DIR, or the usual one. It must be yours, and there must be room.',
      cause: error,
    });
  };
  const readText = async (file: string) => {
    const bytes = await files.read(file).catch(trouble(`${file} cannot be read`));
    return bytes && new TextDecoder().decode(bytes);
  };
  const writeText = (file: string, text: string) =>
    files.write(file, text, { mode: 0o600 }).catch(trouble(`${file} cannot be written`));
  const removeFile = (file: string) => files.remove(file).catch(trouble(`${file} cannot be removed`));
  const pending: PendingStore = {
    read: (profile) => readText(path(pendingOf(profile))),
    write: (profile, text) => writeText(path(pendingOf(profile)), text),
    remove: (profile) => removeFile(path(pendingOf(profile))),
  };
  return {
    kind: 'file',
    name,
    placeOf: path,
    pending,
    async read(profile) {
      const text = await readText(path(profile));
      return text === undefined ? undefined : decodeItem(text, path(profile), profile);
    },
    async write(profile, item) {
      await writeText(path(profile), encodeItem(item));
    },
    async remove(profile) {
      const removed = await removeFile(path(profile));
      await pending.remove(profile);
      return removed;
    },
    async prove(like) {
      const probe = `${folder}/.probe`;
      const room = like ? 'x'.repeat(encodeItem(like).length) : 'probe';
      await files.write(probe, room, { mode: 0o600 }).catch(trouble(`No token can be kept in ${folder}`));
      await files.remove(probe);
    },
  };
}
