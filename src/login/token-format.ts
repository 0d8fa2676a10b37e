// The tokens of a profile as the text that a store holds, and back. Damaged text is not taken for a sign-in.

import { parseJsonIfValid } from '../contract/json.ts';
import { Failure } from '../failure.ts';
import type { StoredTokens } from './token-store.ts';

export function formatTokens(item: StoredTokens): string {
  return JSON.stringify(item);
}

/** Throws a {@link Failure} that names `where` for what is no item. */
export function parseTokens(text: string, where: string, profile: string): StoredTokens {
  const item = tryParseTokens(text);
  if (item) return item;
  throw new Failure('token_store', {
    message: `What is kept in ${where} is not a sign-in of wm`,
    hint: `Sign in again: wm login --profile ${profile}`,
  });
}

/** Nothing for what is no item, or a part of one. */
export function tryParseTokens(text: string): StoredTokens | undefined {
  const decoded = parseJsonIfValid(text);
  if (!isStoredTokens(decoded)) return undefined;
  // A time that is none is no reason to be locked out: the service says when the token is over.
  const { expiresAt, ...item } = decoded;
  return isInstant(expiresAt) ? { ...item, expiresAt } : item;
}

function isStoredTokens(decoded: unknown): decoded is StoredTokens {
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
