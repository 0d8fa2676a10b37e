// Machines whose keychain does not give what it holds: locked, with nobody at a screen or with somebody who does not
// answer; a service that has stopped; a bus that is silent, or not there. Each ends in its time, says what is wrong, and
// keeps nothing elsewhere. And the person who does answer is waited for.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startService } from '#test/support/service/rotating-service.ts';
import { keyboardOf } from './keyboard.ts';
import {
  bareEnvironment,
  lacking,
  makeHome,
  nowhereBelow,
  openSession,
  password,
  type Session,
  skip,
  startWm,
} from './keychain-session.ts';
import type { Ended } from './watch.ts';

const limits = { skip, timeout: 240_000 };
/** What the kernel keeps in memory for this user: where the library's silent fall-back would put a secret. */
const kernelKeys = () => readFile('/proc/keys', 'utf8').catch(() => '');

/** A home whose keyring holds a sign-in, and is locked now. */
async function lockedHome(t: TestContext): Promise<{ readonly home: string; readonly host: string }> {
  const service = await startService();
  t.after(() => service.close());
  const home = await makeHome(t);
  const session = await openSession(t, home, { unlocked: true });
  const login = ['login', '--with-token', '--host', service.host];
  const { status, errors } = await session.start(login, { input: 'canary-access-1' }).ended;
  assert.equal(status, 0, errors);
  await session.close();
  return { home, host: service.host };
}

const commands = (host: string): readonly (readonly string[])[] => [
  ['whoami'],
  ['auth', 'token'],
  ['auth', 'status'],
  ['logout', '--yes'],
  ['login', '--with-token', '--host', host],
  ['task', 'get', 'IEAAAAAQKQAB5BNG'],
];

function fails({ status, output, errors }: Ended, says: RegExp): void {
  assert.equal(status, 1, errors);
  assert.equal(output, '');
  assert.match(errors, says);
  assert.doesNotMatch(errors, /canary|bug in wm|^\s+at /m);
}

test(
  'locked, and no display: every command ends at once, and the sign-in is still there',
  limits,
  async (t) => {
    const { home, host } = await lockedHome(t);
    const session = await openSession(t, home, { unlocked: false });
    let longest = 0;
    for (const typed of commands(host)) {
      const ended = await session.start(typed, { input: 'canary-access-1' }).ended;
      fails(ended, /^wm: The keychain is locked\n {2}.*prompt needs a display\n {2}Unlock it and try again/m);
      longest = Math.max(longest, ended.milliseconds);
    }
    t.diagnostic(`the longest took ${Math.round(longest)} ms`);
    await nowhereBelow(home, ['canary']);
    await session.close();
    const next = await openSession(t, home, { unlocked: true });
    assert.equal((await next.wm('whoami')).status, 0);
  },
);

test('a service that stops halfway: ten seconds, and no process is left', limits, async (t) => {
  const { home, host } = await lockedHome(t);
  const session = await openSession(t, home, { unlocked: true });
  assert.equal((await session.wm('whoami')).status, 0);
  const keyring = await session.keyring();
  process.kill(keyring, 'SIGSTOP');
  try {
    const running = commands(host).map((typed) => session.start(typed, { input: 'canary-access-1' }).ended);
    for (const ended of await Promise.all(running)) {
      fails(ended, /^wm: The keychain did not respond in time\n {2}.*did not respond/m);
    }
  } finally {
    process.kill(keyring, 'SIGCONT');
  }
  assert.equal((await session.wm('whoami')).status, 0);
});

