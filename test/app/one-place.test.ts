// Two spellings of one place: a config folder has one set of tokens in the keychain, and a bulk run never writes its errors
// over its journal, where macOS, Windows, a link or the disk itself make two names one.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { type Folding, foldingSystem } from '#test/support/disk/folding-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createWindowsDisk } from '#test/support/disk/windows-disk.ts';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';
import { createWorld } from '#world/create-world.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Environment, World } from '#world/world.ts';

const service = await serviceForAll();

const systems: Readonly<Record<Folding, () => FileSystem>> = {
  darwin: () => foldingSystem(fs, 'darwin'),
  win32: () => createWindowsDisk().system,
};

/** The files of a command, and its locks, on a disk of that platform. */
function worldOn(platform: NodeJS.Platform, system: FileSystem, environment: Environment, at: string) {
  const files = createFiles(environment, platform, at, undefined, system);
  return { files, lock: createLock(platform, createWorld().clock, system) } satisfies Partial<World>;
}

/** Signs in below `folder` with the first spelling, reads with each, and signs out with the last one. */
async function oneSignIn(
  platform: NodeJS.Platform,
  system: FileSystem,
  folder: string,
  spellings: readonly string[],
): Promise<void> {
  const keychain = createMemoryKeychain();
  const wm = (spelling: string, argv: readonly string[], input = '') => {
    const environment = { WM_CONFIG_DIR: spelling };
    const world = { ...worldOn(platform, system, environment, folder), keychain };
    return run(argv, { environment, input, world });
  };
  const [first = '', last = ''] = [spellings[0], spellings.at(-1)];
  const made = await wm(
    first,
    ['login', '--with-token', '--host', service.host, '--store', 'keychain'],
    secrets.access,
  );
  assert.equal(made.status, 0, made.errors);
  assert.equal(keychain.items.size, 1);
  for (const spelling of spellings) {
    const ran = await wm(spelling, ['auth', 'token']);
    assert.equal(ran.status, 0, `${spelling}: ${ran.errors}`);
    assert.equal(ran.output, `${secrets.access}\n`);
  }
  const ended = await wm(last, ['logout', '--yes']);
  assert.equal(ended.status, 0, ended.errors);
  assert.deepEqual([...keychain.items.keys()], []);
}

test('macOS: a config folder in other capitals or another accent form shares one sign-in', async (context) => {
  const folder = await ownFolder(context);
  const spellings = ['Büro/Wm', 'büro/wm', 'Büro/Wm'.normalize('NFD'), join(folder, 'BÜRO', 'WM')];
  await oneSignIn('darwin', systems.darwin(), folder, spellings);
  assert.deepEqual(await readdir(folder), ['Büro']);
  // The same, where the folder was made in the other form.
  await oneSignIn('darwin', systems.darwin(), folder, ['Café'.normalize('NFD'), 'Café'.normalize('NFC')]);
});

test('Windows: a config folder in other capitals, with slashes or a dot shares one sign-in', async (context) => {
  const folder = await ownFolder(context);
  await oneSignIn('win32', systems.win32(), folder, ['Büro\\Wm', 'BÜRO/wm', '.\\büro\\.\\WM\\']);
  assert.deepEqual(await readdir(folder), ['Büro']);
});

test('a config folder behind a symbolic link shares one sign-in', async (context) => {
  const folder = await ownFolder(context);
  await mkdir(join(folder, 'real'));
  await symlink(join(folder, 'real'), join(folder, 'link'), 'junction');
  await oneSignIn(process.platform, fs, folder, ['link/wm', 'real/wm', 'real/../link/wm']);
});

test('where the disk distinguishes case, so does wm', async (context) => {
  const folder = await ownFolder(context);
  await mkdir(join(folder, 'Conf'));
  await mkdir(join(folder, 'conf'), { recursive: true });
  if ((await readdir(folder)).length < 2) return context.skip('this disk does not');
  const of = (name: string, platform: NodeJS.Platform) =>
    createFiles({ WM_CONFIG_DIR: name }, platform, folder).realConfigFolder;
  for (const platform of ['linux', 'darwin'] as const)
    assert.notEqual(of('Conf', platform), of('conf', platform));
});

