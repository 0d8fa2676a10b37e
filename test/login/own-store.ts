// A store of tokens that holds one sign-in, for tests of a refresh alone, and the lock under which it is refreshed.

import type { StoredTokens, TokenStore } from '#login/token-store.ts';

/** `written`: each sign-in that is stored. */
export function ownStore(read: () => StoredTokens, written: (tokens: StoredTokens) => void): TokenStore {
  const write = async (_profile: string, tokens: StoredTokens) => written(tokens);
  return {
    kind: 'file',
    name: 'the test',
    read: async () => read(),
    write,
    remove: async () => false,
    pending: { read: async () => undefined, write: async () => {}, remove: async () => false },
    announce: async () => {},
    findTrace: async () => undefined,
    assertWritable: async () => {},
    settle: async () => {},
    reserve: async (profile) => ({ write: (next) => write(profile, next), release: async () => {} }),
    findInterruptedWrite: async () => undefined,
  };
}

/** The lock is a file that nobody deletes here. */
export const sameLock = { id: 'lock', isInPlace: async () => true };
