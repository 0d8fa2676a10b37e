// Where tokens are kept: a file for one's own eyes, or a keychain; told apart by config folder; and what is said where
// that cannot be done. The keychain here is one in memory, which faults when it is told to.

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTokenStore } from '#login/open-token-store.ts';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import type { WmSetting } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createFiles } from '#world/files.ts';
import type { Environment, Keychain, KeychainFault } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const item = { generation: 3, accessToken: secrets.access, host: 'api.example.com' };

const failing = (fault: KeychainFault): Keychain => ({
  read: async () => fault,
  write: async () => fault,
  remove: async () => fault,
});

const openStore = (kind: 'file' | 'keychain', keychain: Keychain = createMemoryKeychain()) => {
  const files = createFiles({ WM_CONFIG_DIR: person.folder }, process.platform);
  return openTokenStore({ files, keychain }, kind);
};

const signIn = (environment: Environment, setting: WmSetting = {}) =>
  person.wm(['login', '--auth-url', service.url, '--client-id', 'app'], {
    ...setting,
    environment: { WM_CLIENT_SECRET: secrets.clientSecret, ...environment },
  });

test('file: mode 0600 in a folder of mode 0700, even over a file that others could read', async () => {
  const store = openStore('file');
  const path = join(person.folder, 'tokens', 'work.json');
  assert.equal(await store.read('work'), undefined);
  await store.write('work', item);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(person.folder, 'tokens'))).mode & 0o777, 0o700);
  await chmod(path, 0o644);
  await store.write('work', { ...item, generation: 4 });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await store.read('work'), { ...item, generation: 4 });
  await store.assertWritable();
  assert.deepEqual(await readdir(join(person.folder, 'tokens')), ['work.json']);
  assert.equal(await store.remove('work'), true);
  assert.equal(await store.remove('work'), false);
});

for (const kind of ['file', 'keychain'] as const) {
  test(`${kind}: an unfinished sign-in is stored apart from the tokens, and removed with them`, async () => {
    const store = openStore(kind);
    await store.write('work', item);
    assert.equal(await store.pending.read('work'), undefined);
    await store.pending.write('work', 'canary-one');
    await store.pending.write('work', 'canary-two');
    assert.equal(await store.pending.read('work'), 'canary-two');
    assert.equal(await store.pending.read('other'), undefined);
    assert.deepEqual(await store.read('work'), item);
    if (kind === 'file') {
      const { mode } = await stat(join(person.folder, 'tokens', '.pending-work.json'));
      assert.equal(mode & 0o777, 0o600);
    }
    assert.deepEqual([await store.pending.remove('work'), await store.pending.remove('work')], [true, false]);
    assert.deepEqual(await store.read('work'), item);
    await store.pending.write('work', 'canary-three');
    assert.equal(await store.remove('work'), true);
    assert.equal(await store.pending.read('work'), undefined);
  });
}

