// The hidden commands with which the program runs itself, for work that needs a process of its own.

export const internalCommands = {
  /** One keychain request that may show a prompt: world/keychain-process.ts. */
  keychainProcess: '__keychain-process',
  /** The rest of the command line as on a terminal of a given width: world/simulated-terminal.ts. */
  simulatedTerminal: '__simulated-terminal',
  /** One refresh of tokens: login/refresh-process.ts. */
  refreshProcess: '__refresh-process',
  /** What the unfinished word of a command line may become, for a shell: app/complete/complete.ts. */
  complete: '__complete',
} as const;
