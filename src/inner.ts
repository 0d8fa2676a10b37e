// The hidden words by which the program runs itself for a part that must be a process of its own.

export const inner = {
  /** Asks the keychain what may prompt: world/keychain-child.ts. */
  keychain: '__keychain',
  /** Runs what follows as on a terminal of so many columns: world/shown.ts. */
  shown: '__shown',
  /** Renews a sign-in: login/renewal-process.ts. */
  renewal: '__renewal',
} as const;
