// Secrets in the operating system's keychain. Looks first whether anything is there that could answer, and whether it
// is locked; whatever may prompt runs in a child process, since only a process can be ended while it waits for a
// prompt. Leaves to the caller what to do without a keychain, and how to split a secret that is too large.

import type { Writable } from 'node:stream';
import { inner } from '../inner.ts';
import { hasDisplay } from './display.ts';
import type { KeychainDone, KeychainRequest } from './keychain-library.ts';
import type { Environment, Keychain, KeychainFault } from './world.ts';

export interface KeychainOptions {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** How to run this program again, which then must call `keychainChild`. */
  readonly self: readonly [string, ...string[]];
  /** How long a prompt is waited for. */
  readonly promptMs?: number;
}

/** The hidden word by which this program, run again, is to serve one request. */
export const childWord = inner.keychain;

// Windows: CRED_MAX_CREDENTIAL_BLOB_SIZE, in bytes of UTF-16.
const windowsMostBytes = 2560;
// A service that is not prompting answers in milliseconds.
const unpromptedMs = 10_000;

export function createKeychain(options: KeychainOptions): Keychain {
  return {
    async read(service, account) {
      const done = await ask({ action: 'read', service, account }, options);
      return 'fault' in done ? done : { secret: done.secret };
    },
    async write(service, account, secret) {
      if (options.platform === 'win32' && secret.length * 2 > windowsMostBytes) {
        return { fault: 'too-large', detail: `an item holds at most ${windowsMostBytes} bytes of UTF-16` };
      }
      const done = await ask({ action: 'write', service, account, secret }, options);
      return 'fault' in done ? done : { written: true };
    },
    async remove(service, account) {
      const done = await ask({ action: 'remove', service, account }, options);
      return 'fault' in done ? done : { removed: done.removed === true };
    },
  };
}

type Done = KeychainDone | KeychainFault;

async function ask(request: KeychainRequest, options: KeychainOptions): Promise<Done> {
  const { environment, platform } = options;
  // Nothing tells beforehand whether macOS will prompt; the Windows store never does.
  if (platform === 'darwin') return askChild(request, options);
  if (platform === 'win32') return withLibrary(({ act }) => act(request));
  const missing = await findBus(environment);
  if (missing) return missing;
  const { answers } = await import('./keychain-bus.ts');
  if (!(await answers(environment, unpromptedMs))) return silent;

  const found = await withLibrary(({ find }) => find(request.service));
  if ('fault' in found) {
    if (found.fault !== 'locked') return found;
    return hasDisplay(environment, platform)
      ? askChild(request, options)
      : {
          fault: 'locked',
          detail: 'the keychain is locked, and there is no display to ask for its password on',
        };
  }
  const secret = found.get(request.account);
  if (request.action === 'read' && secret !== undefined) return { secret };
  // An empty answer says nothing about the lock, and to write into a locked keychain prompts.
  if (request.action === 'write' && found.size === 0) return askChild(request, options);
  return withLibrary(({ act }) => act(request));
}

const silent: KeychainFault = {
  fault: 'timeout',
  detail: `the keychain did not answer within ${unpromptedMs} ms`,
};

type Library = typeof import('./keychain-library.ts');

/** Runs in this process: only for what cannot prompt. */
async function withLibrary<T>(use: (library: Library) => Promise<T>): Promise<T | KeychainFault> {
  let library: Library;
  try {
    library = await import('./keychain-library.ts');
  } catch (error) {
    return { fault: 'missing', detail: `no keychain library for this system: ${messageOf(error)}` };
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<KeychainFault>((resolve) => {
    timer = setTimeout(() => resolve(silent), unpromptedMs);
  });
  try {
    return await Promise.race([use(library), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without a session bus no secret service can be reached; the library would take long, or look elsewhere. */
async function findBus(environment: Environment): Promise<KeychainFault | undefined> {
  if (environment['DBUS_SESSION_BUS_ADDRESS']) return undefined;
  const folder = environment['XDG_RUNTIME_DIR'];
  const { existsSync } = await import('node:fs');
  if (folder && existsSync(`${folder}/bus`)) return undefined;
  return {
    fault: 'missing',
    detail: 'no session bus (DBUS_SESSION_BUS_ADDRESS is not set), so no secret service can be reached',
  };
}

async function askChild(request: KeychainRequest, options: KeychainOptions): Promise<Done> {
  const { self, environment, platform } = options;
  const promptMs = options.promptMs ?? 120_000;
  const limit = hasDisplay(environment, platform) ? promptMs : Math.min(promptMs, unpromptedMs);
  const { spawn } = await import('node:child_process');
  const [file, ...rest] = self;
  return new Promise((resolve) => {
    const child = spawn(file, [...rest, childWord], {
      env: environment,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    let answer = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limit);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ fault: 'failed', detail: `could not run this program again: ${error.message}` });
    });
    child.on('close', () => {
      clearTimeout(timer);
      if (late)
        resolve({ fault: 'timeout', detail: `nobody answered the keychain's prompt within ${limit} ms` });
      else resolve(readAnswer(answer));
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    send(child.stdin, request);
  });
}

/** Left open afterwards: its end tells the child that this process is gone. */
function send(input: Writable, request: KeychainRequest): void {
  input.on('error', () => {});
  input.write(`${JSON.stringify(request)}\n`);
}

function readAnswer(text: string): Done {
  const bad: KeychainFault = { fault: 'failed', detail: 'the keychain helper ended without an answer' };
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return bad;
  }
  if (typeof answer !== 'object' || answer === null) return bad;
  if ('fault' in answer) {
    const fault = faults.find((name) => name === answer.fault);
    return fault && 'detail' in answer && typeof answer.detail === 'string'
      ? { fault, detail: answer.detail }
      : bad;
  }
  return {
    secret: 'secret' in answer && typeof answer.secret === 'string' ? answer.secret : undefined,
    removed: 'removed' in answer && answer.removed === true,
  };
}

const faults = ['missing', 'locked', 'timeout', 'too-large', 'failed'] as const;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
