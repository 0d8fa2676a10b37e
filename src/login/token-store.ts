// Where tokens are kept: one item per profile, in the operating system's keychain, or in a file where someone chose that
// in so many words. Never anywhere else, and never somewhere that is gone tomorrow.

import { usageError } from '../failure.ts';

/** Everything secret of one profile. */
export interface StoredTokens {
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
export interface PendingSignInStore {
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
  locationOf(profile: string): string;
  read(profile: string): Promise<StoredTokens | undefined>;
  write(profile: string, item: StoredTokens): Promise<void>;
  /** True where there was anything. A sign-in that was only started goes with it, and what a killed process left. */
  remove(profile: string): Promise<boolean>;
  /** A sign-in that was started and not completed: pending.ts. */
  readonly pending: PendingSignInStore;
  /** Throws where a token (of this profile) could not be stored: before anyone signs in for one. */
  assertWritable(profile?: string): Promise<void>;
  /**
   * Takes the room for the tokens that will replace these, before these are used up. Throws where there is none. Under the
   * lock of the profile.
   */
  reserve(profile: string, like: StoredTokens): Promise<TokenReservation>;
  /**
   * Tokens that replace these, and were written when the process that had refreshed them was killed. Under the lock of the
   * profile.
   */
  findInterruptedWrite(profile: string, before: StoredTokens): Promise<InterruptedWrite | undefined>;
}

/** Room in the store for the next tokens of a profile. */
export interface TokenReservation {
  /** May be tried again where it throws. */
  write(item: StoredTokens): Promise<void>;
  /** Where nothing is to be written after all. Never fails. */
  release(): Promise<void>;
}

export interface InterruptedWrite {
  readonly tokens: StoredTokens;
  /** Puts it where the tokens of the profile are read. */
  adopt(): Promise<void>;
}

/** Throws a usage failure for a kind that there is none of. `from`: the flag or the variable that names it. */
export function parseStoreKind(text: string, from: string): StoreKind {
  if (text === 'keychain' || text === 'file') return text;
  throw usageError(`${from}: ${JSON.stringify(text)} is not one of keychain, file`);
}
