// A folder of settings that others may change, or that belongs to another user, is an error with its reason and its cure,
// before anything is read there, written or sent. Who runs wm, and who else may write, are what the test says; the rest is
// real: modes, links, folders.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { assertPrivateConfigFolder, assertPrivateStateFolder } from '#login/private-folder.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, type RawServer, startRawServer } from '#test/support/service/raw-server.ts';
import { createFiles } from '#world/files.ts';
import type { User } from '#world/unsafe-permissions.ts';
import type { Environment } from '#world/world.ts';
import { storeSignIn } from './stored-sign-in.ts';

const task = 'IEAAAAAQKQAB5BNG';
const skip = process.platform === 'win32';
let top = '';
let server: RawServer;

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'wm-own-'));
  server = await startRawServer((request) => {
    const [, noun = ''] = /\/api\/v4\/([a-z]+)/.exec(request) ?? [];
    const id = noun === 'tasks' ? task : 'KUAAAAAA';
    return jsonReply(200, { kind: noun === 'account' ? 'accounts' : noun, data: [{ id, me: true }] });
  });
});
afterEach(async () => {
  await server.close();
  await rm(top, { recursive: true });
});

const self: User = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/** A sign-in with tokens in files, kept in the folder. */
async function signedIn(folder: string): Promise<string> {
  const expiresAt = Date.now() + 3_600_000;
  await storeSignIn(folder, { generation: 1, accessToken: 'the-token-itself', host: server.host, expiresAt });
  await chmod(folder, 0o700);
  return folder;
}

