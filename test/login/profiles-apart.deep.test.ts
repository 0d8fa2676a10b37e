// Profiles do not leak into each other: whichever way one is chosen, a command acts on that account, and on no other,
// with many running at once. Which account it was is told by the service, from the token that reached it.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Ran, run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { createFiles } from '#world/files.ts';
import type { Environment } from '#world/world.ts';
import { startWm } from '../system/keychain-session.ts';

const names = ['flag', 'variable', 'folder', 'current', 'token'] as const;
type Name = (typeof names)[number];

interface Scene {
  readonly host: string;
  readonly folder: string;
  /** Below it a `.wm.json` holds. */
  readonly client: string;
  /** The tokens that reached the service, in order. */
  readonly reached: string[];
  wm(typed: readonly string[], setting?: Setting): Promise<Ran>;
}

interface Setting {
  readonly at?: string;
  readonly input?: string;
  readonly environment?: Environment;
  readonly exit?: number;
}

/** A person signed in to four accounts, whose tokens are called as they are chosen; and a fifth from outside. */
async function makeScene(t: TestContext): Promise<Scene> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer canary-', '') ?? '';
    reached.push(token);
    const [kind, data] = request.url?.startsWith('/api/v4/account')
      ? ['accounts', { id: 'IEAAAAAQ', name: token }]
      : ['contacts', { id: 'KUAAAAAA', firstName: token, me: true }];
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ kind, data: [data] }));
  });
  const host = `127.0.0.1:${await listening(server)}`;
  const folder = await mkdtemp(join(tmpdir(), 'wm-profiles-'));
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  const client = join(folder, 'client');
  await mkdir(join(client, 'deep', 'down'), { recursive: true });
  await writeFile(join(client, '.wm.json'), '{ "profile": "folder" }');
  const scene: Scene = {
    host,
    folder,
    client,
    reached,
    wm(typed, { at = folder, input = '', environment = {}, ...setting } = {}) {
      const own = { WM_CONFIG_DIR: join(folder, 'config'), WM_TOKEN_STORE: 'file', ...environment };
      return run(typed, {
        ...setting,
        environment: own,
        input,
        world: { files: createFiles(own, process.platform, at) },
      });
    },
  };
  // The first is the current one.
  for (const name of ['current', 'flag', 'variable', 'folder'] as const) await signIn(scene, name);
  return scene;
}

async function signIn({ wm, host }: Scene, name: string, environment: Environment = {}): Promise<void> {
  const typed = ['login', '--with-token', '--host', host, '--profile', name];
  await wm(typed, { exit: 0, input: `canary-${name}`, environment });
}

/** Every way of choosing, and every set of them at once; the first of `names` that is there counts, but for the token. */
const sets = Array.from({ length: 16 }, (_, bits) =>
  names.filter((_name, index) => index !== 3 && bits & (index === 4 ? 8 : 1 << index)),
);

function expected(sources: readonly Name[]): Name {
  if (sources.includes('flag')) return 'flag';
  if (sources.includes('token')) return 'token';
  return names.find((name) => sources.includes(name)) ?? 'current';
}

function howSaid(scene: Scene, sources: readonly Name[], typed: readonly string[]) {
  return {
    typed: [...typed, ...(sources.includes('flag') ? ['--profile', 'flag'] : [])],
    at: sources.includes('folder') ? join(scene.client, 'deep', 'down') : scene.folder,
    environment: {
      ...(sources.includes('variable') ? { WM_PROFILE: 'variable' } : {}),
      ...(sources.includes('token') ? { WM_TOKEN: 'canary-token', WM_HOST: scene.host } : {}),
    },
  };
}

test('precedence: flag, WM_TOKEN, WM_PROFILE, the folder setting, the current profile', async (t) => {
  const scene = await makeScene(t);
  assert.equal(sets.length, 16);
  for (const sources of sets) {
    for (const line of [['whoami'], ['auth', 'token'], ['webhook', 'list', '--curl']]) {
      const { typed, ...setting } = howSaid(scene, sources, line);
      scene.reached.length = 0;
      const ran = await scene.wm(typed, { ...setting, exit: 0 });
      const name = expected(sources);
      const description = `${sources.join(' ')}: ${line.join(' ')}`;
      if (line[0] === 'whoami') assert.deepEqual(scene.reached, [name, name], description);
      else if (line[0] === 'auth') assert.equal(ran.output, `canary-${name}\n`, description);
      else assert.ok(ran.output.includes(name === 'token' ? '$WM_TOKEN' : `--profile ${name})`), ran.output);
    }
  }
});