test('a bus that accepts the call and does not respond', limits, async (t) => {
  const home = await makeHome(t);
  const socket = join(home, 'silent');
  const silent = createServer(() => {});
  await new Promise<void>((listening) => silent.listen(socket, listening));
  t.after(() => silent.close());
  const environment = { ...bareEnvironment(home), DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
  const login = startWm(['login', '--with-token', '--host', '127.0.0.1:1'], environment, { input: 'canary' });
  const ended = await login.ended;
  fails(ended, /^wm: The keychain did not respond in time$/m);
});

test('no bus at all: a clear error at once, and nothing is stored', limits, async (t) => {
  const { home, host } = await lockedHome(t);
  const before = await kernelKeys();
  const longest: number[] = [];
  for (const more of [{}, { XDG_RUNTIME_DIR: '' }, { DBUS_SESSION_BUS_ADDRESS: `unix:path=${home}/gone` }]) {
    for (const typed of commands(host)) {
      const environment = { ...bareEnvironment(home), ...more };
      const ended = await startWm(typed, environment, { input: 'canary-access-1' }).ended;
      fails(
        ended,
        /^wm: No keychain is available\n.*\n {2}In CI, set WM_TOKEN and WM_HOST\..*wm login --store file/m,
      );
      longest.push(ended.milliseconds);
    }
  }
  t.diagnostic(`${longest.length} commands, the longest took ${Math.round(Math.max(...longest))} ms`);
  await nowhereBelow(home, ['canary']);
  assert.equal(await kernelKeys(), before);
  assert.deepEqual((await readdir(join(home, '.config', 'wm'))).toSorted(), [
    'locks',
    'profiles.json',
    'profiles.lock',
    'tokens',
  ]);
  // The sign-in before that has used the keychain.
  assert.deepEqual(await readdir(join(home, '.config', 'wm', 'tokens')), ['.keychain-default']);
});

// ------------------------------------------------------------------------------------------------- with a screen

const withScreen = { ...limits, skip: skip || lacking('Xvfb') };

async function screen(t: TestContext): Promise<string> {
  const xvfb = spawn('Xvfb', ['-displayfd', '3'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(xvfb, 'exit');
  t.after(async () => {
    xvfb.kill();
    await ended;
  });
  const pipe = xvfb.stdio[3];
  assert.ok(pipe);
  const [number] = await once(pipe, 'data');
  return `:${String(number).trim()}`;
}

test('locked, and the user answers the prompt: the command waits for them', withScreen, async (t) => {
  const { home } = await lockedHome(t);
  const display = await screen(t);
  const session = await openSession(t, home, { unlocked: false, display });
  const whoami = session.start(['whoami']);
  await promptIsShown(session);
  const shown = performance.now();
  const keyboard = await keyboardOf(display);
  // The window may not have the keys yet: a person types again.
  const typing = setInterval(() => void keyboard.press(password, 'Return'), 700);
  const ended = whoami.ended.finally(() => {
    clearInterval(typing);
    keyboard.close();
  });
  const { status, output, errors } = await ended;
  assert.equal(status, 0, errors);
  assert.match(output, /^Ada\t/);
  t.diagnostic(`answered ${Math.round(performance.now() - shown)} ms after the prompt's process was there`);
});

test('a command that waits for another one with a prompt says so', withScreen, async (t) => {
  const { home } = await lockedHome(t);
  const session = await openSession(t, home, { unlocked: false, display: await screen(t) });
  const logout = session.start(['logout', '--yes']);
  await promptIsShown(session);
  const locks = join(home, '.config', 'wm', 'locks');
  const notes = await Promise.all((await readdir(locks)).map((name) => readFile(join(locks, name), 'utf8')));
  const pid = notes.map((note) => /^(\d+) prompting\n$/.exec(note)?.[1]).find((found) => found !== undefined);
  assert.ok(pid !== undefined, JSON.stringify(notes));
  process.kill(Number(pid), 'SIGKILL');
  await logout.ended;
});

/** Whoever shows the prompt has started. */
async function promptIsShown({ home }: Session): Promise<void> {
  for (;;) {
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      if (!(await read('cmdline')).includes('gcr-prompter')) continue;
      if ((await read('environ')).includes(`HOME=${home}`)) return;
    }
  }
}

test('WM_TOKEN and a file need no keychain', limits, async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const home = await makeHome(t);
  const bare = bareEnvironment(home);
  const token = { WM_TOKEN: 'canary-access-1', WM_HOST: service.host };
  const ended = await startWm(['whoami'], { ...bare, ...token }).ended;
  assert.equal(ended.status, 0, ended.errors);
  // The user's name, for completion, is the only file.
  assert.equal(await nowhereBelow(home, ['canary']), 1);
  const login = startWm(
    ['login', '--with-token', '--host', service.host],
    { ...bare, WM_TOKEN_STORE: 'file' },
    {
      input: 'canary-access-1',
    },
  );
  const { status, errors } = await login.ended;
  assert.equal(status, 0, errors);
  assert.match(errors, /stored as plain text in .*tokens\/default\.json/);
});