/** `folder` is that of the settings. */
async function wm(status: number, typed: string, folder: string, user = self, more: Environment = {}) {
  server.requests.length = 0;
  const environment = { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file', ...more };
  const files = createFiles(environment, process.platform, top, undefined, undefined, user);
  return run(typed.split(' '), { exit: status, environment, world: { files }, input: 'another-token' });
}

const withToken = () => `login --with-token --host ${server.host} --store file`;
const works = (folder: string, user = self) => wm(0, 'whoami', folder, user);

/** The command ends before anything is sent, and says why. */
async function stops(message: RegExp, folder: string, user = self, typed = 'whoami'): Promise<string> {
  const { output, errors } = await wm(1, typed, folder, user);
  assert.match(errors, message);
  assert.equal(output, '');
  assert.deepEqual(server.requests, []);
  return errors;
}

/** Runs the command that an error names. */
const fix = (errors: string) =>
  promisify(execFile)('sh', ['-c', /^ {2}Remove their access: (chmod .*)$/m.exec(errors)?.[1] ?? 'false']);

test('accepts a private folder below the usual kinds of folders', { skip }, async () => {
  const folder = await signedIn(join(top, 'mine'));
  await works(folder);
  await chmod(folder, 0o755);
  await works(folder);
  // Made by a umask of 002, and with a group of one's own.
  await chmod(top, 0o775);
  await works(folder);
  // As /tmp is.
  await chmod(top, 0o1777);
  await works(folder);
});

const writable: readonly (readonly [name: string, place: string, mode: number])[] = [
  ['the folder, by its group', 'mine', 0o770],
  ['the folder, by everybody', 'mine', 0o777],
  ['the folder, by everybody, though it is sticky', 'mine', 0o1777],
  ['the folder of the tokens', 'mine/tokens', 0o777],
  ['the file with the tokens', 'mine/tokens/default.json', 0o666],
  ['the list of profiles, which says where to sign in', 'mine/profiles.json', 0o666],
  ['a folder above', '.', 0o777],
];
for (const [name, place, mode] of writable) {
  test(`others may write to ${name}: an error, with the command that fixes it`, { skip }, async () => {
    const folder = await signedIn(join(top, 'mine'));
    await chmod(join(top, place), mode);
    await fix(await stops(/^wm: Other users can write to \S+ \(mode [01]\d{3}\)$/m, folder));
    // What others could read of a file may be a token.
    assert.equal((await stat(join(top, place))).mode & (place.endsWith('.json') ? 0o077 : 0o022), 0);
    await works(folder);
  });
}

for (const place of ['tokens/default.json', 'profiles.json', 'state']) {
  test(`a link from ${place} to a device or a pipe: an error, and no command that changes either`, {
    skip,
  }, async (context) => {
    const folder = await signedIn(join(top, 'mine'));
    const pipe = join(top, 'pipe');
    makeFifo(context, pipe);
    await chmod(pipe, 0o666);
    for (const target of ['/dev/zero', pipe]) {
      await rm(join(folder, place), { force: true });
      await symlink(target, join(folder, place));
      const says = new RegExp(`^wm: ${target} is not a file or a folder\n.*\n {2}Remove the link`, 'm');
      const errors = await stops(says, folder, self, place === 'state' ? 'history' : 'whoami');
      assert.doesNotMatch(errors, /chmod/);
    }
    // Not with a device: these would change it.
    const login = place === 'state' ? 0 : 1;
    for (const [status, line] of [
      [login, withToken()],
      [10, 'doctor'],
      [10, 'doctor --fix --yes'],
    ] as const) {
      const { errors, output } = await wm(status, line, folder);
      assert.doesNotMatch(errors + output, /chmod|remove other users' access/);
    }
    assert.equal((await stat(pipe)).mode & 0o777, 0o666);
    assert.ok((await stat(pipe)).isFIFO());
  });
}

test('a parent folder that another group may write to is an error', { skip }, async () => {
  const folder = await signedIn(join(top, 'mine'));
  await chmod(top, 0o775);
  await stops(/Other users can write to/, folder, { ...self, gid: self.gid + 1 });
});

test('a link is checked with its target, and the folders above that', { skip }, async () => {
  await mkdir(join(top, 'open'));
  const folder = await signedIn(join(top, 'open', 'mine'));
  await symlink(folder, join(top, 'link'));
  await works(join(top, 'link'));
  await chmod(join(top, 'open'), 0o777);
  await stops(/Other users can write to \S+\/open \(mode 0777\)/, join(top, 'link'));
  await chmod(join(top, 'open'), 0o755);
  await chmod(folder, 0o777);
  await stops(/Other users can write to \S+\/open\/mine/, join(top, 'link'));
});

test('the command that fixes it works for a folder with spaces, quotes and backslashes in its name', {
  skip,
}, async () => {
  const folder = await signedIn(join(top, "it's \\ mine"));
  await chmod(folder, 0o777);
  await fix(await stops(/Other users can write to/, folder));
  assert.equal((await stat(folder)).mode & 0o777, 0o755);
  await works(folder);
});

test('a folder of another user: what root should do, and what everyone else should', async () => {
  for (const [user, hint] of [
    [0, /^Run wm as that user, without sudo\. Or set WM_CONFIG_DIR to a folder that belongs to root/],
    [1000, /^Set WM_CONFIG_DIR to a folder that belongs to you\.$/],
  ] as const) {
    const real = createFiles({ WM_CONFIG_DIR: top }, process.platform);
    const files = { ...real, unsafePermissions: async () => ({ path: '/home/a', owner: 1001, user }) };
    await assert.rejects(assertPrivateConfigFolder({ files }), {
      message: `/home/a belongs to another user (uid 1001; wm runs as uid ${user})`,
      why: 'they could steal the tokens, or have them sent elsewhere',
      hint,
    });
    await assert.rejects(assertPrivateStateFolder({ files }), {
      why: 'they could write a journal or an undo log that wm would act on',
    });
  }
});

/** Whoever runs wm now is neither root nor the one who owns the folder. */
const stranger: User = { uid: 54_321, gid: self.gid };

test('a folder of another user is an error that names the owner', {
  skip: skip || (self.uid === 0 && 'root may use every folder'),
}, async () => {
  const folder = await signedIn(join(top, 'mine'));
  const uids = `uid ${self.uid}; wm runs as uid 54321`;
  await stops(new RegExp(`^wm: \\S+ belongs to another user \\(${uids}\\)$`, 'm'), folder, stranger);
  // As with sudo, where HOME is still the other's.
  const errors = await stops(/belongs to another user/, folder, { uid: 0, gid: 0 });
  assert.match(errors, /^ {2}Run wm as that user, without sudo\./m);
});

test('root in the home of another user: nothing is read, created or handed over', {
  skip: skip || self.uid !== 0,
}, async () => {
  const home = join(top, 'home');
  await mkdir(home);
  await chown(home, 54_321, 54_321);
  const another = /belongs to another user \(uid 54321; wm runs as uid 0\)/;
  // Not made yet: it would be root's, in the home of another.
  await stops(another, join(home, '.config', 'wm'), self, withToken());
  assert.deepEqual(await readdir(home), []);
  const folder = await signedIn(join(top, 'mine'));
  for (const relativePath of ['', 'tokens', 'tokens/default.json']) {
    await chown(join(folder, relativePath), 54_321, 54_321);
    assert.match(await stops(another, folder), /^ {2}Run wm as that user, without sudo\./m);
    await stops(another, folder, self, withToken());
    await chown(join(folder, relativePath), 0, 0);
  }
  await works(folder);
  await symlink(folder, join(top, 'link'));
  await lchown(join(top, 'link'), 54_321, 54_321);
  await stops(/\/link belongs to another user/, join(top, 'link'));
});

test('accepts a folder owned by root for a user who may read it', {
  skip: skip || self.uid !== 0,
}, async () => {
  const folder = await signedIn(join(top, 'mine'));
  await works(folder, stranger);
});

test('a token in the environment works with any folder, even an unsafe one', { skip }, async () => {
  const folder = await signedIn(join(top, 'mine'));
  await chmod(folder, 0o777);
  await wm(0, 'whoami', folder, self, { WM_TOKEN: 'a-token', WM_HOST: server.host });
});

const needState: Readonly<Record<string, string>> = {
  'a bulk run': `task update ${task} IEAAAAAQKQAB5BNH --title x --yes`,
  'an update that is logged': `task update ${task} --title x --undoable`,
  'an undo': `task undo ${task} --yes`,
};
for (const [name, typed] of Object.entries(needState)) {
  test(`${name}: a state folder that others may write to is an error, and nothing changes`, {
    skip,
  }, async () => {
    const folder = join(top, 'mine');
    await mkdir(join(folder, 'state'), { recursive: true });
    await chmod(join(folder, 'state'), 0o777);
    const ran = await wm(1, typed, folder, self, { WM_TOKEN: 'a-token', WM_HOST: server.host });
    assert.match(ran.errors, /Other users can write to \S+\/state \(mode 0777\)/);
    assert.deepEqual(
      server.requests.filter((request) => !request.startsWith('GET')),
      [],
    );
  });
}
