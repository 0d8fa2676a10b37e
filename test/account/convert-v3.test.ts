// A version 3 token becomes a sign-in at the data centre that the answer names, or that the person does; and whatever is
// wrong is found before the old token is used. Tokens come from standard input, however much that holds.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { makePerson, type Person } from '#test/support/sign-in/person.ts';
import type { Http } from '#world/world.ts';

let answer: object;
let isBroken = false;
/** In place of the answer to the conversion; 0 breaks the connection. */
let failingStatus: number | undefined;
let onRequest = (_url: string) => {};
const reached: string[] = [];
const server = createServer((request, response) => {
  reached.push(`${request.method} ${request.url}`);
  onRequest(request.url ?? '');
  const [kind, data] = request.url?.startsWith('/api/v4/account')
    ? ['accounts', { id: 'IEAAAAAQ', name: 'Account' }]
    : ['contacts', { id: 'KUAAAAAA', firstName: 'Ada', me: true }];
  const body = request.url === '/oauth2/convert_v3_token' ? answer : { kind, data: [data] };
  if (isBroken && body === answer) {
    const text = JSON.stringify(body);
    response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length + 1}\r\n\r\n${text}`);
    return;
  }
  if (failingStatus === 0 && body === answer) {
    request.socket.destroy();
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  if (failingStatus !== undefined && body === answer) response.statusCode = failingStatus;
  request.resume().on('end', () => response.end(JSON.stringify(body)));
});
let host = '';
let person: Person;
before(async () => {
  host = `127.0.0.1:${await listening(server)}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(async () => {
  person = await makePerson();
  reached.length = 0;
  isBroken = false;
  failingStatus = undefined;
  onRequest = () => {};
  answer = { access_token: 'canary-access', refresh_token: 'canary-refresh', expires_in: 3600, host };
});
afterEach(() => person.leave());

const convert = (input: string, ...more: string[]) =>
  person.wm(['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', `http://${host}`, ...more], {
    input,
    environment: { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: 'canary-client-secret' },
  });

test('uses the host in the response, or --host if the response has none or one that is not allowed', async () => {
  for (const named of [host, undefined, 'evil.test']) {
    answer = { ...answer, host: named };
    const ran = await convert('canary-v3', '--host', host);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal((await person.item()).host, host);
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
    answer = { ...answer, host: named };
    const ran = await convert('canary-v3');
    assert.equal(ran.status, 1, ran.errors);
    assert.match(ran.errors, /^wm: The token was converted/m);
    assert.match(ran.errors, hint);
  }
});

test('uses tokens that arrived complete although the response broke off', async () => {
  isBroken = true;
  const ran = await convert('canary-v3', '--verbose');
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^The response of the token endpoint broke off \(.*; its JSON is complete/m);
  assert.equal((await person.item()).accessToken, 'canary-access');
});

test('an infinite lifetime does not lock the user out', async () => {
  answer = { ...answer, expires_in: 1e300 };
  assert.equal((await convert('canary-v3')).status, 0);
  for (const line of [['whoami'], ['auth', 'status']]) assert.equal((await person.wm(line)).status, 0);
});

test('finds every mistake before it uses the old token', async () => {
  await writeFile(join(person.folder, '.wm.json'), '{ "profile": "../x" }');
  assert.equal((await convert('canary-v3')).status, 2);
  assert.equal((await convert('canary-v3', '--profile', 'x', '--host', 'https://x')).status, 2);
  await writeFile(join(person.folder, 'profiles.json'), '{');
  assert.equal((await convert('canary-v3', '--profile', 'x')).status, 2);
  assert.deepEqual(reached, []);
});

test('without a usable response, reports an unknown outcome and the command to sign in instead', async () => {
  for (const [status, why] of [
    [502, 'The service responded with 502'],
    [0, 'The connection was broken: '],
  ] as const) {
    failingStatus = status;
    const ran = await convert('canary-v3');
    assert.equal(ran.status, 9, ran.errors);
    assert.ok(ran.errors.includes(`\n  ${why}`), ran.errors);
    assert.match(ran.errors, /If the service rejects the version 3 token now, sign in instead: wm login /);
  }
});

test('uses the configured address and client id', async () => {
  for (const [name, value] of Object.entries({ 'auth-url': `http://${host}`, 'client-id': 'configured' }))
    assert.equal((await person.wm(['config', 'set', name, value])).status, 0);
  const ran = await person.wm(['auth', 'convert-v3', '--account-id', 'IEAAAAAQ'], {
    input: 'canary-v3',
    environment: { WM_CLIENT_SECRET: 'canary-client-secret' },
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.equal((await person.item()).clientId, 'configured');
});

test('if the profiles cannot be written at the end, the error says that the sign-in is stored', async () => {
  onRequest = (url) => {
    if (url.startsWith('/api/v4/contacts')) writeFileSync(join(person.folder, 'profiles.json'), '{');
  };
  const ran = await convert('canary-v3');
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /The converted sign-in is stored \(profile default\), but without its user and account\. Try it: wm whoami/,
  );
  assert.equal((await person.item()).host, host);
});

test('rejects endless standard input and more than one token, without showing it', async () => {
  const endless = 'canary'.repeat(1_000_000);
  const input = {
    isTerminal: false,
    readAll: async (most: number) => {
      if (endless.length > most) throw new RangeError(`more than ${most} bytes`);
      return new TextEncoder().encode(endless);
    },
  };
  const { createWorld } = await import('#world/create-world.ts');
  const streams = createWorld().streams;
  let errors = '';
  const collect = {
    ...streams.errors,
    isTerminal: false,
    columns: undefined,
    async write(text: string) {
      errors += text;
    },
  };
  const world = { streams: { output: collect, errors: collect, input: { ...input, raw: process.stdin } } };
  for (const line of [
    ['login', '--with-token', '--host', host],
    ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', `http://${host}`],
  ]) {
    errors = '';
    const ran = await person.wm(line, {
      world,
      environment: { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: 'canary-s' },
    });
    assert.equal(ran.status, 2, errors);
    assert.match(errors, /^wm: Standard input does not contain a token\n/);
    assert.ok(!errors.includes('canary'));
  }
  assert.deepEqual(reached, []);
});

test('connection refused: nothing is sent or stored', async () => {
  const http: Http = {
    send: async () => ({ fault: 'connection-refused', sent: false, detail: 'connect ECONNREFUSED' }),
  };
  const ran = await person.wm(
    ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', `http://${host}`],
    {
      input: 'canary-v3',
      environment: { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: 'canary-client-secret' },
      world: { http },
    },
  );
  assert.deepEqual([ran.status, ran.output], [7, '']);
  assert.match(ran.errors, /^wm: /);
  assert.match(ran.errors, /ECONNREFUSED/);
  assert.deepEqual([...(await person.files()).keys()], []);
});
