// A person's session on a machine of their own, as far as a keychain can tell: a home, a session bus, and a gnome-keyring
// on it that is unlocked, or locked, or not there; and real `wm` processes in it.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Ended, type Running, watch } from './watch.ts';

type Settings = Readonly<Record<string, string>>;

export interface Session {
  readonly home: string;
  readonly environment: Settings;
  start(
    typed: readonly string[],
    more?: { readonly input?: string; readonly environment?: Settings },
  ): Running;
  wm(...typed: string[]): Promise<Ended>;
  /** The items of the service `wm`, by their account, as the keychain's own library sees them. */
  items(): Promise<Readonly<Record<string, string>>>;
  put(account: string, secret: string): Promise<void>;
  /** The item of a profile: these homes are not the one that the system has for the user. */
  accountOf(profile: string): string;
  /** The process that holds the secrets. */
  keyring(): Promise<number>;
  close(): Promise<void>;
}

export const skip = lacking('dbus-run-session', 'gnome-keyring-daemon', 'dbus-send');

export function lacking(...programs: string[]): string | false {
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status !== 0,
  );
  return missing.length > 0 && `not installed here: ${missing.join(', ')}`;
}

export async function makeHome(test: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'wm-session-'));
  await mkdir(join(home, 'run'), { mode: 0o700 });
  test.after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
}

/** Nothing of this machine's own session gets in. */
export function bareEnvironment(home: string): Settings {
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), WM_DEBUG: '1' };
}

export const password = 'a';
const unlock = `eval "$(printf ${password} | gnome-keyring-daemon --unlock --components=secrets)"`;

export async function openSession(
  test: TestContext,
  home: string,
  { unlocked, display }: { readonly unlocked: boolean; readonly display?: string },
): Promise<Session> {
  const bare = { ...bareEnvironment(home), ...(display === undefined ? {} : { DISPLAY: display }) };
  const script = `${unlocked ? unlock : ':'} && echo "$DBUS_SESSION_BUS_ADDRESS" && cat`;
  const bus = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env: bare,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(bus, 'exit');
  const close = async () => {
    bus.stdin.end();
    await ended;
  };
  test.after(close);
  const [line] = await once(bus.stdout.setEncoding('utf8'), 'data');
  const environment = { ...bare, DBUS_SESSION_BUS_ADDRESS: String(line).trim() };
  const inLibrary = async (script: string, ...values: string[]): Promise<string> => {
    const keyring = createRequire(import.meta.url).resolve('@napi-rs/keyring');
    const text = `const { AsyncEntry, findCredentialsAsync } = require(${JSON.stringify(keyring)});
      const entry = (account) => new AsyncEntry('wm', account, { linux: { store: 'secret-service' } });
      const [a, b] = process.argv.slice(1);
      (async () => { ${script} })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', text, ...values], {
      env: environment,
    });
    return stdout;
  };
  const session: Session = {
    home,
    environment,
    close,
    start: (typed, more) => startWm(typed, environment, more),
    wm: (...typed) => session.start(typed).ended,
    async items() {
      const text = await inLibrary('process.stdout.write(JSON.stringify(await findCredentialsAsync("wm")))');
      const found: { account: string; password: string }[] = JSON.parse(text);
      return Object.fromEntries(found.map(({ account, password }) => [account, password]));
    },
    accountOf: (profile) =>
      `${profile}@${createHash('sha256')
        .update(join(home, '.config', 'wm'))
        .digest('hex')
        .slice(0, 12)}`,
    async put(account, secret) {
      await inLibrary('await entry(a).setPassword(b)', account, secret);
    },
    async keyring() {
      const bus = 'org.freedesktop.DBus';
      const question = ['--print-reply=literal', `--dest=${bus}`, '/', `${bus}.GetConnectionUnixProcessID`];
      const { stdout } = await promisify(execFile)(
        'dbus-send',
        [...question, 'string:org.freedesktop.secrets'],
        {
          env: environment,
        },
      );
      return Number(/\d+$/.exec(stdout.trim())?.[0]);
    },
  };
  return session;
}

export function startWm(
  typed: readonly string[],
  environment: Settings,
  more: { readonly input?: string; readonly environment?: Settings } = {},
): Running {
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...typed], {
    env: { ...environment, ...more.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {}).end(more.input);
  return watch(child);
}

/** No file below the home holds one of these, but for the keyring's own. */
export async function nowhereBelow(home: string, secrets: readonly string[]): Promise<number> {
  let looked = 0;
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.startsWith(join(home, '.local/share/keyrings'))) continue;
    const content = await readFile(path, 'latin1');
    looked++;
    for (const secret of secrets)
      assert.ok(!content.includes(secret), `${path} holds ${secret.slice(0, 12)}...`);
  }
  return looked;
}
