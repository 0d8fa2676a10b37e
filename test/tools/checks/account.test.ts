// What `wm doctor` says of a keychain that works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/app/emulated.ts';
import { createMemoryKeychain } from '#test/memory-keychain.ts';

test('a keychain that takes a probe works, and is left as it was', async (t) => {
  const { wm, emulator } = await emulated(t, {}, { signedOut: true });
  const keychain = createMemoryKeychain();
  const setting = { world: { keychain }, environment: { WM_TOKEN_STORE: 'keychain' } };
  const login = await wm(['login', '--with-token', '--quiet'], { ...setting, input: emulator.token });
  assert.equal(login.status, 0, login.errors);
  const before = new Map(keychain.items);
  const { status, output } = await wm(['doctor'], setting);
  const rows = output.split('\n').map((line) => line.split('\t'));
  const row = (check: string) => rows.find(([name]) => name === check);
  assert.deepEqual(row('token store'), ['token store', 'good', 'the keychain (Secret Service): works', '']);
  assert.deepEqual(row('token'), ['token', 'good', 'permanent; signed in 0 days ago', '']);
  assert.deepEqual([...keychain.items], [...before]);
  assert.equal(status, 0);
});

test('a keychain that loses what it stores is tried five times, since another wm may have removed a probe', async (t) => {
  const { wm, emulator } = await emulated(t, {}, { signedOut: true });
  const memory = createMemoryKeychain();
  let missing = 0;
  let losses = 0;
  const keychain: typeof memory = {
    ...memory,
    async read(service, account) {
      if (account.includes('.probe') && missing < losses) {
        missing++;
        return { secret: undefined };
      }
      return memory.read(service, account);
    },
  };
  const setting = { world: { keychain }, environment: { WM_TOKEN_STORE: 'keychain' } };
  const login = await wm(['login', '--with-token', '--quiet'], { ...setting, input: emulator.token });
  assert.equal(login.status, 0, login.errors);
  const storeIn = async (times: number) => {
    missing = 0;
    losses = times;
    const { output } = await wm(['doctor'], setting);
    return output.split('\n').find((line) => line.startsWith('token store\t'));
  };
  assert.equal(await storeIn(4), 'token store\tgood\tthe keychain (Secret Service): works\t');
  assert.match((await storeIn(Number.POSITIVE_INFINITY)) ?? '', /does not store what is written to it/);
  assert.equal(missing, 5);
});
