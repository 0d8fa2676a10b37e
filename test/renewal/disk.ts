// The program's files on a disk in memory, and a power that can be cut at any step: after it nothing more happens, and what
// was not synced is either gone or there, as the one who restarts chooses. And beside it the keychain of Windows, whose
// items are small, and a service whose refresh tokens are good for one use.

import { openTokenStore } from '#login/open-token-store.ts';
import type { StoredTokens, TokenStore } from '#login/token-store.ts';
import { createMemoryDisk } from '#test/support/disk/memory-disk.ts';
import { createFiles } from '#world/files.ts';
import type { Files, Http, HttpResponse, Keychain } from '#world/world.ts';

/** The steps of one run: each may be the last. */
export interface Power {
  /** How many steps there were. */
  readonly steps: string[];
  /** Resolves when the power fails. */
  readonly failed: Promise<'power failed'>;
  step(name: string): Promise<void>;
}

/** Fails at the step with this number; `undefined` never. */
export function powerUntil(last: number | undefined): Power {
  const steps: string[] = [];
  let fail: (what: 'power failed') => void = () => {};
  const failed = new Promise<'power failed'>((resolve) => {
    fail = resolve;
  });
  return {
    steps,
    failed,
    step(name) {
      if (last !== undefined && steps.length >= last) {
        fail('power failed');
        return new Promise(() => {});
      }
      steps.push(name);
      return Promise.resolve();
    },
  };
}

export interface Disk {
  filesWith(power: Power): Files;
  /** After a power cut: what was not synced is `kept` or `dropped`. */
  restart(unsynced: 'kept' | 'dropped'): void;
  /** The paths of all files, with what they hold. */
  files(): ReadonlyMap<string, string>;
}

/** The program's own files, on a disk in memory whose every change is a step. */
export function makeDisk(): Disk {
  const disk = createMemoryDisk();
  const environment = { WM_CONFIG_DIR: '/config' };
  return {
    restart: (unsynced) => disk.restart(unsynced),
    files: () => disk.files(),
    filesWith(power) {
      const system = disk.systemWith((name) => power.step(withoutRandom(name)));
      // As in the usual folder: the items of the keychain have plain names.
      return { ...createFiles(environment, 'linux', '/', () => '/home', system), isAccountHome: true };
    },
  };
}

/** A file on its way has a name of its own each time. */
function withoutRandom(step: string): string {
  return step.replace(/\.[0-9a-f]{8}-[0-9a-f-]{27}$/, '.random');
}

/** An item holds 2,560 bytes of UTF-16, and is written whole or not at all. */
export function smallKeychain(items: Map<string, string>, power: Power): Keychain {
  return {
    async read(_, account) {
      await power.step(`read ${account}`);
      return { secret: items.get(account) };
    },
    async write(_, account, secret) {
      if (secret.length * 2 > 2560) return { fault: 'too-large', detail: `${secret.length} characters` };
      await power.step(`write ${account}`);
      items.set(account, secret);
      await power.step(`written ${account}`);
      return { written: true };
    },
    async remove(_, account) {
      await power.step(`remove ${account}`);
      return { removed: items.delete(account) };
    },
  };
}

export interface OneUse {
  /** The refresh tokens that were used up. */
  readonly used: string[];
  good(item: StoredTokens): boolean;
  httpWith(power: Power): Http;
}

/** `length`: of each token, in characters. */
export function oneUseService(length = 20): OneUse {
  const used: string[] = [];
  const nameOf = (kind: string) => `${kind}-${used.length}-`.padEnd(length, 'x');
  return {
    used,
    // The first one has run out.
    good: ({ accessToken }) => used.length > 0 && accessToken === nameOf('access'),
    httpWith: (power) => ({
      async send({ body }) {
        await power.step('send');
        const sent = new URLSearchParams(String(body)).get('refresh_token') ?? '';
        if (sent !== nameOf('refresh')) return answer(400, { error: 'invalid_grant' });
        used.push(sent);
        const granted = {
          access_token: nameOf('access'),
          refresh_token: nameOf('refresh'),
          expires_in: 3600,
        };
        await power.step('rotated');
        return answer(200, granted);
      },
    }),
  };
}

function answer(status: number, body: object): HttpResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, body: bytes };
}

export const firstItem = (length = 20): StoredTokens => ({
  generation: 1,
  accessToken: 'access-0-'.padEnd(length, 'x'),
  refreshToken: 'refresh-0-'.padEnd(length, 'x'),
  expiresAt: 1,
  host: '127.0.0.1:1',
  clientId: 'app é😀',
  clientSecret: 'secret',
});

export type MakeStore = (power: Power) => TokenStore;

export const fileStoreOn =
  (disk: Disk): MakeStore =>
  (power) =>
    openTokenStore({ files: disk.filesWith(power), keychain: smallKeychain(new Map(), power) }, 'file');

export const smallStoreOn =
  (disk: Disk, items: Map<string, string>): MakeStore =>
  (power) =>
    openTokenStore({ files: disk.filesWith(power), keychain: smallKeychain(items, power) }, 'keychain');
