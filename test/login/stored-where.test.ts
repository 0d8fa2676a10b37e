// A profile remembers the store that its tokens are in: no later shell needs the variable of the sign-in. Once a day it is
// said where plain text is, and a sign-in elsewhere moves the tokens. The keychain here is one in memory, or missing.

import assert from 'node:assert/strict';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryKeychain, missingKeychain as missing } from '#test/support/memory-keychain.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { backTo, type WmSetting } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createClock } from '#world/clock.ts';
import type { Keychain } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

/** A shell in which nobody said which store. */
function shell(keychain: Keychain, more: Readonly<Record<string, string>> = {}, hour = 0): WmSetting {
  const now = () => Date.now() + hour * 3_600_000;
  return {
    environment: { WM_TOKEN_STORE: undefined, ...more },
    world: { keychain, clock: { ...createClock(), now } },
  };
}

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };

function signIn(
  keychain: Keychain,
  typed: readonly string[],
  more: Readonly<Record<string, string>> = {},
  status = 0,
) {
  const setting = shell(keychain, { ...application, ...more });
  return person.wm(['login', '--auth-url', service.url, ...typed], { ...setting, exit: status });
}

const stores = async () => (await person.profiles()).profiles.map(({ store }) => store);

const reminder = /^The tokens are stored as plain text in (.*), readable only by you\.$/gm;

test('signed in with WM_TOKEN_STORE=file: every command in a new shell finds the tokens without it', async () => {
  await signIn(missing, [], { WM_TOKEN_STORE: 'file' });
  assert.deepEqual(await stores(), ['file']);
  for (const typed of [
    'whoami',
    'auth list',
    'auth status',
    'auth switch default',
    // By the helper process, which has the keychain of this machine, and must not ask it.
    'auth refresh',
    'task get IEAAAAAQKQAB5BNG --curl',
    'doctor',
    'logout --yes',
  ]) {
    const { errors } = await person.wm(typed.split(' '), shell(missing));
    assert.doesNotMatch(errors, /keychain/);
  }
  assert.equal((await person.files()).has('tokens/default.json'), false);
});

test('--store overrides WM_TOKEN_STORE, and both override the remembered store', async () => {
  const keychain = createMemoryKeychain();
  const stored = async () => [(await person.files()).has('tokens/default.json'), keychain.items.size];
  await signIn(keychain, ['--store', 'file'], { WM_TOKEN_STORE: 'keychain' });
  assert.deepEqual(await stored(), [true, 0]);
  // Remembered: neither says anything.
  await signIn(keychain, []);
  assert.deepEqual(await stored(), [true, 0]);
  await signIn(keychain, [], { WM_TOKEN_STORE: 'keychain' });
  assert.deepEqual(await stored(), [false, 1]);
  assert.deepEqual(await stores(), ['keychain']);
  await signIn(keychain, ['--store', 'file']);
  assert.deepEqual(await stored(), [true, 0]);
  await person.wm(['whoami'], shell(keychain));
  const wrong = await signIn(keychain, ['--store', 'paper'], {}, 2);
  assert.match(wrong.errors, /^wm: --store: "paper" is not one of keychain, file\n/);
});

test('--with-token and convert-v3 remember the store too', async () => {
  const environment = { WM_TOKEN_STORE: undefined, ...application, WM_HOST: service.host };
  const setting = { environment, world: { keychain: missing }, input: secrets.access };
  await person.wm(['login', '--with-token', '--store', 'file'], setting);
  const old = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', service.url];
  await person.wm([...old, '--profile', 'old', '--store', 'file'], setting);
  assert.deepEqual(await stores(), ['file', 'file']);
  for (const name of ['default', 'old']) await person.wm(['whoami', '--profile', name], shell(missing));
});

test('moving away from an unavailable keychain: warns that the earlier tokens are still there', async () => {
  await signIn(createMemoryKeychain(), ['--store', 'keychain']);
  const ran = await signIn(missing, ['--store', 'file']);
  assert.match(
    ran.errors,
    /^The earlier tokens of default are still in the keychain: No keychain is available$/m,
  );
  await person.wm(['whoami'], shell(missing));
});

test('names the plain text file at the sign-in, then once a day, never on standard output', async () => {
  // Good for all of these days.
  service.answer = (response) => json(response, 200, tokens(service.host, { expires_in: 1_000_000 }));
  const first = await signIn(missing, ['--store', 'file']);
  assert.deepEqual(
    [...first.errors.matchAll(reminder)].map(([, path]) => path),
    [join(person.folder, 'tokens', 'default.json')],
  );
  const notices = async (hour: number, typed: readonly string[] = ['whoami']) => {
    const { output, errors } = await person.wm(typed, shell(missing, {}, hour));
    assert.doesNotMatch(output, /plain text/);
    return [...errors.matchAll(reminder)].length;
  };
  assert.deepEqual([await notices(0), await notices(1), await notices(23)], [0, 0, 0]);
  // Who wants to hear nothing does not use up the day's time for those who do.
  assert.equal(await notices(25, ['whoami', '--quiet']), 0);
  assert.deepEqual(
    [await notices(25), await notices(25), await notices(48), await notices(50), await notices(50)],
    [1, 0, 0, 1, 0],
  );
});

