// A permanent token: from standard input into the store, proved first; and a token from the environment, which is kept
// nowhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, startAuthService, tokens } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
});

const withToken = (input: string, ...more: string[]) =>
  person.wm(['login', '--with-token', '--host', service.host, '--verbose', ...more], { input });

for (const [name, input] of [
  ['alone', secrets.access],
  ['with the end of a line', `${secrets.access}\n`],
  ['with the end of a line of Windows', `${secrets.access}\r\n`],
  ['with space around', `\n  ${secrets.access}\t\n\n`],
  ['behind a byte order mark', `\ufeff${secrets.access}`],
] as const) {
  test(`--with-token, the token ${name}`, async () => {
    const ran = await withToken(input);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(await person.item(), { generation: 1, accessToken: secrets.access, host: service.host });
    assert.equal((await person.wm(['whoami'])).status, 0);
    assert.equal((await person.wm(['auth', 'status', '--json'])).status, 0);
  });
}

for (const [name, input] of [
  ['nothing', ''],
  ['only space', ' \n'],
  ['two tokens', 'canary-one\ncanary-two\n'],
  ['a token with a space', 'canary one'],
  ['another alphabet', 'canary-ключ'],
  ['a zero byte', 'canary\0'],
] as const) {
  test(`--with-token, ${name}: rejected without being shown`, async () => {
    const ran = await withToken(input);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /^wm: Standard input does not contain a token\n/m);
    assert.deepEqual(service.calls, []);
    assert.deepEqual([...(await person.files()).keys()], []);
  });
}

for (const line of [
  ['login', '--with-token', 'canary-token'],
  ['login', 'canary-token'],
  ['login', '--complete', 'http://127.0.0.1:8400/callback?code=canary-code&state=x'],
  ['auth', 'convert-v3', 'canary-token'],
]) {
  test(`wm ${line.slice(0, 2).join(' ')} with a secret as an argument: says where it goes without showing it`, async () => {
    const ran = await person.wm(line);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(
      ran.errors,
      /^wm: Too many arguments: 1 was given\n {2}Give (?:a|the version 3) token on standard input: wm /,
    );
    const words = printedCommand(ran.errors, 'standard input: ');
    assert.deepEqual(words.slice(-2), ['<', 'token.txt']);
    const environment = {
      WM_AUTH_URL: service.url,
      WM_CLIENT_ID: 'app',
      WM_CLIENT_SECRET: secrets.clientSecret,
    };
    service.answer = (response) => json(response, 200, tokens(service.host));
    // The example's host has no service; the test's stands for it.
    const right = words.slice(0, -2).map((word) => (word === 'api.example.com' ? service.host : word));
    const again = await person.wm(right, { environment, input: secrets.access });
    assert.equal(again.status, 0, again.errors);
  });
}

test('--with-token with a token that the service rejects: exit 4, nothing stored', async () => {
  const ran = await withToken('canary-unknown');
  assert.equal(ran.status, 4, ran.errors);
  const files = [...(await person.files()).keys()].filter((path) => !path.endsWith('.lock'));
  assert.deepEqual(files, []);
});

test('--with-token needs a valid host', async () => {
  for (const [more, environment] of [
    [[], {}],
    [['--host', 'https://api.example.com'], {}],
    [['--host', 'api.example.com/api/v4'], {}],
    [[], { WM_HOST: 'user@api.example.com' }],
  ] as const) {
    const ran = await person.wm(['login', '--with-token', ...more], { input: secrets.access, environment });
    assert.equal(ran.status, 2, ran.errors);
    assert.deepEqual([...(await person.files()).keys()], []);
  }
});

test('a permanent token that is rejected later: exit 4 after one request, and it stays stored', async () => {
  await withToken(secrets.access);
  const before = await person.files();
  const other = await startAuthService();
  try {
    service.calls.length = 0;
    const revoked = `canary-revoked`;
    const files = await person.files();
    assert.ok(files.get('tokens/default.json')?.includes(secrets.access));
    // The same sign-in, whose token the service no longer knows.
    const { writeFile } = await import('node:fs/promises');
    const item = { ...(await person.item()), accessToken: revoked };
    await writeFile(`${person.folder}/tokens/default.json`, JSON.stringify(item));
    const ran = await person.wm(['task', 'get', 'IEAAAAAQKQAB5BNG', '--verbose']);
    assert.equal(ran.status, 4, ran.errors);
    assert.equal(service.calls.length, 1);
    assert.equal((await person.item()).accessToken, revoked);
    assert.equal((await person.files()).get('profiles.json'), before.get('profiles.json'));
  } finally {
    await other.close();
  }
});

test('WM_TOKEN with WM_HOST: used, but neither stored nor shown', async () => {
  const environment = { WM_TOKEN: secrets.access, WM_HOST: service.host };
  const ran = await person.wm(['whoami', '--verbose'], { environment });
  assert.equal(ran.status, 0, ran.errors);
  const files = await person.files();
  // The name of the user, for the completion of shells.
  assert.deepEqual(
    [...files.keys()].filter((path) => !path.includes('completion')),
    [],
  );
  assert.doesNotMatch([...files.values()].join('\n'), new RegExp(secrets.access));
  assert.equal(service.calls[0]?.headers.authorization, `Bearer ${secrets.access}`);
});

test('WM_TOKEN takes precedence over the current profile, and --profile over WM_TOKEN', async () => {
  await withToken(secrets.access);
  const other = await startAuthService();
  const environment = { WM_TOKEN: secrets.access, WM_HOST: other.host };
  service.calls.length = 0;
  assert.equal((await person.wm(['whoami'], { environment })).status, 0);
  assert.deepEqual([service.calls.length, other.calls.length], [0, 2]);
  assert.equal((await person.wm(['whoami', '--profile', 'default'], { environment })).status, 0);
  assert.deepEqual([service.calls.length, other.calls.length], [2, 2]);
  await other.close();
});

test('WM_TOKEN without WM_HOST is a usage error, not a guess', async () => {
  const ran = await person.wm(['whoami'], { environment: { WM_TOKEN: secrets.access } });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /^wm: WM_TOKEN is set, but WM_HOST is not\n/);
});

test('never sends a permanent token to a token endpoint', async () => {
  service.answer = (response) => json(response, 500, {});
  await withToken(secrets.access);
  await person.wm(['whoami']);
  assert.deepEqual(service.exchanges, []);
});