test('in two terminals at once, and in four, each command always reaches its own account', async (t) => {
  const scene = await makeScene(t);
  const environment = {
    PATH: process.env['PATH'] ?? '',
    WM_CONFIG_DIR: join(scene.folder, 'config'),
    WM_TOKEN_STORE: 'file',
  };
  scene.reached.length = 0;
  let runs = 0;
  // `wm auth switch` in a third terminal changes nothing for who has said which account.
  const switching = startWm(['auth', 'switch', 'folder'], environment).ended;
  const terminal = async (more: Record<string, string>, typed: readonly string[], name: string) => {
    for (let round = 0; round < 6; round++) {
      // Once as a process of its own.
      const ended = await (round === 0
        ? startWm(['whoami', ...typed], { ...environment, ...more }).ended
        : scene.wm(['whoami', ...typed], { environment: more }));
      assert.equal(ended.status, 0, ended.errors);
      assert.equal(ended.output.split('\t')[0], name);
      runs++;
    }
  };
  await Promise.all([
    terminal({ WM_PROFILE: 'variable' }, [], 'variable'),
    terminal({ WM_PROFILE: 'current' }, [], 'current'),
    terminal({ WM_PROFILE: 'variable' }, ['--profile', 'flag'], 'flag'),
    terminal({ WM_PROFILE: 'variable', WM_TOKEN: 'canary-token', WM_HOST: scene.host }, [], 'token'),
  ]);
  assert.equal((await switching).status, 0);
  const count = (name: string) => scene.reached.filter((reachedName) => reachedName === name).length;
  assert.deepEqual(['variable', 'current', 'flag', 'token'].map(count), [12, 12, 12, 12]);
  assert.equal((await scene.wm(['whoami', '--json'])).output.includes('"user":"folder"'), true);
  t.diagnostic(`${runs} commands in four terminals`);
});

test('two config folders with the same profile names', async (t) => {
  const scene = await makeScene(t);
  const otherFolder = { WM_CONFIG_DIR: join(scene.folder, 'other') };
  const typed = ['login', '--with-token', '--host', scene.host, '--profile', 'flag'];
  await scene.wm(typed, { exit: 0, input: 'canary-other', environment: otherFolder });
  for (let round = 0; round < 3; round++) {
    scene.reached.length = 0;
    await scene.wm(['whoami', '--profile', 'flag']);
    await scene.wm(['whoami', '--profile', 'flag'], { environment: otherFolder });
    assert.deepEqual(scene.reached, ['flag', 'flag', 'other', 'other']);
  }
  await scene.wm(['logout', '--yes', '--profile', 'flag'], { exit: 0, environment: otherFolder });
  await scene.wm(['whoami', '--profile', 'flag'], { exit: 0 });
});

test('an invalid folder setting uses no account', async (t) => {
  const scene = await makeScene(t);
  const path = join(scene.client, '.wm.json');
  const settings = ['', '{', '[]', '{"profile":5}', '{"profile":"../x"}'];
  for (const content of [...settings, '{"profile":"folder","host":"evil.test"}']) {
    await writeFile(path, content);
    scene.reached.length = 0;
    await scene.wm(['whoami'], { exit: 2, at: scene.client });
    assert.deepEqual(scene.reached, []);
  }
  await writeFile(path, '{"profile":"nobody"}');
  const nobody = await scene.wm(['whoami'], { exit: 4, at: scene.client });
  assert.match(nobody.errors, /Not signed in \(profile nobody/);
  // Not to be read: as root everything can be, so a folder stands in its place.
  await rm(path);
  await mkdir(path);
  const unread = await scene.wm(['whoami'], { exit: 2, at: join(scene.client, 'deep') });
  assert.match(unread.errors, /Cannot read \S+\.wm\.json, the settings of this folder/);
  // It may hold a guard as well, so naming the account does not help.
  await scene.wm(['whoami', '--profile', 'flag'], { exit: 2, at: scene.client });
  assert.deepEqual(scene.reached, []);
});

test('logging out of the current account names the next one; of another, changes nothing', async (t) => {
  const scene = await makeScene(t);
  const logout = await scene.wm(['logout', '--yes', '--profile', 'flag']);
  assert.doesNotMatch(logout.errors, /In use from now on/);
  const current = await scene.wm(['logout', '--yes']);
  assert.match(current.errors, /^wm now uses the profile variable\.$/m);
});

test('names that differ only in case are the same profile', async (t) => {
  const scene = await makeScene(t);
  const typed = ['login', '--with-token', '--host', scene.host, '--profile', 'Flag'];
  const ran = await scene.wm(typed, { exit: 2, input: 'canary-Flag' });
  assert.match(ran.errors, /^wm: The profile flag already exists\n/);
  assert.equal((await scene.wm(['auth', 'token', '--profile', 'flag'])).output, 'canary-flag\n');
});
