// The hidden words by which the program runs itself for a part that must be a process of its own.

export const internalCommands = {
  /** Asks the keychain what may prompt: world/keychain-process.ts. */
  keychainProcess: '__keychain-process',
  /** Runs what follows as on a terminal of so many columns: world/simulated-terminal.ts. */
  simulatedTerminal: '__simulated-terminal',
  /** Renews a sign-in: login/refresh-process.ts. */
  refreshProcess: '__refresh-process',
} as const;
