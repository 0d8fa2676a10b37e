// What a web page in a browser on this machine can send to `wm webhook listen`: a fetch, a beacon or a form, also under a name that leads
// here. None of it is stored, forwarded or handed to --exec, with and without a secret. The service is not a browser.

import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sign } from '#contract/signature.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { listen, secret } from './running-listener.ts';

const body = JSON.stringify([{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG' }]);
const signature = { 'X-Hook-Signature': sign(secret, body) };

interface Page {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status and the reason of the response. `fetch` would set the Host itself. */
function send(port: number, { method = 'POST', path = '/', headers = {} }: Page): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      response.resume();
      resolve(`${response.statusCode} ${response.headers['x-wm-rejected'] ?? ''}`.trim());
    })
      .on('error', reject)
      .end(method === 'POST' ? body : undefined);
  });
}

async function listening(context: TestContext, typed: readonly string[], key: string | undefined) {
  const folder = await ownFolder(context);
  const environment = { WM_WEBHOOK_SECRET: key };
  const exec = ['--exec', `touch '${join(folder, 'executed')}'`];
  return listen(context, [...exec, ...typed], { folder, environment });
}

const publicUrl = ['--public-url', 'https://hooks.example.com/'];
const fromPages: readonly Readonly<Record<string, string>>[] = [
  { Origin: 'http://evil.example' },
  { Origin: 'null' },
  { Origin: '' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-origin' },
  { Origin: 'http://127.0.0.1', Host: '127.0.0.1' },
];

for (const [about, typed, key, extra] of [
  ['--unsigned', ['--unsigned'], undefined, {}],
  ['--unsigned, with a public URL', ['--unsigned', ...publicUrl], undefined, {}],
  ['a secret, and a right signature', [], secret, signature],
  ['a secret, and no signature', [], secret, {}],
] as const)
  test(`${about}: a request from a page gets 403, and is not stored`, async (context) => {
    const { port, prints, stop, folder, wm } = await listening(context, typed, key);
    for (const headers of fromPages)
      assert.equal(await send(port, { headers: { ...extra, ...headers } }), '403 web-page');
    for (const method of ['OPTIONS', 'GET', 'PUT'])
      assert.equal(await send(port, { method, headers: { Origin: 'null' } }), '403 web-page');
    await prints(/A web page sent a request: .* wm responds with 403, and from now on only counts/);
    const { errors } = await stop();
    assert.match(errors, /^0 received, 9 rejected \(9 from a web page\)\.$/m);
    const log = await wm('webhook log');
    assert.match(log.errors, /^9 requests were not stored: 9 from a web page\. /m);
    await assert.rejects(access(join(folder, 'executed')));
  });

test('the health path stays open to pages', async (context) => {
  const { port } = await listening(context, ['--health-path', '/up'], secret);
  const headers = { 'Sec-Fetch-Site': 'none' };
  assert.equal(await send(port, { method: 'GET', path: '/up', headers }), '200');
});

test('a local receiver rejects an unsigned delivery for a foreign Host, which a page could send', async (context) => {
  const { port, prints, stop } = await listening(context, ['--unsigned'], undefined);
  for (const Host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '10.0.0.1', 'a:b'])
    assert.equal(await send(port, { headers: { Host } }), '403 host', Host);
  await prints(/for the host "evil\.example", not for this machine.* To accept that host: --public-url URL/);
  for (const Host of ['127.0.0.1', `127.0.0.1:${port}`, 'LocalHost:1', '[::1]:99', '127.1.2.3'])
    assert.equal(await send(port, { headers: { Host } }), '200', Host);
  const { errors } = await stop();
  assert.match(errors, /^5 received, 5 rejected \(5 for another host\)/m);
});

test('with a secret: an unsigned request for a foreign Host is rejected, and a signed one accepted', async (context) => {
  const { port } = await listening(context, [], secret);
  const headers = { Host: 'hooks.example.com' };
  assert.equal(await send(port, { headers }), '403 host');
  assert.equal(await send(port, { headers: { ...headers, 'X-Hook-Signature': '00' } }), '503 bad-signature');
  // As from a proxy on this machine that keeps the Host, or from the emulator.
  assert.equal(await send(port, { headers: { ...headers, ...signature } }), '200');
});

for (const typed of [
  publicUrl,
  ['--host', '0.0.0.0'],
  ['--allow-from', '127.0.0.1', '--trusted-proxy', '10.0.0.1'],
])
  test(`${typed.join(' ')}: accepts any Host`, async (context) => {
    const { port } = await listening(context, ['--unsigned', ...typed], undefined);
    assert.equal(await send(port, { headers: { Host: 'hooks.example.com' } }), '200');
  });
