// Signs in to an emulator with the real keychain of this system, reads the token back, and removes it. Only by name, for
// scripts/ci-platform.mjs: elsewhere it would use the keychain of the person who runs the tests.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startEmulator } from '#library/start-emulator.ts';

const skip =
  process.platform === 'linux' &&
  !process.env['DBUS_SESSION_BUS_ADDRESS'] &&
  'no session bus (npm run test:system brings its own)';

test('the keychain of this system stores a token', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-platform-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  if (process.platform === 'darwin' && process.env['CI']) useOwnKeychain(t, join(folder, 'ci.keychain-db'));
  const emulator = await startEmulator();
  t.after(() => emulator.stop());
  const env = { ...process.env, WM_CONFIG_DIR: folder, WM_AUTH_URL: emulator.authUrl };
  const run = async (words: readonly string[], input = '') => {
    const running = promisify(execFile)(process.execPath, [resolve('bin/wm.js'), ...words], { env });
    running.child.stdin?.end(input);
    return (await running).stdout.trim();
  };
  await run(['login', '--with-token', '--host', emulator.host, '--store', 'keychain'], emulator.token);
  assert.equal(await run(['auth', 'token']), emulator.token);
  await run(['logout', '--yes']);
  assert.equal(await run(['auth', 'list', '--json']), '[]');
});

/** In CI there may be no unlocked keychain. */
function useOwnKeychain(t: TestContext, path: string): void {
  const security = (...words: string[]) => execFileSync('security', words);
  const { stdout } = spawnSync('security', ['default-keychain'], { encoding: 'utf8' });
  const before = stdout.trim().replaceAll('"', '');
  security('create-keychain', '-p', '', path);
  t.after(() => {
    if (before) security('default-keychain', '-s', before);
    security('delete-keychain', path);
  });
  security('default-keychain', '-s', path);
  security('unlock-keychain', '-p', '', path);
}
