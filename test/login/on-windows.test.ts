// A sign-in as it must be on Windows: names that are devices there, what is said of who can read the file of the tokens,
// tokens as PowerShell writes them, and the keychain's errors. The rules are stated here; Windows itself is not needed.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCallbackServer } from '#login/callback-server.ts';
import { createWindowsDisk } from '#test/support/disk/windows-disk.ts';
import { run } from '#test/support/program/program.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { createProcesses } from '#world/process.ts';
import type { World } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const windows: Pick<World, 'process'> = {
  process: { ...createProcesses('win32'), onInterrupt: () => () => {}, onResume: () => () => {} },
};
const withToken = ['login', '--with-token', '--host', service.host];
const signIn = (status: number, more: readonly string[], world: Partial<World> = {}) =>
  person.wm([...withToken, ...more], { exit: status, input: secrets.access, world });

for (const name of ['CON', 'nul', 'Aux', 'prn', 'COM1', 'lpt9', 'con.work', 'COM0']) {
  test(`${name} is a device name, so no new profile may have it, on any system`, async () => {
    const ran = await signIn(2, ['--profile', name]);
    assert.match(ran.errors, /A profile cannot be named.*\n.*\n?.*Choose another/s);
    assert.deepEqual([...(await person.files()).keys()], []);
    const suggestedName = /such as (\S+)\./.exec(ran.errors)?.[1] ?? '';
    await signIn(0, ['--profile', suggestedName]);
  });
}

test('accepts names that only start like a device', async () => {
  for (const name of ['console', 'com', 'com10', 'nul-1', 'work.con']) await signIn(0, ['--profile', name]);
});

test('does not claim that only you can read a token file: its folder decides', async () => {
  const elsewhere = await signIn(0, [], windows);
  assert.match(
    elsewhere.errors,
    /stored as plain text in .*, readable by everyone who may read that folder\.\n/,
  );
  const checked = await person.wm(['doctor'], { world: windows });
  assert.match(
    checked.output,
    /^permissions\tnotice\tfiles in .* are readable by everyone who may read that folder\t$/m,
  );
  const home = await mkdtemp(join(tmpdir(), 'wm-windows-'));
  const environment = { USERPROFILE: home, WM_TOKEN_STORE: 'file' };
  const { system } = createWindowsDisk();
  const files = createFiles(environment, 'win32', home, undefined, system);
  const lock = createLock('win32', createWorld().clock, system);
  const ran = await run(withToken, {
    environment,
    input: secrets.access,
    world: { ...windows, files, lock },
  });
  const made = await readdir(join(home, 'AppData', 'Roaming', 'wm')).catch((error: Error) => [String(error)]);
  await rm(home, { recursive: true });
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(made.includes('tokens'), String(made));
  assert.match(ran.errors, /, readable by you and by administrators of this computer\.\n/);
});

for (const [name, encoding, mark] of [
  ['UTF-16, as PowerShell 5 writes it', 'utf16le', [0xff, 0xfe]],
  ['UTF-16 in the other order', 'utf16be', [0xfe, 0xff]],
  ['UTF-8 with its mark', 'utf8', [0xef, 0xbb, 0xbf]],
] as const) {
  const bytes = (text: string) => {
    const plain = Buffer.from(text, encoding === 'utf8' ? 'utf8' : 'utf16le');
    return Buffer.concat([Buffer.from(mark), encoding === 'utf16be' ? plain.swap16() : plain]);
  };

  test(`a token in ${name}`, async () => {
    await run(withToken, {
      exit: 0,
      environment: { WM_CONFIG_DIR: person.folder, WM_TOKEN_STORE: 'file' },
      input: new Uint8Array(bytes(`${secrets.access}\r\n`)),
      world: { files: createFiles({ WM_CONFIG_DIR: person.folder }, process.platform) },
    });
    assert.equal((await person.item()).accessToken, secrets.access);
  });

  test(`a value in ${name}`, async () => {
    const path = join(person.folder, 'value.txt');
    await writeFile(path, bytes('Grüße 😀'));
    const ran = await person.wm(
      ['task', 'update', 'IEAAAAAQKQAB5BNG', '--description', `@${path}`, '--dry-run', '--json'],
      { environment: { WM_TOKEN: 'canary', WM_HOST: service.host } },
    );
    assert.match(ran.output, /Gr%C3%BC%C3%9Fe(?:\+|%20)%F0%9F%98%80|Grüße 😀/);
  });
}

test('a port reserved by Windows: the hint has the command that lists them', async () => {
  const detail = 'listen EACCES: permission denied 127.0.0.1:8400';
  const server: World['server'] = { listen: async () => ({ fault: 'not-allowed', detail }) };
  const { clock } = createWorld();
  const hint = async (port: number) => {
    const address = { hostname: '127.0.0.1', path: '/callback', port };
    const failure = await createCallbackServer({ server, clock } as never, address, 's').catch(
      (error) => error,
    );
    return String(failure.hint);
  };
  assert.match(await hint(8400), /excludedportrange/);
  assert.doesNotMatch(await hint(80), /excludedportrange/);
  const ran = await run(['emulator', 'start', '--port', '8400'], { exit: 2, world: { server } });
  assert.match(ran.errors, /EACCES.*\n.*netsh interface ipv4 show excludedportrange protocol=tcp/s);
});
