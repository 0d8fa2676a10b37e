// What a web page in a browser on this machine can make the emulator do: nothing, whatever the request and with whatever
// token, unless its origin is allowed. The same with a real browser: test/system/other-origin.test.ts.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { sampleTokens } from '#emulator/state/sample-ids.ts';
import { control, sendRaw } from '#test/support/service/control.ts';
import { records } from '#test/support/service/records.ts';
import { type Started, started, update } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';
import { testAnyHost } from './any-host.ts';

const evil = 'rebound.evil.example';
const task = '/api/v4/tasks/IEAAAAAQKQAB5BNG';
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const consentPage = '/oauth2/authorize/v4';

interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Requests of every kind, each of which would have an effect, or a response worth reading. */
function requests({ token, clientId, clientSecret }: Started, ticket: string): readonly Wanted[] {
  const bearer = { Authorization: `Bearer ${token}` };
  const hook = new URLSearchParams({ hookUrl: 'https://hooks.example.com/' }).toString();
  const client = { client_id: clientId, client_secret: clientSecret };
  const convert = {
    ...client,
    refresh_token: sampleTokens.version3Refresh,
    accountId: 'IEAAAAAQ',
  };
  const consent = { ticket, decision: 'allow', user: 'KUAAADAQ' };
  return [
    { method: 'PUT', path: `${task}?title=evil`, headers: bearer },
    { method: 'PUT', path: `${task}?title=evil&access_token=${token}` },
    { method: 'GET', path: `${task}?method=PUT&title=evil&access_token=${token}` },
    { method: 'HEAD', path: `${task}?access_token=${token}` },
    { method: 'GET', path: `/api/v4/webhooks?method=POST&access_token=${token}&${hook}` },
    { method: 'POST', path: `/api/v4/webhooks?access_token=${token}`, body: hook, headers: form },
    { method: 'GET', path: `/api/v4/contacts?access_token=${token}` },
    {
      method: 'POST',
      path: '/oauth2/convert_v3_token',
      body: String(new URLSearchParams(convert)),
      headers: form,
    },
    { method: 'POST', path: consentPage, body: String(new URLSearchParams(consent)), headers: form },
    { method: 'POST', path: '/_emulator/reset' },
    { method: 'POST', path: '/_emulator/tokens', body: '{"userId":"KUAAADAQ"}' },
    { method: 'GET', path: '/_emulator/tokens' },
    { method: 'DELETE', path: '/_emulator/users/KUAABENQ' },
    { method: 'OPTIONS', path: task, headers: { 'Access-Control-Request-Method': 'PUT' } },
  ];
}