test('an unusable state folder: warns each time, and everything works', async () => {
  await signIn(missing, ['--store', 'file']);
  await rm(join(person.folder, 'state'), { recursive: true });
  await writeFile(join(person.folder, 'state'), 'no folder');
  for (let round = 0; round < 2; round++) {
    const { errors } = await person.wm(['whoami'], shell(missing));
    assert.equal([...errors.matchAll(reminder)].length, 1);
  }
  await rm(join(person.folder, 'state'));
  for (const content of ['', '[]', '{"tokens":7}', 'null', '{"x":']) {
    await writeFile(join(person.folder, 'state'), '').catch(() => {});
    await rm(join(person.folder, 'state'), { recursive: true });
    await person.wm(['whoami'], shell(missing));
    await writeFile(join(person.folder, 'state', 'said.json'), content);
    const { errors } = await person.wm(['whoami'], shell(missing));
    assert.equal([...errors.matchAll(reminder)].length, 1, content);
  }
});

test('WM_TOKEN_STORE is for new sign-ins: with a profile stored elsewhere, warns once a day', async () => {
  await signIn(missing, ['--store', 'file']);
  const setting = shell(missing, { WM_TOKEN_STORE: 'keychain' });
  const line =
    /^WM_TOKEN_STORE=keychain applies to new sign-ins only: the tokens of default are in .*tokens\. To move them: (.*)$/m;
  const ran = await person.wm(['whoami'], setting);
  assert.equal(line.exec(ran.errors)?.[1], 'wm login --profile default --store keychain');
  assert.doesNotMatch((await person.wm(['whoami'], setting)).errors, line);
  // And what it prints does that.
  const keychain = createMemoryKeychain();
  await signIn(keychain, ['--profile', 'default', '--store', 'keychain']);
  assert.deepEqual([(await person.files()).has('tokens/default.json'), keychain.items.size], [false, 1]);
});

test('a profile from before stores were remembered: uses WM_TOKEN_STORE, or the keychain', async () => {
  await signIn(missing, ['--store', 'file']);
  const stored = await person.profiles();
  const write = (store?: string) => {
    const profiles = [{ ...stored.profiles[0], store }];
    return writeFile(join(person.folder, 'profiles.json'), JSON.stringify({ ...stored, profiles }));
  };
  await write();
  const file = shell(missing, { WM_TOKEN_STORE: 'file' });
  for (const typed of [['whoami'], ['auth', 'refresh'], ['auth', 'status']]) await person.wm(typed, file);
  const without = await person.wm(['whoami'], { ...shell(missing), exit: 1 });
  assert.match(without.errors, /^wm: No keychain is available\n/);
  await write('paper');
  const wrong = await person.wm(['whoami'], { ...file, exit: 2 });
  assert.match(wrong.errors, /Cannot read \S+profiles\.json/);
});

test('no keychain, and no prompt: exit 1 before anything is opened, with alternatives that work', async () => {
  for (const typed of [[], ['--yes'], ['--no-input', '--no-browser'], ['--store', 'keychain']]) {
    const ran = await signIn(missing, typed, {}, 1);
    assert.match(
      ran.errors,
      /^wm: No keychain is available\n {2}no session bus\n.*WM_TOKEN and WM_HOST.*wm login --store file/,
    );
    assert.equal(person.consent, undefined);
  }
  assert.deepEqual([...(await person.files()).keys()], []);
  await signIn(missing, ['--store', 'file']);
});

test('in two steps: the second finds what the first stored, and the profile remembers the store', async () => {
  const first = await signIn(missing, ['--start', '--store', 'file']);
  const landed = backTo(new URL(first.output), { code: secrets.code });
  await person.wm(['login', '--complete'], { ...shell(missing), input: landed });
  assert.deepEqual(await stores(), ['file']);
  await person.wm(['whoami'], shell(missing));
  const none = await person.wm(['login', '--complete'], { ...shell(missing), exit: 2, input: landed });
  assert.doesNotMatch(none.errors, /keychain/);
});

test('doctor gives the reason once', async () => {
  const count = (text: string) => text.split('No keychain is available').length - 1;
  const nobody = await person.wm(['doctor'], { ...shell(missing), exit: 10 });
  assert.equal(count(nobody.output), 1, nobody.output);
  await signIn(createMemoryKeychain(), ['--store', 'keychain']);
  const ran = await person.wm(['doctor'], { ...shell(missing), exit: 10 });
  assert.equal(count(ran.output), 1, ran.output);
  assert.match(ran.errors, /^wm: 1 of \d checks failed: token store\n/);
  assert.match(ran.output, /^service\tnotice\tnot checked: /m);
});

test('doctor gives a reason shared by several checks once, for the check that can fix it', {
  skip: process.platform === 'win32' && 'needs modes of files',
}, async () => {
  await signIn(missing, ['--store', 'file']);
  await chmod(person.folder, 0o722);
  const ran = await person.wm(['doctor'], { ...shell(missing), exit: 10 });
  const rows = ran.output.split('\n').filter((line) => line.includes('Other users can write'));
  assert.deepEqual(
    rows.map((row) => row.split('\t', 1)[0]),
    ['permissions'],
    ran.output,
  );
  assert.match(ran.errors, /^wm: 1 of \d checks failed: permissions\n/);
});
