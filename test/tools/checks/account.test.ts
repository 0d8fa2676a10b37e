// What `wm doctor` says of a keychain that works, of the settings before a sign-in, and of a read-only profile.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

test('a keychain that stores a probe is ok, and is left as it was', async (t) => {
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

test('tries a keychain that loses items five times, since another wm may have removed a probe', async (t) => {
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

test('before sign-in, reports where tokens would be stored and which server would ask', async (t) => {
  const environment = { WM_CONFIG_DIR: await ownFolder(t) };
  for (const setting of [
    ['token-store', 'file'],
    ['auth-url', 'https://login.example.com'],
    ['timeout', '5', '--profile', 'work'],
  ])
    assert.equal((await run(['config', 'set', ...setting], { environment })).status, 0);
  const inspectConnection = async () => ({
    isProxied: false,
    addresses: ['192.0.2.1'],
    certificate: { names: [], issuer: '', subject: '', validFrom: 0, validTo: 0, distrust: 'CERT_UNTRUSTED' },
  });
  const { output } = await run(['doctor'], { environment, world: { inspectConnection } });
  assert.match(output, /^settings\tgood\t\S+ \(2 settings, 1 for the profile work\)\t$/m);
  assert.match(output, /^token store\tnotice\t.*: works, and stores tokens as plain text\t$/m);
  assert.match(output, /^DNS\tgood\tlogin\.example\.com is at 192\.0\.2\.1\t$/m);
  assert.match(
    output,
    /^TLS\tbad\tlogin\.example\.com: the server has a certificate of an unknown authority\t/m,
  );
  await writeFile(join(environment.WM_CONFIG_DIR, 'profiles.json'), 'no JSON', { mode: 0o600 });
  const unreadable = await run(['doctor'], { environment, world: { inspectConnection } });
  assert.match(unreadable.output, /^settings\tbad\tCannot read \S+profiles\.json: /m);
  assert.doesNotMatch(unreadable.output, /^read-only/m);
});