test('keychain: a fault between the chunks of a secret is an error, never a partial sign-in', async () => {
  const memory = createMemoryKeychain();
  let locked = '';
  const keychain: Keychain = {
    ...memory,
    read: async (of, account) =>
      account.endsWith(locked) && locked !== ''
        ? { fault: 'locked', detail: 'as the system said' }
        : memory.read(of, account),
    write: async (of, account, secret) =>
      secret.length > 1_280 ? { fault: 'too-large', detail: '' } : memory.write(of, account, secret),
  };
  const store = openStore('keychain', keychain);
  const large = { ...item, accessToken: 'canary'.repeat(500) };
  await store.write('work', large);
  assert.deepEqual(await store.read('work'), large);
  const parts = [...memory.items.keys()].filter((name) => /#\d\.\d+$/.test(name));
  assert.ok(parts.length >= 3, `${parts.length}`);
  for (const part of parts) {
    locked = part.slice(part.indexOf('#'));
    await assert.rejects(store.read('work'), /^Failure: The keychain is locked$/);
  }
  locked = '';
  assert.deepEqual(await store.read('work'), large);
  // As after another program has tidied up.
  await memory.remove('wm', parts[1] ?? '');
  await assert.rejects(store.read('work'), /^Failure: Cannot read the tokens in the keychain$/);
});

test('keychain: a fault while writing the chunks or the header of a secret keeps the earlier secret', async () => {
  const memory = createMemoryKeychain();
  let failing: string | undefined;
  const keychain: Keychain = {
    ...memory,
    write: async (of, account, secret) => {
      if (secret.length > 1_280) return { fault: 'too-large', detail: '' };
      const part = account.includes('#') ? account.slice(account.indexOf('#')) : 'header';
      return part === failing
        ? { fault: 'locked', detail: 'as the system said' }
        : memory.write(of, account, secret);
    },
  };
  const store = openStore('keychain', keychain);
  const before = { ...item, accessToken: 'canary'.repeat(500) };
  await store.write('work', before);
  const next = { ...before, generation: before.generation + 1, accessToken: 'second'.repeat(500) };
  const slot = next.generation % 2;
  for (const part of [`#${slot}.0`, `#${slot}.2`, 'header']) {
    failing = part;
    await assert.rejects(store.write('work', next), /^Failure: The keychain is locked$/);
    failing = undefined;
    assert.deepEqual(await store.read('work'), before, part);
  }
  await store.write('work', next);
  assert.deepEqual(await store.read('work'), next);
  const slots = [...memory.items.keys()].flatMap((name) => /#(\d)\.\d+$/.exec(name)?.[1] ?? []);
  assert.deepEqual([...new Set(slots)], [String(slot)]);
});

test('keychain: a fault while removing a chunked secret is reported, and the rest can be removed later', async () => {
  const memory = createMemoryKeychain();
  let isLocked = (_call: 'read' | 'remove', _account: string) => false;
  const fault: KeychainFault = { fault: 'locked', detail: 'as the system said' };
  const keychain: Keychain = {
    read: async (of, account) => (isLocked('read', account) ? fault : memory.read(of, account)),
    write: async (of, account, secret) =>
      secret.length > 1_280 ? { fault: 'too-large', detail: '' } : memory.write(of, account, secret),
    remove: async (of, account) => (isLocked('remove', account) ? fault : memory.remove(of, account)),
  };
  const store = openStore('keychain', keychain);
  const part = `#${item.generation % 2}.1`;
  for (const locked of ['remove', 'read']) {
    await store.write('work', { ...item, accessToken: 'canary'.repeat(500) });
    isLocked = (call, account) => call === locked && account.endsWith(part);
    await assert.rejects(store.remove('work'), /^Failure: The keychain is locked$/);
    assert.ok(memory.items.size > 0);
    assert.equal(await store.read('work'), undefined);
    isLocked = () => false;
    await store.remove('work');
    assert.deepEqual([...memory.items.keys()], []);
  }
});

const broken = [
  '',
  'not JSON, canary-access-token',
  '[]',
  'null',
  '{"accessToken":"canary-access-token"}',
  '{"generation":1,"accessToken":"canary-access-token"}',
  '{"generation":"1","accessToken":"canary-access-token","host":"api.example.com"}',
  '{"generation":1,"accessToken":12,"host":"api.example.com"}',
  '{"generation":1,"accessToken":"canary-access-token","host":"api.example.com","refreshToken":7}',
  // No header can hold these: an editor broke the line, or joined two of them.
  '{"generation":1,"host":"api.example.com","accessToken":"canary-access\\ntoken"}',
  '{"generation":1,"host":"api.example.com","accessToken":"canary-access-token\\r"}',
  '{"generation":1,"host":"api.example.com","accessToken":""}',
];

for (const content of broken) {
  test(`an invalid stored sign-in is reported, and not shown: ${content.slice(0, 40)}`, async () => {
    await person.login(service);
    await writeFile(join(person.folder, 'tokens', 'default.json'), content);
    for (const line of [['whoami'], ['auth', 'token'], ['auth', 'status']]) {
      const ran = await person.wm(line, { exit: 1 });
      assert.match(
        ran.errors,
        /^wm: Cannot read the tokens in .*default\.json\n.*\n.*wm login --profile default\n/,
      );
    }
    // And that is how it is mended.
    await person.login(service);
    await person.wm(['whoami']);
  });
}

test('an unwritable store is reported before the user is sent to sign in', async () => {
  await writeFile(join(person.folder, 'file'), '');
  const places = [join(person.folder, 'file', 'below'), join(person.folder, 'tokens-is-a-file')];
  await mkdir(places[1] ?? '');
  await writeFile(join(places[1] ?? '', 'tokens'), '');
  for (const place of places) {
    const ran = await signIn({ WM_CONFIG_DIR: place }, { exit: 1 });
    assert.match(ran.errors, /^wm: Cannot store tokens in /m);
    assert.ok(ran.errors.includes(place), ran.errors);
    assert.doesNotMatch(ran.errors, /bug in wm/);
    assert.equal(person.consent, undefined);
  }
});

test('a file in place of a folder, or the reverse, is not a bug in wm', async () => {
  await person.login(service);
  await mkdir(join(person.folder, 'tokens', 'work.json'));
  const { profiles, ...stored } = await person.profiles();
  const text = JSON.stringify({ ...stored, profiles: [{ ...profiles[0], name: 'work' }] });
  await writeFile(join(person.folder, 'profiles.json'), text);
  const ran = await person.wm(['whoami', '--profile', 'work'], { exit: 1 });
  assert.doesNotMatch(ran.errors, /bug in wm/);
  assert.match(ran.errors, /work\.json/);
});

test('keychain: one item for each profile, and only a note on disk', async () => {
  const keychain = createMemoryKeychain();
  await signIn({ WM_TOKEN_STORE: undefined }, { world: { keychain } });
  await signIn({ WM_TOKEN_STORE: undefined, WM_PROFILE: 'work' }, { world: { keychain } });
  const accounts = [...keychain.items.keys()].map((key) => key.replace(/@[0-9a-f]{12}$/, '@hash'));
  assert.deepEqual(accounts, ['default@hash', 'work@hash']);
  const items = [...keychain.items.values()].map((text) => JSON.parse(text));
  assert.ok(
    items.every(
      (item) => item.clientSecret === secrets.clientSecret && item.refreshToken === secrets.refresh,
    ),
  );
  assert.deepEqual(
    [...(await person.files()).keys()].filter((path) => path.startsWith('tokens')),
    ['tokens/.keychain-default', 'tokens/.keychain-work'],
  );
  const ran = await person.wm(['whoami'], {
    environment: { WM_TOKEN_STORE: 'keychain' },
    world: { keychain },
  });
  assert.doesNotMatch(ran.errors, /plain text/);
});

test('keychain: two config folders of one user are separate, and so are two values of HOME', async () => {
  const keychain = createMemoryKeychain();
  const at = (environment: Record<string, string>, items?: 'old') =>
    openTokenStore(
      { keychain, files: createFiles(environment, 'linux', '/', () => '/home/me') },
      'keychain',
      items,
    );
  const first = at({ WM_CONFIG_DIR: '/a' });
  const two = at({ WM_CONFIG_DIR: '/b' });
  const usual = at({ HOME: '/home/me' });
  const elsewhere = at({ HOME: '/home/other' });
  await first.write('default', item);
  for (const otherStore of [two, usual, elsewhere]) assert.equal(await otherStore.read('default'), undefined);
  await usual.write('default', { ...item, generation: 9 });
  await elsewhere.write('default', { ...item, generation: 7 });
  assert.equal((await first.read('default'))?.generation, 3);
  assert.equal((await usual.read('default'))?.generation, 9);
  // sha256 of "/a" and of "/home/other/.config/wm", by sha256sum.
  assert.deepEqual([...keychain.items.keys()], ['default@6a50dc858413', 'default', 'default@a01f77055743']);
  // Earlier versions looked at HOME alone: there what they stored is found under the plain name.
  assert.equal((await at({ HOME: '/home/other' }, 'old').read('default'))?.generation, 9);
});

for (const fault of ['missing', 'locked', 'timeout', 'too-large', 'failed'] as const) {
  test(`keychain, ${fault}: exit 1 before the browser opens, with the alternatives`, async () => {
    const keychain = failing({ fault, detail: 'as the system said' });
    const ran = await signIn({ WM_TOKEN_STORE: undefined }, { exit: 1, world: { keychain } });
    assert.match(ran.errors, /^wm: (No|The) .*keychain.*\n {2}as the system said\n.*wm login --store file/);
    assert.equal(person.consent, undefined);
    assert.deepEqual(
      [...(await person.files()).keys()].filter((path) => path.startsWith('tokens')),
      [],
    );
  });
}

test('keychain: a write check detects a keychain that forgets', async () => {
  const keychain: Keychain = { ...createMemoryKeychain(), read: async () => ({ secret: undefined }) };
  const store = openStore('keychain', keychain);
  await assert.rejects(store.assertWritable(), /The keychain failed/);
});
