// Secrets in the operating system's keychain. Checks whether there is one, and whether it is locked. A request that may prompt runs
// in a child process, because only a process can be killed while it waits. The caller decides what to do without a keychain.

import { errorMessage } from '#failure.ts';
import { internalCommands } from '#internal-commands.ts';
import { withinLimit } from '#within-limit.ts';
import { hasDisplay } from './display.ts';
import type { KeychainRequest, KeychainResult } from './keychain-library.ts';
import type { Clock, Environment, Keychain, KeychainFault } from './world.ts';

export interface KeychainOptions {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** How to run this program again, for `runKeychainProcess`. */
  readonly self: readonly [string, ...string[]];
  /** How long to wait for a prompt, in milliseconds. */
  readonly promptMs?: number;
  /** Called when a prompt appears, or may appear, and when it has ended. */
  readonly onPrompt?: (isShown: boolean) => void;
  readonly clock: Pick<Clock, 'limit' | 'after'>;
}

// Windows: CRED_MAX_CREDENTIAL_BLOB_SIZE, in bytes of UTF-16.
const windowsMaxBytes = 2560;
// A service that does not prompt responds within milliseconds.
const unpromptedMs = 10_000;
/** After a request without a response: a command that tries several must not wait so long for each. */
const hangingMs = 1000;
/** macOS does not report a prompt, but nothing else takes this long. */
const assumePromptAfterMs = 1000;

export function createKeychain(options: KeychainOptions): Keychain {
  let lastRequest: Promise<unknown> = Promise.resolve();
  let limitMs = unpromptedMs;
  /** Sends one request at a time: two prompts at once are confusing, and the library uses one bus at a time. */
  const enqueue = (request: KeychainRequest): Promise<KeychainOutcome> => {
    const outcome = lastRequest.then(() => runRequest(request, { ...options, unpromptedMs: limitMs }));
    const noteTimeout = (result: KeychainOutcome) => {
      limitMs = 'fault' in result && result.fault === 'timeout' ? hangingMs : unpromptedMs;
    };
    lastRequest = outcome.then(noteTimeout).catch(() => {});
    return outcome;
  };
  return {
    async read(service, account) {
      const outcome = await enqueue({ action: 'read', service, account });
      return 'fault' in outcome ? outcome : { secret: outcome.secret };
    },
    async write(service, account, secret) {
      if (options.platform === 'win32' && secret.length * 2 > windowsMaxBytes)
        return { fault: 'too-large', detail: `an item holds at most ${windowsMaxBytes} bytes of UTF-16` };
      const outcome = await enqueue({ action: 'write', service, account, secret });
      return 'fault' in outcome ? outcome : { written: true };
    },
    async remove(service, account) {
      const outcome = await enqueue({ action: 'remove', service, account });
      return 'fault' in outcome ? outcome : { removed: outcome.removed === true };
    },
  };
}

type KeychainOutcome = KeychainResult | KeychainFault;
/** `unpromptedMs`: how long to wait where no prompt can appear. */
type RequestOptions = KeychainOptions & { readonly unpromptedMs: number };

async function runRequest(request: KeychainRequest, options: RequestOptions): Promise<KeychainOutcome> {
  const { environment, platform } = options;
  const canPrompt = hasDisplay(environment, platform);
  // macOS may prompt without telling us. Windows never prompts.
  if (platform === 'darwin') return runInProcess(request, options, canPrompt);
  if (platform === 'win32')
    return withLibrary(({ runKeychainRequest }) => runKeychainRequest(request), options);
  const noBus = await busFault(environment);
  if (noBus) return noBus;
  const secrets = await findOnBus(request.service, options);
  if ('fault' in secrets) {
    if (secrets.fault !== 'locked') return secrets;
    if (canPrompt) return runInProcess(request, options, canPrompt);
    return { fault: 'locked', detail: 'the keychain is locked, and a password prompt needs a display' };
  }
  const secret = secrets.get(request.account);
  if (request.action === 'read' && secret !== undefined) return { secret };
  // An empty result may mean a locked keychain, and writing to that prompts.
  if (request.action === 'write' && secrets.size === 0) return runInProcess(request, options, canPrompt);
  // Unlike the search, these calls of the library end by themselves.
  return withLibrary(({ runKeychainRequest }) => runKeychainRequest(request), options);
}

