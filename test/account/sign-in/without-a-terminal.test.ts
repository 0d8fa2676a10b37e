// What a sign-in reads and where it may prompt: standard input that is a terminal, that cannot be read, or that breaks
// off, and settings that do not go together. Each ends before anything is sent or stored.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createMemoryKeychain, missingKeychain } from '#test/support/memory-keychain.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { backTo } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import type { Keychain } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const application = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
const at = ['--auth-url', service.url];
const convert = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', ...at];
const withToken = ['login', '--with-token', '--host', service.host];
const https = ['--redirect-uri', 'https://app.example.com/callback'];

test('a terminal instead of a pipe, without prompts: a usage error with an example', async () => {
  const complete = ['login', '--complete'];
  await person.wm(['login', '--start', ...at], { environment: application });
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
    await person.wm(typed, { exit: 2, environment: application, world: { streams } });
    assert.ok(texts.errors.startsWith(`wm: ${message}\n`), texts.errors);
    assert.ok(texts.errors.endsWith(`  ${hint}\n`), texts.errors);
  }
  assert.deepEqual([...service.exchanges, ...service.calls], []);
});

test('says why standard input cannot be read', async () => {
  const readAll = () => Promise.reject(new Error('EISDIR: illegal operation on a directory, read'));
  for (const typed of [withToken, convert]) {
    const { streams, texts } = collectStreams({ input: { readAll } });
    await person.wm(typed, { exit: 2, environment: application, world: { streams } });
    assert.equal(
      texts.errors,
      'wm: Cannot read standard input\n  EISDIR: illegal operation on a directory, read\n',
    );
  }
});

test('a pipe that breaks off before the URL: says why, and how to pass the URL', async () => {
  await person.wm(['login', '--start', ...at], { environment: application });
  const raw = new PassThrough();
  raw.once('resume', () => raw.destroy(new Error('the pipe broke')));
  const { streams, texts } = collectStreams({ input: { raw } });
  await person.wm(['login', '--complete'], { exit: 2, world: { streams } });
  assert.match(
    texts.errors,
    /^Cannot read standard input: the pipe broke\nwm: Standard input ended without the address you landed on\n/,
  );
});

test('--start says why when no port is free for the callback', async () => {
  const { streams, texts } = collectStreams();
  await person.wm(['login', '--start', ...at], {
    exit: 1,
    environment: application,
    world: { streams, server: { listen: async () => ({ fault: 'failed', detail: 'too many open files' }) } },
  });
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
    assert.ok(ran.errors.endsWith(`give that address to: wm login --complete${repeated}\n`), ran.errors);
  }
});

test('a host that is not allowed: the hint allows it in addition to the hosts allowed before', async () => {
  service.answer = (response) => json(response, 200, tokens('API.other.test'));
  for (const [flags, allowed] of [
    [[], 'api.other.test'],
    [['--allow-host', 'one.test,two.test'], 'one.test,two.test,api.other.test'],
    [['--allow-host', '["one.test"]', '--allow-host', 'two.test'], 'one.test,two.test,api.other.test'],
  ] as const) {
    const ran = await person.loginEnds(1, service, ...flags);
    assert.ok(ran.errors.includes(` --allow-host ${allowed}\n`), ran.errors);
  }
});

test('--complete says that the keychain with the started sign-in is locked', async () => {
  const locked = async () => ({ fault: 'locked', detail: 'the user said no' }) as const;
  const environment = { WM_TOKEN_STORE: undefined };
  const complete = (status: number, keychain: Keychain) =>
    person.wm(['login', '--complete'], { exit: status, environment, input: 'x', world: { keychain } });
  const ran = await complete(1, { read: locked, write: locked, remove: locked });
  assert.match(ran.errors, /the user said no/);
  const none = await complete(2, missingKeychain);
  assert.match(none.errors, /wm login --start/);
  assert.doesNotMatch(none.errors, /bus/);
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
    await login('keychain');
    const second = await login('file', { remove: async () => ({ fault: 'locked', detail: 'it is locked' }) });
    assert.match(second.errors, /^The earlier tokens of default are still in the .*: .*locked/m);
  }
});

/** Without the ids, as earlier versions wrote it. */
test('compares a profile by user and account name if it has no ids', async () => {
  const login = (status = 0) => person.wm(withToken, { exit: status, input: secrets.access });
  await login();
  const stored = await person.profiles();
  const [{ userId: _, accountId: __, ...old }] = stored.profiles;
  for (const [change, status] of [
    [{}, 0],
    [{ user: 'Somebody Else' }, 2],
    [{ account: 'Another Company' }, 2],
  ] as const) {
    const { user, account } = { ...old, ...change };
    const profiles = { ...stored, profiles: [{ ...old, user, account }] };
    await writeFile(join(person.folder, 'profiles.json'), JSON.stringify(profiles));
    const { errors } = await login(status);
    const says = `wm: Not confirmed: Replace the sign-in of ${user} (${account}) in`;
    if (status === 2) assert.ok(errors.startsWith(says), errors);
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
  await ran;
  assert.match(texts.errors, /^Line 2 of standard input: /m);
  assert.doesNotMatch(texts.errors, /^Line [134]/m);
});