test('macOS: recognises the default folder in any spelling', async (context) => {
  const home = await ownFolder(context);
  const usual = join(home, 'Library', 'Application Support', 'wm');
  await mkdir(usual, { recursive: true });
  const isUsual = (spelling: string, system: FileSystem) => {
    const environment = { HOME: home, WM_CONFIG_DIR: spelling };
    const files = createFiles(environment, 'darwin', home, () => home.toUpperCase(), system);
    return [files.isDefaultConfigFolder, files.isAccountHome];
  };
  const mac = systems.darwin();
  assert.deepEqual(isUsual(usual, mac), [true, true]);
  assert.deepEqual(isUsual('library/APPLICATION support/Wm', mac), [true, true]);
  assert.deepEqual(isUsual('library/APPLICATION support/other', mac), [false, false]);
});

/** Runs a bulk with these two files, which are not there yet. */
async function bulkWith(
  context: TestContext,
  platform: NodeJS.Platform,
  system: FileSystem,
  [journal, errors]: readonly [string, string],
) {
  const { folder, environment, wm, task } = await emulated(context);
  await mkdir(join(folder, 'in'));
  await symlink(join(folder, 'in'), join(folder, 'link'), 'junction');
  const input = join(folder, 'tasks.csv');
  await writeFile(input, `id,title\n${sample.task},two\nIEAAAAAQKQZZZZZZ,nobody\n`);
  const argv = ['task', 'update', '--from', input, '--journal', join(folder, journal), '--yes'];
  const world = worldOn(platform, system, environment, folder);
  const before = (await task(sample.task)).title;
  const ran = await wm([...argv, '--errors', join(folder, errors)], { world });
  return { ran, isSent: (await task(sample.task)).title !== before, files: await readdir(folder) };
}

const same: readonly (readonly [string, NodeJS.Platform, () => FileSystem, string, string])[] = [
  ['macOS: J and j', 'darwin', systems.darwin, 'J', 'j'],
  ['macOS: é in either form', 'darwin', systems.darwin, 'é'.normalize('NFC'), 'É'.normalize('NFD')],
  ['Windows: J and j', 'win32', systems.win32, 'J', 'j'],
  ['Windows: folders in capitals', 'win32', systems.win32, 'in\\J', 'IN/j'],
  ['through a link', process.platform, () => fs, 'in/J', 'link/J'],
];
for (const [name, platform, system, journal, errors] of same) {
  test(`--journal and --errors are one file even before it exists: ${name}`, async (context) => {
    const { ran, isSent, files } = await bulkWith(context, platform, system(), [journal, errors]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /--errors and --journal name the same file/);
    assert.equal(isSent, false);
    assert.deepEqual(
      files.filter((name) => name.toLowerCase() === 'j'),
      [],
    );
  });
}

test('--journal and --errors are one file where the disk ignores case and the system does not', async (context) => {
  // As Linux has it on a disk of Windows.
  const { ran, isSent } = await bulkWith(context, 'linux', systems.darwin(), ['J', 'j']);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /--errors and --journal name the same file/);
  assert.equal(isSent, false);
});

test('--errors may not be the lock of the journal', async (context) => {
  const { ran, isSent } = await bulkWith(context, process.platform, fs, ['J', 'J.lock']);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /--errors names the lock of the journal\n/);
  assert.equal(isSent, false);
});

for (const [platform, errors] of [
  ['linux', 'j'],
  ['win32', 'é'.normalize('NFD')],
] as const) {
  test(`two names are two files on ${platform}`, {
    skip: process.platform !== 'linux' && 'the disk here may fold them',
  }, async (context) => {
    const system = platform === 'win32' ? systems.win32() : fs;
    const journal = platform === 'win32' ? 'é'.normalize('NFC') : 'J';
    const { ran, isSent, files } = await bulkWith(context, platform, system, [journal, errors]);
    assert.ok(files.includes(journal) && files.includes(errors), files.join(' '));
    assert.equal(ran.status, 8, ran.errors);
    assert.equal(isSent, true);
  });
}
