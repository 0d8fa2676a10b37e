// Where the secret of a webhook is stored, and what happens if the keychain or the disk fails.

import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { createFiles } from '#world/files.ts';
import type { Files, Keychain, KeychainFault } from '#world/world.ts';

const id = 'IEAAAAAQWAAAAAAAAAA1';
const secret = 'a secret of 3 words & é';
const store = ['webhook', 'secret', id, '--store', '--secret-stdin'];

const inKeychain = (keychain: Keychain) => ({
  world: { keychain },
  environment: { WM_TOKEN_STORE: 'keychain' },
});

test('in the keychain: an item with the host and the id as its account, and nothing on disk', async (context) => {
  const { wm, emulator, folder } = await emulated(context);
  const keychain = createMemoryKeychain();
  const stored = await wm(store, { ...inKeychain(keychain), input: `${secret}\r\n` });
  assert.equal(stored.status, 0, stored.errors);
  assert.equal(stored.output, `${id}\tstored\tthe keychain\n`);
  assert.equal(stored.errors, '');
  assert.deepEqual([...keychain.items], [[`${id}@${emulator.host}`, secret]]);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    assert.ok(!text.includes('3 words'), entry.name);
  }
  const shown = await wm(['webhook', 'secret', id, '--show'], inKeychain(keychain));
  assert.equal(shown.output, `${secret}\n`);
  const removed = await wm(['webhook', 'secret', id, '--remove', '--yes'], inKeychain(keychain));
  assert.equal(removed.output, `${id}\tnot stored\t\n`);
  assert.equal(keychain.items.size, 0);
});

test('keeps separate secrets per host; storing the same secret again changes nothing', async (context) => {
  const { wm } = await emulated(context);
  assert.equal((await wm(store, { input: secret })).status, 0);
  assert.equal((await wm(store, { input: secret })).status, 0);
  const otherRun = await wm(['webhook', 'secret', id], { environment: { WM_HOST: 'api.example.com' } });
  assert.equal(otherRun.output, `${id}\tnot stored\t\n`);
});

/** The only file of the store. */
async function fileOf({ folder }: Emulated): Promise<string> {
  const all = await readdir(join(folder, 'config', 'webhook-secrets'));
  const names = all.filter((name) => name.endsWith('.json'));
  assert.equal(names.length, 1, all.join(' '));
  return join(folder, 'config', 'webhook-secrets', names[0] ?? '');
}

const posix = process.platform === 'win32' ? 'files have no mode on Windows' : false;

test('in a file: readable only by its owner; a damaged file is not read as a secret', {
  skip: posix,
}, async (context) => {
  const service = await emulated(context);
  await service.wm(store, { input: secret });
  const path = await fileOf(service);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  for (const damaged of [
    '',
    'null',
    '{}',
    JSON.stringify({ secret }),
    JSON.stringify({ host: 1, webhookId: id, secret }),
  ]) {
    await writeFile(path, damaged);
    const read = await service.wm(['webhook', 'secret', id]);
    assert.equal(read.status, 1, damaged);
    assert.match(read.errors, /^wm: Cannot read the secret in .*\n {2}it is damaged/);
  }
  await chmod(path, 0o666);
  const unsafe = await service.wm(['webhook', 'secret', id]);
  assert.equal(unsafe.status, 1);
  assert.match(unsafe.errors, /Other users can write to/);
});

test('reports what could not be done on a disk error or a busy lock', async (context) => {
  const { wm, environment, folder } = await emulated(context);
  const files = createFiles(environment, process.platform, folder);
  const failed = new Error('the disk failed');
  const fails = async () => Promise.reject(failed);
  const isOwn = (path: string) => path.includes('webhook-secrets');
  const read: Files['read'] = async (path, options) => (isOwn(path) ? fails() : files.read(path, options));
  for (const [broken, message] of [
    [{ read }, 'Cannot read'],
    [{ write: fails }, 'Cannot write'],
    [{ remove: fails }, 'Cannot remove'],
    // A power cut would bring it back.
    [{ syncFolder: fails }, 'Cannot remove'],
  ] as const) {
    if (message === 'Cannot remove') await wm(store, { input: secret });
    const world = { files: { ...files, ...broken } };
    const verb = message === 'Cannot remove' ? ['webhook', 'secret', id, '--remove', '--yes'] : store;
    const ran = await wm(verb, { input: secret, world });
    assert.equal(ran.status, 1, ran.errors);
    assert.match(
      ran.errors,
      new RegExp(`^wm: ${message} .*webhook-secrets.*\\n {2}the disk failed\\n {2}Check that`),
    );
  }
  const lock = {
    acquire: fails,
    holder: async () => undefined,
    isHeld: async () => false,
    adopt: () => assert.fail(),
  };
  const locked = await wm(store, { input: secret, world: { lock } });
  assert.match(locked.errors, /^wm: Cannot lock .*\.lock\n {2}the disk failed/);
  const held = await wm(store, {
    input: secret,
    world: { lock: { ...lock, acquire: async () => undefined } },
  });
  assert.equal(held.status, 1, held.errors);
  assert.match(held.errors, /storing the secret of a webhook/);
});

test('reports a keychain that fails, with the alternatives', async (context) => {
  const { wm } = await emulated(context);
  for (const [fault, message, hint] of [
    ['missing', 'No keychain is available', /WM_TOKEN_STORE=file/],
    ['locked', 'The keychain is locked', /Unlock it/],
    ['timeout', 'The keychain did not respond in time', /Unlock it/],
    ['too-large', 'The secret is too large for a keychain item', /--secret-file/],
    ['failed', 'The keychain failed', /--secret-file/],
  ] as const) {
    const result: KeychainFault = { fault, detail: 'as the test wants it' };
    const answer = async () => result;
    const keychain: Keychain = { read: answer, write: answer, remove: answer };
    const ran = await wm(['webhook', 'secret', id], inKeychain(keychain));
    assert.equal(ran.status, 1, ran.errors);
    assert.ok(ran.errors.startsWith(`wm: ${message}\n  as the test wants it\n`), ran.errors);
    assert.match(ran.errors, hint);
  }
});

test('signed out, there is no host to store it for', async (context) => {
  const { environment, folder } = await emulated(context, {}, { signedOut: true });
  const { WM_HOST: _, ...without } = environment;
  const files = createFiles(without, process.platform, folder);
  const ran = await run(store, { environment: without, input: secret, world: { files } });
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /^wm: Not signed in/);
});

test('uses the store of the profile unless a variable names one', async (context) => {
  const service = await emulated(context, {}, { signedOut: true });
  const { emulator, environment, folder } = service;
  const login = await service.wm(['login', '--with-token', '--store', 'file'], { input: emulator.token });
  assert.equal(login.status, 0, login.errors);
  const { WM_TOKEN_STORE: _, ...without } = environment;
  const ran = await run(store, {
    environment: without,
    input: secret,
    world: { files: createFiles(without, process.platform, folder) },
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(ran.output.startsWith(`${id}\tstored\t${await fileOf(service)}`), ran.output);
});