async function staged(t: Parameters<typeof started>[0], options: EmulatorOptions = {}) {
  const emulator = await started(t, options);
  const { host, hostname, port } = new URL(emulator.authUrl);
  const callback = encodeURIComponent('http://127.0.0.1:9/callback');
  const page = await fetch(
    `${emulator.authUrl}${consentPage}?response_type=code&client_id=${emulator.clientId}&redirect_uri=${callback}`,
  );
  const ticket = /name="ticket" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const send = ({ method, path, body, headers }: Wanted, more: Record<string, string> = {}) =>
    sendRaw({ hostname, port, method, path, headers: { Host: host, ...headers, ...more } }, body);
  /** All that a request may have changed. */
  const state = async () => ({
    task: (await records(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BNG'))[0],
    webhooks: await records(emulator, 'GET', '/webhooks'),
    users: (await control(emulator, 'GET', '/users')).users,
    audit: await records(emulator, 'GET', '/audit_log'),
  });
  return { emulator, ticket, send, state, host, port };
}

const byPages = ({ host, port }: { host: string; port: string }): Record<string, string>[] => [
  // A name of theirs that now leads here, as its own page would say it.
  { Host: `${evil}:${port}` },
  { Host: `${evil}:${port}`, Origin: `http://${evil}:${port}`, 'Sec-Fetch-Site': 'same-origin' },
  { Host: evil },
  { Host: `127.0.0.1.${evil}:${port}` },
  { Host: `localhost.${evil}:${port}` },
  { Host: `${evil}@localhost:${port}` },
  { Host: `localhost:${port}@${evil}` },
  { Host: `localhost.:${port}` },
  { Host: `10.0.0.1:${port}` },
  // A page elsewhere that sends here.
  { Host: host, Origin: 'https://evil.example' },
  { Host: host, Origin: `http://${evil}:${port}` },
  { Host: host, Origin: 'http://127.0.0.1:1' },
  { Host: host, Origin: 'http://127.0.0.1' },
  { Host: host, Origin: `http://localhost:${port}` },
  { Host: host, Origin: `http://${host}.evil.example` },
  { Host: host, Origin: `http://${host}/`, 'Sec-Fetch-Site': 'cross-site' },
  { Host: host, Origin: 'null' },
  { Host: host, Origin: '' },
  { Host: host, Origin: 'file://' },
  { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'cross-site' },
  { Host: host, 'Sec-Fetch-Site': 'cross-site' },
  { Host: host, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
  { Host: host, 'Sec-Fetch-Site': 'same-site' },
  { Host: host, 'Sec-Fetch-Site': 'of-a-kind-to-come' },
];

test('rejects everything that a page of another site sends, and changes nothing', async (t) => {
  const { emulator, ticket, send, state, host, port } = await staged(t);
  await update(emulator, { title: 'mine' });
  const before = await state();
  for (const headers of byPages({ host, port })) {
    for (const attempt of requests(emulator, ticket)) {
      const label = JSON.stringify([attempt.method, attempt.path, headers]);
      const response = await send(attempt, headers);
      assert.equal(response.status, 403, label);
      assert.equal(response.headers['access-control-allow-origin'], undefined, label);
      if (attempt.path === consentPage) assert.match(response.body, /This request was rejected/, label);
      else if (attempt.method !== 'HEAD') assert.match(response.body, /"error":"access_forbidden"/, label);
    }
  }
  assert.deepEqual(await state(), before);
  // The ticket is still good: nobody has used it.
  const answer = { method: 'POST', path: consentPage, headers: form };
  const body = String(new URLSearchParams({ ticket, decision: 'allow', user: 'KUAAADAQ' }));
  assert.equal((await send({ ...answer, body })).status, 303);
});

test('with local hooks allowed, a page still cannot make the emulator post to this machine', async (t) => {
  const { emulator, send } = await staged(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  const body = String(new URLSearchParams({ hookUrl: receiver.url }));
  const path = `/api/v4/webhooks?access_token=${emulator.token}`;
  const create = { method: 'POST', path, body, headers: form };
  assert.equal((await send(create, { Origin: 'https://evil.example' })).status, 403);
  await update(emulator, { title: 'x' });
  await control(emulator, 'GET', '/deliveries?settled=true');
  assert.deepEqual(receiver.received, []);
});

test('accepts programs, and its own pages', async (t) => {
  const { emulator, send, host, port } = await staged(t);
  const read = {
    method: 'GET',
    path: '/api/v4/account',
    headers: { Authorization: `Bearer ${emulator.token}` },
  };
  for (const headers of [
    {},
    { Host: `localhost:${port}` },
    { Host: `LOCALHOST:${port}` },
    { Host: `[::1]:${port}` },
    { Host: `127.0.0.2:${port}` },
    { Host: 'localhost' },
    // Through a tunnel from another port, or from https.
    { Host: 'localhost:8080', Origin: 'http://localhost:8080', 'Sec-Fetch-Site': 'same-origin' },
    { Host: 'localhost:8443', Origin: 'https://localhost:8443' },
    { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
  ]) {
    for (const attempt of [read, { method: 'GET', path: '/_emulator/clock' }])
      assert.equal((await send(attempt, headers)).status, 200, JSON.stringify([attempt.path, headers]));
  }
});

test('a link or a redirect from another site reaches only the pages', async (t) => {
  const { emulator, send } = await staged(t);
  const follow = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  const authorize = `${consentPage}?response_type=code&client_id=${emulator.clientId}&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F`;
  for (const path of ['/', '/open.htm?id=1', authorize]) {
    assert.equal((await send({ method: 'GET', path }, follow)).status, 200, path);
    // Neither in a frame, nor as an image or by a script.
    for (const other of [
      { ...follow, 'Sec-Fetch-Dest': 'iframe' },
      { ...follow, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
      { ...follow, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', Origin: 'https://evil.example' },
    ])
      assert.equal((await send({ method: 'GET', path }, other)).status, 403, JSON.stringify([path, other]));
  }
});

test('a typed address can read but not change anything: a page may have redirected to it', async (t) => {
  const { emulator, send } = await staged(t);
  const typed = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const path = `${task}?access_token=${emulator.token}`;
  for (const method of ['PUT', 'DELETE', 'POST', 'm%65thod']) {
    const query = method === 'm%65thod' ? 'm%65thod=PUT' : `method=${method}`;
    const { status, body } = await send({ method: 'GET', path: `${path}&${query}&title=evil` }, typed);
    assert.ok(status === 403 || status === 404, `${method}: ${status} ${body}`);
  }
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
  assert.equal((await send({ method: 'GET', path }, typed)).status, 200);
  assert.equal((await send({ method: 'GET', path: `${path}&method=GET` }, typed)).status, 200);
});

test('the full address in the request line is checked like Host', async (t) => {
  const { emulator, send, host } = await staged(t);
  const read = `/api/v4/account?access_token=${emulator.token}`;
  assert.equal((await send({ method: 'GET', path: `http://${host}${read}` })).status, 200);
  assert.equal((await send({ method: 'GET', path: `http://LOCALHOST${read}` })).status, 200);
  assert.equal((await send({ method: 'GET', path: `http://${evil}${read}` })).status, 403);
  assert.equal((await send({ method: 'GET', path: `http://localhost@${evil}${read}` })).status, 403);
  assert.equal((await send({ method: 'GET', path: `http://${host}${read}` }, { Host: evil })).status, 403);
});

test('a request without a Host is rejected', async (t) => {
  const { emulator, port } = await staged(t);
  const path = `/api/v4/account?access_token=${emulator.token}`;
  for (const lines of [
    'HTTP/1.0\r\n',
    'HTTP/1.0\r\nHost:\r\n',
    'HTTP/1.1\r\nHost:\r\nConnection: close\r\n',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${path} ${lines}\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 403 /, lines);
  }
});

test('a request with two Host headers is malformed, even if they are equal', async (t) => {
  const { emulator, port } = await staged(t);
  const path = `/api/v4/account?access_token=${emulator.token}`;
  for (const second of [`127.0.0.1:${port}`, 'evil.example.com', '']) {
    const socket = connect(Number(port), '127.0.0.1');
    const hosts = `Host: 127.0.0.1:${port}\r\nhOST: ${second}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 400 [\s\S]*more than one Host header/, second);
  }
});

testAnyHost(50);

test('a page of an allowed origin can use everything except the consent page', async (t) => {
  const origin = 'http://localhost:3000';
  const { emulator, ticket, send } = await staged(t, { allowOrigins: [origin, 'https://app.example.com'] });
  const page = { Origin: origin, 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' };
  const asked = {
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'authorization,x-request-id',
    'Access-Control-Request-Private-Network': 'true',
  };
  for (const path of [task, '/oauth2/token', '/_emulator/clock', '/api/v4/nothing']) {
    const { status, headers, body } = await send({ method: 'OPTIONS', path, headers: asked }, page);
    assert.deepEqual([status, body], [204, '']);
    assert.equal(headers['access-control-allow-origin'], origin);
    assert.equal(headers['access-control-allow-methods'], 'HEAD, GET, POST, PUT, DELETE');
    assert.equal(headers['access-control-allow-headers'], 'authorization,x-request-id');
    assert.equal(headers['access-control-allow-private-network'], 'true');
    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.equal(headers['vary'], 'Origin');
  }
  for (const attempt of requests(emulator, ticket)) {
    const { status, headers } = await send(attempt, page);
    const label = JSON.stringify([attempt.method, attempt.path]);
    if (attempt.path === consentPage) {
      assert.equal(status, 403, label);
      assert.equal(headers['access-control-allow-origin'], undefined, label);
    } else {
      assert.ok(status < 300, `${label}: ${status}`);
      assert.equal(headers['access-control-allow-origin'], origin, label);
    }
  }
  // An error is read too, as is an injected fault.
  await control(emulator, 'POST', '/faults', { request: 'getAccount', status: 503, retryAfter: 7 });
  const failed = await send({ method: 'GET', path: '/api/v4/account', headers: page });
  assert.deepEqual([failed.status, failed.headers['access-control-allow-origin']], [503, origin]);
  assert.match(String(failed.headers['access-control-expose-headers']), /Retry-After/);

  for (const other of [
    'http://localhost:3001',
    'https://localhost:3000',
    'http://LOCALHOST:3000',
    'https://app.example.com.evil.example',
  ])
    assert.equal(
      (await send({ method: 'GET', path: '/_emulator/clock' }, { Origin: other })).status,
      403,
      other,
    );
  // Without CORS nobody can tell which page it was.
  assert.equal(
    (await send({ method: 'GET', path: '/_emulator/clock' }, { 'Sec-Fetch-Site': 'same-site' })).status,
    403,
  );
});

test('an allowed host is accepted under exactly its name, on any port', async (t) => {
  const { emulator, send } = await staged(t, { allowHosts: ['host.docker.internal'] });
  const path = `/api/v4/account?access_token=${emulator.token}`;
  for (const [host, status] of [
    ['host.docker.internal', 200],
    ['Host.Docker.Internal:4010', 200],
    ['x.host.docker.internal', 403],
    ['host.docker.internal.evil.example', 403],
  ] as const)
    assert.equal((await send({ method: 'GET', path }, { Host: host })).status, status, host);
});

test('logs each rejected page once, with how to allow it, and at most twenty', async (t) => {
  const { emulator, send } = await staged(t);
  const from = (Origin: string) => send({ method: 'POST', path: '/_emulator/reset' }, { Origin });
  await from('http://localhost:3000');
  await from('http://localhost:3000');
  await from('null');
  assert.deepEqual(emulator.logged, [
    'The request comes from a web page of "http://localhost:3000"; it was rejected. To allow that page: start the emulator with --allow-origin http://localhost:3000',
    'The request comes from a web page of "null"; it was rejected. To allow a page: start the emulator with --allow-origin ORIGIN; the page then has to use fetch with CORS.',
  ]);
  await from(`http://${'x'.repeat(5_000)}\u009b31m`);
  assert.ok((emulator.logged[2]?.length ?? 0) < 400);
  for (let port = 1; port < 60; port++) await from(`http://localhost:${port}`);
  assert.equal(emulator.logged.length, 20);
});
