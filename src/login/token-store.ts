// What a token store is: one item for each profile, in the operating system's keychain, or in a file if the user chose that
// explicitly. Tokens are stored nowhere else, and never in a place that loses them at the next restart.

import { headerText } from '#contract/authorization.ts';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { hasMembers, number, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { type Profile, signInCommand } from './profile.ts';

const storedTokens = object('tokens', {
  /** Grows by one with every refresh and every sign-in. */
  generation: number('generation'),
  accessToken: headerText,
  /** Absent for a permanent token. */
  refreshToken: optional(text('token')),
  /** Milliseconds since 1970; absent for a permanent token. */
  expiresAt: optional(number('milliseconds')),
  /** The host that the tokens are for, as host.ts spells it. */
  host: text('host'),
  clientId: optional(text('id')),
  clientSecret: optional(text('secret')),
});

export type StoredTokens = TypeOf<typeof storedTokens>;

/** Parses the text of a store, one line of JSON. `location` is for the message. @throws {Failure} `token_store` for any other text. */
export function parseTokens(text: string, location: string, profile: string): StoredTokens {
  const tokens = tryParseTokens(text);
  if (tokens) return tokens;
  throw new Failure('token_store', {
    message: `Cannot read the tokens in ${location}`,
    why: 'they are damaged, or another program wrote them',
    hint: commandHint('Sign in again: ', signInCommand(profile)),
  });
}

/** Undefined for any other text, and for a part of it. */
export function tryParseTokens(text: string): StoredTokens | undefined {
  const decoded = parseJsonIfValid(text);
  if (!isJsonObject(decoded)) return undefined;
  // An invalid expiry must not lock the user out: the service rejects an expired token anyway.
  const { expiresAt, ...tokens } = decoded;
  if (!hasMembers(storedTokens, tokens)) return undefined;
  const isTime = typeof expiresAt === 'number' && !Number.isNaN(new Date(expiresAt).getTime());
  return isTime ? { ...tokens, expiresAt } : tokens;
}

/** Started sign-ins: one text for each profile, as secret as a token and stored beside it. See pending-sign-in.ts. */
export interface PendingSignInStore {
  read(profile: string): Promise<string | undefined>;
  write(profile: string, text: string): Promise<void>;
  remove(profile: string): Promise<boolean>;
}

/** As WM_TOKEN_STORE and --store spell it. */
export type StoreKind = NonNullable<Profile['store']>;

/** Thrown if the machine has no keychain, as in a container: the only fault that another store solves. */
export class KeychainMissing extends Failure {}

/** Thrown if the user declined the keychain's prompt, or left it unanswered: another attempt prompts again. */
export class PromptDeclined extends Failure {}

/** Unless it says otherwise, each method throws a `token_store` Failure if the keychain or the disk fails. */
export interface TokenStore {
  readonly kind: StoreKind;
  /** For messages: "the keychain". */
  readonly name: string;
  read(profile: string): Promise<StoredTokens | undefined>;
  write(profile: string, tokens: StoredTokens): Promise<void>;
  /** True if there was anything. Also removes a started sign-in, and what a killed process left behind. */
  remove(profile: string): Promise<boolean>;
  /** To be called before a sign-in stores anything: from then on `findTrace` finds a file, until `remove`. */
  announce(profile: string): Promise<void>;
  /** The file that shows that something may be here, although no profile says so. Asks no keychain. Throws the system's error. */
  findTrace(profile: string): Promise<string | undefined>;
  readonly pending: PendingSignInStore;
  /** Throws if tokens (of this profile) could not be stored. To be called before the user signs in for them. */
  assertWritable(profile?: string): Promise<void>;
  /** A power cut no longer takes the stored tokens after this, even if the process that stored them was killed. */
  settle(profile: string): Promise<void>;
  /** Reserves room for what will replace `current`. Throws if there is none. The caller holds the lock of the profile. */
  reserve(profile: string, current: StoredTokens): Promise<TokenReservation>;
  /** Tokens that replace `current`, from a process that was killed while it wrote them. The caller holds the lock of the profile. */
  findInterruptedWrite(profile: string, current: StoredTokens): Promise<InterruptedWrite | undefined>;
}

export interface TokenReservation {
  /** May be called again after it has thrown. */
  write(tokens: StoredTokens): Promise<void>;
  /** Gives unused room back. Never fails. */
  release(): Promise<void>;
}

interface InterruptedWrite {
  readonly tokens: StoredTokens;
  adopt(): Promise<void>;
}

/** The store that a flag or a variable (`from`) names. @throws {Failure} `usage` for an unknown kind. */
export function parseStoreKind(text: string, from: string): StoreKind {
  if (text === 'keychain' || text === 'file') return text;
  throw usageError(`${from}: ${JSON.stringify(text)} is not one of keychain, file`);
}

/** The name that a store gives to the started sign-in of a profile. No profile's name begins with a dot. */
export function pendingName(profile: string): string {
  return `.pending-${profile}`;
}
