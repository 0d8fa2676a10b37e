// What `wm doctor` says of a keychain that works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryKeychain } from '../../memory-keychain.ts';
import { emulated } from '../emulated.ts';

test('a keychain that takes a probe works, and is left as it was', async (t) => {
  const { wm, emulator } = await emulated(t, {}, { signedOut: true });
  const keychain = createMemoryKeychain();
  const setting = { world: { keychain }, environment: { WM_TOKEN_STORE: 'keychain' } };
  const login = await wm(['login', '--with-token', '--quiet'], { ...setting, input: emulator.token });
  assert.equal(login.status, 0, login.errors);
  const before = new Map(keychain.items);
  const { status, output } = await wm(['doctor'], setting);
  const rows = output.split('\n').map((line) => line.split('\t'));
  assert.deepEqual(rows[1], ['token store', 'good', 'the keychain: works', '']);
  assert.deepEqual(rows[2], ['token', 'good', 'permanent; signed in 0 days ago', '']);
  assert.deepEqual([...keychain.items], [...before]);
  assert.equal(status, 0);
});
