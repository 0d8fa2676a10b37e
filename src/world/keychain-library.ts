// Calls the operating system's keychain through its library, and sorts its errors. On Linux always uses the secret service: the
// library's fallback, a kernel keyring, forgets. May wait for a prompt without end, which keychain.ts handles.

import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import { errorMessage } from '#failure.ts';
import type { KeychainFault } from './world.ts';

export interface KeychainRequest {
  readonly action: 'read' | 'write' | 'remove';
  readonly service: string;
  readonly account: string;
  readonly secret?: string | undefined;
}

export interface KeychainResult {
  /** The secret that was read; absent if the item does not exist. */
  readonly secret?: string | undefined;
  readonly removed?: boolean;
}

export function runKeychainRequest(request: KeychainRequest): Promise<KeychainResult | KeychainFault> {
  return withRetries(async (isAfterTimeout) => {
    const entry = new AsyncEntry(request.service, request.account, { linux: { store: 'secret-service' } });
    if (request.action === 'read') return { secret: (await entry.getPassword()) ?? undefined };
    if (request.action === 'remove') return { removed: (await entry.deleteCredential()) || isAfterTimeout };
    await entry.setPassword(request.secret ?? '');
    return {};
  });
}

/** Returns all items of a service, or the fault `locked`. On Linux this never prompts. */
export function findSecrets(service: string): Promise<ReadonlyMap<string, string> | KeychainFault> {
  return withRetries(async () => {
    const credentials = await findCredentialsAsync(service);
    return new Map(credentials.map(({ account, password }) => [account, password]));
  });
}

const maxAttempts = 20;
/** The library waits 2 s for each call. A busy computer, or a slow disk, takes longer. */
const maxTimeouts = 4;
/** The library lists items and then reads each. Another process may remove one in between. */
const itemVanished =
  /no such (?:interface|object|item)|object does not exist|Unknown(?:Method|Object)|NoSuchObject/i;
const lostItem =
  'the keyring lists an item that it does not have. If two keyring daemons share its file (pgrep -a keyring), end one; otherwise log out of the desktop and in again';

/** `isAfterTimeout`: an earlier attempt had no response, but may have taken effect. */
async function withRetries<T>(work: (isAfterTimeout: boolean) => Promise<T>): Promise<T | KeychainFault> {
  let timeouts = 0;
  for (let attempt = 1; ; attempt++)
    try {
      return await work(timeouts > 0);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.fault === 'timeout') timeouts++;
      else if (fault.detail !== lostItem) return fault;
      if (attempt === maxAttempts || timeouts === maxTimeouts) return fault;
    }
}

// The library has one code for every error, so match its text. Each pattern was observed, or is the system's own message.
const faultPatterns: readonly [RegExp, KeychainFault['fault'], string][] = [
  [/prompt was dismissed/i, 'locked', 'the keychain is locked, and the prompt to unlock it was dismissed'],
  [/IsLocked|locked object/i, 'locked', 'the keychain is locked'],
  [/canceled|interaction is not allowed|passphrase you entered/i, 'locked', ''],
  [/too long|longer than|exceeds/i, 'too-large', ''],
  [/NoReply|timed out|did not receive a reply/i, 'timeout', 'the keychain did not respond in time'],
  [itemVanished, 'failed', lostItem],
  [/no result found/i, 'missing', 'the secret service has no default keyring'],
  // Windows over ssh, or as a service: there is a store only while a user is signed in at the computer.
  [/NO_SUCH_LOGON_SESSION|logon session does not exist/i, 'missing', 'this session of Windows has no store'],
  // macOS as a service, or for a user who has never signed in at its screen.
  [/no keychain is available|default keychain could not be found|no default keychain/i, 'missing', ''],
  [/zbus error|DBus error/i, 'missing', ''],
];

export function faultOf(error: unknown): KeychainFault {
  const message = errorMessage(error);
  for (const [pattern, fault, detail] of faultPatterns)
    if (pattern.test(message)) return { fault, detail: detail || message };
  return { fault: 'failed', detail: message };
}
