// Profiles: their names, the file they stand in, and many who write it at once.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { parseProfileName, readProfiles, removeProfile, saveProfile } from '#login/profile.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { makePerson } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { testProfileNames } from './hostile-input.ts';

const service = await serviceForAll();
const person = personForEach();

const worldOf = (folder: string) => ({
  files: createFiles({ WM_CONFIG_DIR: folder }, process.platform),
  lock: createLock(),
});
const profile = (name: string) => ({ name, host: 'api.example.com', hostSuffixes: [], signedInAt: 1 });
const withToken = (status = 0, ...more: string[]) =>
  person.wm(['login', '--with-token', '--host', service.host, ...more], {
    exit: status,
    input: secrets.access,
  });

test('names', () => {
  for (const name of ['default', 'a', '0', 'Work-2.eu_1', 'x'.repeat(64)])
    assert.equal(parseProfileName(name), name);
  const odd = ['', '.', '..', '../x', 'a/b', 'a\\b', '-x', '_x', '.x', 'a b', 'é', 'a\n', '\na', 'a\0', '@'];
  for (const name of [...odd, 'x'.repeat(65)]) {
    assert.throws(
      () => parseProfileName(name),
      (error) => error instanceof Failure && error.exitStatus === 2,
      name,
    );
  }
});

testProfileNames(100);

test('a wrong name is invalid in every source', async () => {
  for (const [typed, environment] of [
    [['whoami', '--profile', '../x'], {}],
    [['whoami'], { WM_PROFILE: '../x' }],
    [['login', '--profile', '../x', '--auth-url', service.url], {}],
    [['logout', '--profile', '../x', '--yes'], {}],
  ] as const) {
    const ran = await person.wm(typed, { exit: 2, environment });
    assert.match(ran.errors, /^wm: "\.\.\/x" is not a profile name\n/);
  }
  assert.deepEqual([...(await person.files()).keys()], []);
});

const broken = [
  '',
  '{',
  'null',
  '[]',
  '{"profiles":{}}',
  '{"profiles":[1]}',
  '{"profiles":[{"name":"x"}]}',
  '{"profiles":[{"name":1,"host":"h","signedInAt":1,"hostSuffixes":[]}]}',
];

for (const content of broken) {
  test(`an invalid profiles file is reported, and never overwritten: ${content}`, async () => {
    const path = join(person.folder, 'profiles.json');
    await writeFile(path, content);
    for (const line of [['whoami'], ['auth', 'status'], ['logout', '--yes']]) {
      const { errors } = await person.wm(line, { exit: 2 });
      assert.match(errors, /^wm: Cannot read .*profiles\.json\n/);
      assert.doesNotMatch(errors, /bug in wm/);
    }
    await withToken(2);
    assert.equal((await person.files()).get('profiles.json'), content);
  });
}

test('a folder in place of the profiles file is reported too', async () => {
  await mkdir(join(person.folder, 'profiles.json'));
  const { errors } = await person.wm(['whoami'], { exit: 1 });
  assert.match(errors, /^wm: Cannot read .*profiles\.json\n/);
});

test('the first profile is the current one; removing it makes the next one current', async () => {
  const world = worldOf(person.folder);
  for (const name of ['b', 'a', 'c']) await saveProfile(world, profile(name));
  assert.equal((await readProfiles(world)).current, 'b');
  await saveProfile(world, { ...profile('b'), user: 'Ada' });
  const { current, profiles } = await readProfiles(world);
  assert.equal(current, 'b');
  assert.deepEqual(
    profiles.map(({ name, user }) => [name, user]),
    [
      ['a', undefined],
      ['c', undefined],
      ['b', 'Ada'],
    ],
  );
  await removeProfile(world, 'c');
  assert.equal((await readProfiles(world)).current, 'b');
  await removeProfile(world, 'b');
  assert.equal((await readProfiles(world)).current, 'a');
  await removeProfile(world, 'a');
  assert.deepEqual((await readProfiles(world)).profiles, []);
  await removeProfile(world, 'a');
});

test('forty profiles saved at once are all stored', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => saveProfile(worldOf(person.folder), profile(name))));
  const { profiles } = await readProfiles(worldOf(person.folder));
  assert.deepEqual(profiles.map(({ name }) => name).toSorted(), names.toSorted());
});

test('eight sign-ins at once, each for its own profile', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
  await Promise.all(names.map((name) => withToken(0, '--profile', name)));
  for (const name of names) {
    await person.wm(['whoami', '--profile', name]);
    assert.equal((await person.item(name)).accessToken, secrets.access);
  }
});

test('two config folders are independent', async () => {
  const otherPerson = await makePerson();
  await withToken();
  const ran = await otherPerson.wm(['whoami']);
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /^wm: Not signed in\n/);
  await otherPerson.leave();
});

test('the profiles lock is unavailable: exit 1, and the profiles are unchanged', async () => {
  await withToken();
  await withToken(0, '--profile', 'b');
  const before = (await person.files()).get('profiles.json');
  const held = await createLock().acquire(join(person.folder, 'profiles.lock'), { timeoutMs: 0 });
  // Each look at the lock takes five seconds.
  const hurried: TestClock = createTestClock((milliseconds) => {
    if (milliseconds < 100) hurried.advance(5000);
  });
  const lock = createLock(process.platform, hurried);
  const ran = await person.wm(['auth', 'switch', 'b'], { exit: 1, world: { lock } });
  await held?.release();
  const who = `process ${process.pid}`;
  assert.ok(
    ran.errors.startsWith(`Waiting for ${who}, which is changing the profiles (up to 60 s).\n`),
    ran.errors,
  );
  assert.ok(ran.errors.includes(`\nwm: Another wm (${who}) is still changing the profiles\n`), ran.errors);
  assert.match(ran.errors, /The profiles are unchanged\. If it was stopped, continue it: kill -CONT \d+\n/);
  assert.equal((await person.files()).get('profiles.json'), before);
});

test('a current profile that is not text: the error says that the file cannot be read', async () => {
  for (const current of ['5', 'null', '[]', '{}', 'true']) {
    await writeFile(join(person.folder, 'profiles.json'), `{"format":1,"current":${current},"profiles":[]}`);
    const ran = await person.wm(['auth', 'list'], { exit: 2 });
    assert.match(ran.errors, /Cannot read \S+profiles\.json\n/);
  }
});