/** Runs in this process, because every command does it: a child would take as long as the rest of a short command. */
async function findOnBus(
  service: string,
  options: RequestOptions,
): Promise<ReadonlyMap<string, string> | KeychainFault> {
  const { openBusRelay } = await import('./session-bus-relay.ts');
  const relay = await openBusRelay(options.environment);
  try {
    const secrets = await withLibrary(({ findSecrets }) => findSecrets(service), options);
    const reason = relay?.unreachable();
    return reason === undefined
      ? secrets
      : { fault: 'missing', detail: `the session bus cannot be reached: ${reason}` };
  } finally {
    relay?.hangUp();
  }
}

const noResponse = (limitMs: number): KeychainFault => ({
  fault: 'timeout',
  detail: `the keychain did not respond within ${limitMs} ms`,
});

type Library = typeof import('./keychain-library.ts');

/** Runs in a thread of this process that cannot be ended. Only for requests that cannot prompt. */
async function withLibrary<T>(
  use: (library: Library) => Promise<T>,
  { clock, unpromptedMs }: Pick<RequestOptions, 'clock' | 'unpromptedMs'>,
): Promise<T | KeychainFault> {
  let library: Library;
  try {
    library = await import('./keychain-library.ts');
  } catch (error) {
    return { fault: 'missing', detail: `no keychain library for this system: ${errorMessage(error)}` };
  }
  return withinLimit(clock, unpromptedMs, use(library), () => noResponse(unpromptedMs));
}

/** The secret service needs a session bus. Without one, the library would take long, or look elsewhere. */
async function busFault(environment: Environment): Promise<KeychainFault | undefined> {
  if (environment['DBUS_SESSION_BUS_ADDRESS']) return undefined;
  const folder = environment['XDG_RUNTIME_DIR'];
  const { existsSync } = await import('node:fs');
  if (folder && existsSync(`${folder}/bus`)) return undefined;
  return {
    fault: 'missing',
    detail: 'no session bus (DBUS_SESSION_BUS_ADDRESS is not set), so no secret service can be reached',
  };
}

async function runInProcess(
  request: KeychainRequest,
  options: RequestOptions,
  mayPrompt: boolean,
): Promise<KeychainOutcome> {
  const { self, environment, platform, promptMs = 120_000, unpromptedMs, clock, onPrompt } = options;
  const limitMs = mayPrompt ? promptMs : Math.min(promptMs, unpromptedMs);
  const timeoutFault: KeychainFault = mayPrompt
    ? { fault: 'timeout', detail: `no response to the keychain's prompt within ${limitMs} ms` }
    : noResponse(limitMs);
  const { spawn } = await import('node:child_process');
  const [file, ...args] = self;
  return new Promise((resolve) => {
    const child = spawn(file, [...args, internalCommands.keychainProcess], {
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    let output = '';
    let isLate = false;
    let isPrompting = false;
    const onPromptShown = () => {
      isPrompting = true;
      onPrompt?.(true);
    };
    const limit = clock.limit(limitMs, () => {
      isLate = true;
      child.kill('SIGKILL');
    });
    let cancelPrompt = () => {};
    if (mayPrompt && platform === 'darwin') cancelPrompt = clock.after(assumePromptAfterMs, onPromptShown);
    else if (mayPrompt) onPromptShown();
    const end = (outcome: KeychainOutcome) => {
      limit.cancel();
      cancelPrompt();
      if (isPrompting) onPrompt?.(false);
      isPrompting = false;
      const isDeclined = mayPrompt && 'fault' in outcome && /^(?:locked|timeout)$/.test(outcome.fault);
      resolve(isDeclined ? { ...outcome, isDeclined } : outcome);
    };
    child.on('error', (error) =>
      end({ fault: 'failed', detail: `could not run this program again: ${error.message}` }),
    );
    child.on('close', () => end(isLate ? timeoutFault : parseResponse(output)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // Leave the pipe open: when it closes, the child knows that this process has ended.
    child.stdin.on('error', () => {}).write(`${JSON.stringify(request)}\n`);
  });
}

function parseResponse(text: string): KeychainOutcome {
  const invalid: KeychainFault = { fault: 'failed', detail: 'the keychain process ended without a response' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return invalid;
  }
  if (typeof parsed !== 'object' || parsed === null) return invalid;
  const { fault, detail, secret, removed } = Object(parsed);
  const knownFault = faults.find((name) => name === fault);
  if (knownFault && typeof detail === 'string') return { fault: knownFault, detail };
  if (fault !== undefined) return invalid;
  return { secret: typeof secret === 'string' ? secret : undefined, removed: removed === true };
}

const faults = ['missing', 'locked', 'timeout', 'too-large', 'failed'] as const;
