// A version 3 token becomes a sign-in at the data centre that the answer names, or that the person does; and whatever is
// wrong is found before the old token is used. Tokens come from standard input, however much that holds.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import type { WmSetting } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

const environment = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
const line = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', service.url];
const convert = (status: number, more: readonly string[] = [], setting: WmSetting = {}) =>
  person.wm([...line, ...more], { exit: status, input: 'canary-v3', environment, ...setting });
const nothingIsSent = () => assert.deepEqual([...service.exchanges, ...service.calls], []);

test('uses the host in the response, or --host if the response has none or one that is not allowed', async () => {
  for (const named of [service.host, undefined, 'evil.test']) {
    service.answer = (response) => json(response, 200, tokens(named));
    await convert(0, ['--host', service.host]);
    assert.equal((await person.item()).host, service.host);
  }
});

test('without either host, the error says that the token was converted and can be converted again', async () => {
  for (const [named, hint] of [
    [undefined, /such as --host api\.example\.com: .* can be converted again for one day/],
    [
      'evil.test',
      / --host evil\.test < token\.txt\n {2}You can run it again: .* can be converted again for one day/,
    ],
  ] as const) {
    service.answer = (response) => json(response, 200, tokens(named));
    const { errors } = await convert(1);
    assert.match(errors, /^wm: The token was converted/m);
    assert.match(errors, hint);
  }
});

test('uses tokens that arrived complete although the response broke off', async () => {
  service.answer = (response) => {
    const text = JSON.stringify(tokens(service.host));
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length + 1}\r\n\r\n${text}`);
  };
  const { errors } = await convert(0, ['--verbose']);
  assert.match(errors, /^The response of the token endpoint broke off \(.*; its JSON is complete/m);
  assert.equal((await person.item()).accessToken, secrets.access);
});

test('an infinite lifetime does not lock the user out', async () => {
  service.answer = (response) => json(response, 200, tokens(service.host, { expires_in: 1e300 }));
  await convert(0);
  for (const words of [['whoami'], ['auth', 'status']]) await person.wm(words);
});

test('finds every mistake before it uses the old token', async () => {
  await writeFile(join(person.folder, '.wm.json'), '{ "profile": "../x" }');
  await convert(2);
  await convert(2, ['--profile', 'x', '--host', 'https://x']);
  await writeFile(join(person.folder, 'profiles.json'), '{');
  await convert(2, ['--profile', 'x']);
  nothingIsSent();
});

test('without a usable response, reports an unknown outcome and the command to sign in instead', async () => {
  for (const [status, why] of [
    [502, 'The service responded with 502'],
    [0, 'The connection was broken: '],
  ] as const) {
    service.answer = (response) => (status === 0 ? response.destroy() : json(response, status, {}));
    const { errors } = await convert(9);
    assert.ok(errors.includes(`\n  ${why}`), errors);
    assert.match(errors, /If the service rejects the version 3 token now, sign in instead: wm login /);
  }
});

test('uses the configured address and client id', async () => {
  for (const [name, value] of Object.entries({ 'auth-url': service.url, 'client-id': 'configured' }))
    await person.wm(['config', 'set', name, value]);
  await person.wm(['auth', 'convert-v3', '--account-id', 'IEAAAAAQ'], {
    input: 'canary-v3',
    environment: { WM_CLIENT_SECRET: secrets.clientSecret },
  });
  assert.equal((await person.item()).clientId, 'configured');
});

test('if the profiles cannot be written at the end, the error says that the sign-in is stored', async () => {
  const real = createHttp({});
  const http: Http = {
    async send(request, options) {
      if (request.url.includes('/contacts')) await writeFile(join(person.folder, 'profiles.json'), '{');
      return real.send(request, options);
    },
  };
  const { errors } = await convert(2, [], { world: { http } });
  assert.match(
    errors,
    /The converted sign-in is stored \(profile default\), but without its user and account\. Try it: wm whoami/,
  );
  assert.equal((await person.item()).host, service.host);
});

test('rejects endless standard input and more than one token, without showing it', async () => {
  const endless = 'canary'.repeat(1_000_000);
  const readAll = async (most: number) => {
    if (endless.length > most) throw new RangeError(`more than ${most} bytes`);
    return new TextEncoder().encode(endless);
  };
  for (const words of [['login', '--with-token', '--host', service.host], line]) {
    const { streams, texts } = collectStreams({ input: { readAll } });
    await person.wm(words, { exit: 2, environment, world: { streams } });
    assert.match(texts.errors, /^wm: Standard input does not contain a token\n/);
    assert.ok(!texts.errors.includes('canary'));
  }
  nothingIsSent();
});

test('connection refused: nothing is sent or stored', async () => {
  const http: Http = {
    send: async () => ({ fault: 'connection-refused', sent: false, detail: 'connect ECONNREFUSED' }),
  };
  const { output, errors } = await convert(7, [], { world: { http } });
  assert.equal(output, '');
  assert.match(errors, /^wm: [\s\S]*ECONNREFUSED/);
  assert.deepEqual([...(await person.files()).keys()], []);
});
