// The text that a store holds for a profile's tokens: one line of JSON. Damaged text never counts as tokens.

import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { hasMembers } from '#contract/schema.ts';
import { commandHint, Failure } from '#failure.ts';
import { signInCommand } from './profile.ts';
import { type StoredTokens, storedTokens } from './token-store.ts';

/** `location` is for the message. @throws {Failure} `token_store` for any other text. */
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
