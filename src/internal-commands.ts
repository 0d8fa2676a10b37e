// The hidden words by which the program runs itself for a part that must be a process of its own.

export const internalCommands = {
  /** Asks the keychain what may prompt: world/keychain-child.ts. */
  keychainHelper: '__keychain-helper',
  /** Runs what follows as on a terminal of so many columns: world/shown.ts. */
  simulatedTerminal: '__simulated-terminal',
  /** Renews a sign-in: login/refresh-helper.ts. */
  refreshHelper: '__refresh-helper',
} as const;
