// What `wm doctor` says of the way to the service: the proxy that requests really take, a missing host, and how far the clocks are apart.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import type { Environment } from '#world/world.ts';

/** The rows of what is checked under these variables, with no file of anybody's in sight. */
async function doctor(t: TestContext, variables: Environment, clock = clockAt(noon)) {
  const folder = await ownFolder(t);
  const environment = { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file', ...variables };
  const files = createFiles(environment, process.platform, folder);
  const http = createHttp(environment);
  const ran = await run(['doctor'], { environment, world: { files, http, clock } });
  const rows = ran.output.split('\n').map((line) => line.split('\t'));
  return { ...ran, of: (check: string) => rows.find(([name]) => name === check)?.slice(1) };
}

/** A service that gives this reply, as variables name it. */
async function serviceOf(t: TestContext, reply: string) {
  const server = await startRawServer(() => reply);
  t.after(() => server.close());
  return { WM_TOKEN: 'canary-token', WM_HOST: server.host };
}

const notice = (found: string) => ['notice', found, ''];

for (const [environment, row] of [
  [{}, undefined],
  [{ HTTPS_PROXY: '', http_proxy: '' }, undefined],
  [{ HTTPS_PROXY: 'http://user:pw@p.example.com:3128/x' }, notice('HTTPS_PROXY: http://p.example.com:3128')],
  [{ HTTP_PROXY: 'https://p.example.com' }, notice('HTTP_PROXY: https://p.example.com')],
  [{ https_proxy: 'p.example.com:3128' }, notice('https_proxy: http://p.example.com:3128')],
  [{ HTTPS_PROXY: '10.0.0.1:3128' }, notice('HTTPS_PROXY: http://10.0.0.1:3128')],
  [{ HTTPS_PROXY: 'http://upper', https_proxy: 'http://lower' }, notice('https_proxy: http://lower')],
  [{ http_proxy: 'http://h', HTTPS_PROXY: 'http://s' }, notice('HTTPS_PROXY: http://s')],
  [
    { http_proxy: 'http://h', HTTP_PROXY: 'http://H', NO_PROXY: 'localhost,.example.com' },
    notice('http_proxy: http://h, except for localhost,.example.com'),
  ],
  [
    { HTTP_PROXY: 'http://h', NO_PROXY: 'upper', no_proxy: 'lower' },
    notice('HTTP_PROXY: http://h, except for lower'),
  ],
  [{ HTTP_PROXY: 'http://h', NO_PROXY: 'upper', no_proxy: '' }, notice('HTTP_PROXY: http://h')],
  [
    { HTTP_PROXY: 'http://a b' },
    ['bad', 'HTTP_PROXY is not a URL', 'Set it, for example: HTTP_PROXY=http://proxy:3128'],
  ],
  [
    { HTTPS_PROXY: 'socks5://h:1080' },
    [
      'bad',
      'HTTPS_PROXY names a socks5 proxy; wm can use http and https proxies only',
      'Set it, for example: HTTPS_PROXY=http://proxy:3128',
    ],
  ],
] as const) {
  test(`the proxy of ${JSON.stringify(environment)}`, async (t) => {
    assert.deepEqual((await doctor(t, environment)).of('proxy'), row);
  });
}

test('names the proxy that requests use', async (t) => {
  const server = await startRawServer(() => 'HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n');
  t.after(() => server.close());
  const { of, status } = await doctor(t, {
    WM_TOKEN: 'canary-token',
    WM_HOST: 'service.example.com',
    https_proxy: server.host,
    HTTPS_PROXY: 'http://127.0.0.1:1',
    no_proxy: '',
    NO_PROXY: '*',
  });
  assert.deepEqual(of('proxy'), notice(`https_proxy: http://${server.host}`));
  assert.match(server.requests[0] ?? '', /^CONNECT service\.example\.com:443 /);
  assert.equal(of('service')?.[0], 'bad');
  assert.equal(status, 10);
});

test('WM_TOKEN without WM_HOST: sends nothing and reports the missing host', async (t) => {
  const { of, status } = await doctor(t, { WM_TOKEN: 'canary-token' });
  assert.deepEqual(of('account'), ['good', 'the token in WM_TOKEN, for (WM_HOST is not set)', '']);
  assert.deepEqual(of('token'), [
    'good',
    'from WM_TOKEN, which wm cannot refresh; only the service can tell whether it is valid',
    '',
  ]);
  assert.deepEqual(of('sign-in')?.slice(0, 2), ['bad', 'WM_TOKEN is set, but WM_HOST is not']);
  assert.deepEqual([of('service'), status], [undefined, 10]);
});

const remedy = "Set this machine's clock: wm uses it to tell when to refresh a token.";
const bad = (found: string) => ['bad', found, remedy];

for (const [about, milliseconds, row] of [
  ['the same', 0, ['good', "within 0 s of the service's clock", '']],
  ['30 s ahead', 30_000, ['good', "within 30 s of the service's clock", '']],
  ['30 s behind', -30_000, ['good', "within 30 s of the service's clock", '']],
  ['a little more ahead', 30_001, bad("30 s ahead of the service's clock")],
  ['an hour ahead', 3_600_499, bad("3600 s ahead of the service's clock")],
  ['an hour behind', -3_600_500, bad("3601 s behind the service's clock")],
] as const) {
  test(`the clock: ${about}`, async (t) => {
    const date = `Date: ${new Date(noon).toUTCString()}`;
    const account = { kind: 'accounts', data: [{ id: 'IEAAAAAQ' }] };
    const environment = await serviceOf(t, jsonReply(200, account, [date]));
    const { of, status } = await doctor(t, environment, clockAt(noon + milliseconds));
    assert.deepEqual(of('clock'), row);
    assert.deepEqual(of('service'), ['good', `${environment.WM_HOST} responds with 200 in 0 ms`, '']);
    assert.equal(status, row[0] === 'good' ? 0 : 10);
  });
}

for (const headers of [[], ['Date: yesterday']]) {
  test(`reports nothing about the clock if the service sends ${headers[0] ?? 'no date'}`, async (t) => {
    const environment = await serviceOf(t, jsonReply(200, { kind: 'accounts', data: [] }, headers));
    const { of, status } = await doctor(t, environment);
    assert.deepEqual([of('clock'), of('service')?.[0], status], [undefined, 'good', 0]);
  });
}

test("a sign-in page or a proxy's error is not the service's response, nor evidence about its clock", async (t) => {
  for (const status of [200, 401, 403, 404, 503]) {
    const date = `Date: ${new Date(noon + 3_600_000).toUTCString()}`;
    const environment = await serviceOf(t, jsonReply(status, '<title>Sign in</title>', [date]));
    const { of, status: exit } = await doctor(t, environment);
    const [result, found = '', remedy] = of('service') ?? [];
    assert.equal(result, 'bad');
    assert.match(
      found,
      /^(A proxy, not the service, may have responded|The response is not what the service promises)/,
    );
    assert.match(remedy ?? '', /check the network, HTTPS_PROXY and the host/);
    assert.deepEqual([of('clock'), exit], [undefined, 10]);
  }
});
