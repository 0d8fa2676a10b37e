// What a sign-in reads and where it may prompt: standard input that is a terminal, that cannot be read, or that breaks
// off, and settings that do not go together. Each ends before anything is sent or stored.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { backTo, type Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import type { Keychain } from '#world/world.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
  service.answer = (response) => json(response, 200, tokens(service.host));
});

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
const at = ['--auth-url', service.url];
const convert = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', ...at];
const withToken = ['login', '--with-token', '--host', service.host];
const https = ['--redirect-uri', 'https://app.example.com/callback'];

test('a terminal instead of a pipe, without prompts: a usage error with an example', async () => {
  const complete = ['login', '--complete'];
  const started = await person.wm(['login', '--start', ...at], { environment: application });
  assert.equal(started.status, 0, started.errors);
  for (const [typed, message, hint] of [
    [
      withToken,
      'No token on standard input',
      `For example: wm login --with-token --host ${service.host} < token.txt`,
    ],
    [convert, 'No version 3 token on standard input', `For example: wm ${convert.join(' ')} < token.txt`],
    [complete, 'You must paste the address you land on', 'Pipe it: ... | wm login --complete'],
    [
      ['login', ...at, '--no-browser', ...https],
      'You must paste the address you land on',
      'Pipe it into the same command, or sign in in two steps: wm login --start',
    ],
  ] as const) {
    const { streams, texts } = collectStreams({ input: { isTerminal: true } });
    const { status } = await person.wm(typed, { environment: application, world: { streams } });
    assert.equal(status, 2, texts.errors);
    assert.ok(texts.errors.startsWith(`wm: ${message}\n`), texts.errors);
    assert.ok(texts.errors.endsWith(`  ${hint}\n`), texts.errors);
  }
  assert.deepEqual([...service.exchanges, ...service.calls], []);
});

test('says why standard input cannot be read', async () => {
  const readAll = () => Promise.reject(new Error('EISDIR: illegal operation on a directory, read'));
  for (const typed of [withToken, convert]) {
    const { streams, texts } = collectStreams({ input: { readAll } });
    const { status } = await person.wm(typed, { environment: application, world: { streams } });
    assert.equal(status, 2, texts.errors);
    assert.equal(
      texts.errors,
      'wm: Cannot read standard input\n  EISDIR: illegal operation on a directory, read\n',
    );
  }
});

test('rejects standard input that holds more than a token', async () => {
  const readAll = () => Promise.reject(new RangeError('more than 65536 bytes'));
  const { streams, texts } = collectStreams({ input: { readAll } });
  const { status } = await person.wm(withToken, { world: { streams } });
  assert.equal(status, 2, texts.errors);
  assert.ok(texts.errors.startsWith('wm: Standard input does not contain a token\n'), texts.errors);
});

test('a pipe that breaks off before the URL: says why, and how to pass the URL', async () => {
  await person.wm(['login', '--start', ...at], { environment: application });
  const raw = new PassThrough();
  raw.once('resume', () => raw.destroy(new Error('the pipe broke')));
  const { streams, texts } = collectStreams({ input: { raw } });
  const { status } = await person.wm(['login', '--complete'], { world: { streams } });
  assert.equal(status, 2, texts.errors);
  assert.match(
    texts.errors,
    /^Cannot read standard input: the pipe broke\nwm: Standard input ended without the address you landed on\n/,
  );
});

test('--start says why when no port is free for the callback', async () => {
  const { streams, texts } = collectStreams();
  const { status } = await person.wm(['login', '--start', ...at], {
    environment: application,
    world: { streams, server: { listen: async () => ({ fault: 'failed', detail: 'too many open files' }) } },
  });
  assert.equal(status, 1, texts.errors);
  assert.equal(texts.errors, 'wm: No free port\n  too many open files\n');
  assert.equal(texts.output, '');
});

test('--start repeats its flags in the command that completes it', async () => {
  for (const [flags, repeated] of [
    [[], ''],
    [['--force'], ' --force'],
    [['--store', 'file'], ' --store file'],
    [['--profile', 'work', '--store', 'file'], ' --profile work --store file'],
  ] as const) {
    const ran = await person.wm(['login', '--start', ...at, ...flags], { environment: application });
    assert.equal(ran.status, 0, ran.errors);
    assert.ok(ran.errors.endsWith(`give that address to: wm login --complete${repeated}\n`), ran.errors);
  }
});

