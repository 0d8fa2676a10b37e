// A keychain in memory that always works, with its items in sight; and one that this machine does not have.

import type { Keychain } from '#world/world.ts';

export interface MemoryKeychain extends Keychain {
  /** The secrets by their accounts. */
  readonly items: ReadonlyMap<string, string>;
}

export function createMemoryKeychain(): MemoryKeychain {
  const items = new Map<string, string>();
  return {
    items,
    read: async (_, account) => ({ secret: items.get(account) }),
    async write(_, account, secret) {
      items.set(account, secret);
      return { written: true };
    },
    remove: async (_, account) => ({ removed: items.delete(account) }),
  };
}

const fault = { fault: 'missing', detail: 'no session bus' } as const;

export const missingKeychain: Keychain = {
  read: async () => fault,
  write: async () => fault,
  remove: async () => fault,
};
