// A permanent token: from standard input into the store, proved first; and a token from the environment, which is kept
// nowhere.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { json, secrets, startAuthService } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const person = personForEach();

const withToken = (input: string, status = 0) =>
  person.wm(['login', '--with-token', '--host', service.host, '--verbose'], { input, exit: status });

for (const [name, input] of [
  ['alone', secrets.access],
  ['with the end of a line', `${secrets.access}\n`],
  ['with the end of a line of Windows', `${secrets.access}\r\n`],
  ['with space around', `\n  ${secrets.access}\t\n\n`],
  ['behind a byte order mark', `\ufeff${secrets.access}`],
] as const) {
  test(`--with-token, the token ${name}`, async () => {
    await withToken(input);
    assert.deepEqual(await person.item(), { generation: 1, accessToken: secrets.access, host: service.host });
    await person.wm(['whoami']);
    await person.wm(['auth', 'status', '--json']);
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
    assert.match((await withToken(input, 2)).errors, /^wm: Standard input does not contain a token\n/m);
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
    const ran = await person.wm(line, { exit: 2 });
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
    // The example's host has no service; the test's stands for it.
    const right = words.slice(0, -2).map((word) => (word === 'api.example.com' ? service.host : word));
    await person.wm(right, { environment, input: secrets.access });
  });
}

test('a permanent token that is rejected later: exit 4 after one request, and it stays stored', async () => {
  await withToken(secrets.access);
  const before = await person.profiles();
  service.calls.length = 0;
  // The same sign-in, whose token the service no longer knows.
  const item = { ...(await person.item()), accessToken: 'canary-revoked' };
  await writeFile(join(person.folder, 'tokens', 'default.json'), JSON.stringify(item));
  await person.wm(['task', 'get', 'IEAAAAAQKQAB5BNG', '--verbose'], { exit: 4 });
  assert.equal(service.calls.length, 1);
  assert.deepEqual([await person.item(), await person.profiles()], [item, before]);
});

test('WM_TOKEN with WM_HOST: used, but neither stored nor shown', async () => {
  const environment = { WM_TOKEN: secrets.access, WM_HOST: service.host };
  await person.wm(['whoami', '--verbose'], { environment });
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
  await person.wm(['whoami'], { environment });
  assert.deepEqual([service.calls.length, other.calls.length], [0, 2]);
  await person.wm(['whoami', '--profile', 'default'], { environment });
  assert.deepEqual([service.calls.length, other.calls.length], [2, 2]);
  await other.close();
});

test('never sends a permanent token to a token endpoint', async () => {
  service.answer = (response) => json(response, 500, {});
  await withToken(secrets.access);
  await person.wm(['whoami']);
  assert.deepEqual(service.exchanges, []);
});