test('--callback-host with an https callback: wm cannot listen for it', async () => {
  const ran = await person.wm(['login', ...at, '--no-browser', ...https, '--callback-host', '0.0.0.0'], {
    environment: application,
  });
  assert.equal(ran.status, 2, ran.errors);
  assert.equal(
    ran.errors,
    `wm: --callback-host and an https --redirect-uri cannot be combined
  wm cannot listen for an https callback: you paste the address you land on.
`,
  );
});

test('a host that is not allowed: the hint allows it in addition to the hosts allowed before', async () => {
  service.answer = (response) => json(response, 200, tokens('API.other.test'));
  for (const [flags, allowed] of [
    [[], 'api.other.test'],
    [['--allow-host', 'one.test,two.test'], 'one.test,two.test,api.other.test'],
    [['--allow-host', '["one.test"]', '--allow-host', 'two.test'], 'one.test,two.test,api.other.test'],
  ] as const) {
    const ran = await person.login(service, ...flags);
    assert.equal(ran.status, 1, ran.errors);
    assert.ok(ran.errors.includes(` --allow-host ${allowed}\n`), ran.errors);
  }
});

test('--complete says that the keychain with the started sign-in is locked', async () => {
  const locked = async () => ({ fault: 'locked', detail: 'the user said no' }) as const;
  const environment = { WM_TOKEN_STORE: undefined };
  const complete = (keychain: Keychain) =>
    person.wm(['login', '--complete'], { environment, input: 'x', world: { keychain } });
  const ran = await complete({ read: locked, write: locked, remove: locked });
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /the user said no/);
  const missing = async () => ({ fault: 'missing', detail: 'no bus' }) as const;
  const none = await complete({ read: missing, write: missing, remove: missing });
  assert.match(none.errors, /wm login --start/);
  assert.doesNotMatch(none.errors, /no bus/);
});

test('after a change of store, names the tokens that stay in the old one', async () => {
  for (const [typed, input] of [
    [withToken, secrets.access],
    [convert, 'canary-v3'],
  ] as const) {
    const keychain = createMemoryKeychain();
    const login = (store: string, more: Partial<Keychain> = {}) =>
      person.wm([...typed, '--store', store], {
        environment: application,
        input,
        world: { keychain: { ...keychain, ...more } },
      });
    const first = await login('keychain');
    assert.equal(first.status, 0, first.errors);
    const second = await login('file', {
      remove: async () => ({ fault: 'locked', detail: 'it is locked' }),
    });
    assert.equal(second.status, 0, second.errors);
    assert.match(second.errors, /^The earlier tokens of default are still in the .*: .*locked/m);
  }
});

/** Without the ids, as earlier versions wrote it. */
test('compares a profile by user and account name if it has no ids', async () => {
  const login = () => person.wm(withToken, { input: secrets.access });
  assert.equal((await login()).status, 0);
  const path = join(person.folder, 'profiles.json');
  const profiles = JSON.parse((await person.files()).get('profiles.json') ?? '');
  const [{ userId: _, accountId: __, ...old }] = profiles.profiles;
  for (const [change, status] of [
    [{}, 0],
    [{ user: 'Somebody Else' }, 2],
    [{ account: 'Another Company' }, 2],
  ] as const) {
    await writeFile(path, JSON.stringify({ ...profiles, profiles: [{ ...old, ...change }] }));
    const ran = await login();
    assert.equal(ran.status, status, ran.errors);
    const named = { ...old, ...change };
    if (status === 2)
      assert.ok(
        ran.errors.startsWith(
          `wm: Not confirmed: Replace the sign-in of ${named.user} (${named.account}) in`,
        ),
        ran.errors,
      );
  }
});

test('a URL that arrives in chunks among other lines completes the sign-in', async () => {
  const started = await person.wm(['login', '--start', ...at], { environment: application });
  const landing = backTo(new URL(started.output), { code: secrets.code });
  const raw = new PassThrough();
  const { streams, texts } = collectStreams({ input: { raw } });
  const ran = person.wm(['login', '--complete'], { world: { streams } });
  raw.write(`\nnot an address\n${landing.slice(0, 20)}`);
  raw.write(`${landing.slice(20)}\nmore\n`);
  assert.equal((await ran).status, 0, texts.errors);
  assert.match(texts.errors, /^Line 2 of standard input: /m);
  assert.doesNotMatch(texts.errors, /^Line [134]/m);
});
