// The listener that waits for the browser: what it lets pass, what it answers to everything else, and that nothing else
// ever ends the wait.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, test } from 'node:test';
import { parseAuthorizationResponse } from '#login/authorization-response.ts';
import { type CallbackServer, createCallbackServer } from '#login/callback-server.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { visit } from '#test/support/sign-in/person.ts';
import { createServer } from '#world/server.ts';
import type { ListenFault, World } from '#world/world.ts';

const state = 'the-state-of-this-sign-in';
const world = { server: createServer() };
const open: CallbackServer[] = [];

async function listen(
  hostname = '127.0.0.1',
  path = '/callback',
): Promise<CallbackServer & { readonly settled: () => boolean }> {
  const callback = await createCallbackServer(world, { port: 0, path, hostname }, state);
  open.push(callback);
  let settled = false;
  void callback.authorized.then(() => {
    settled = true;
  });
  return { ...callback, settled: () => settled };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((callback) => callback.respond({ title: '', text: '' })));
});

const right = `code=c&state=${state}`;

/** The right callback comes to that address, `host` in its Host header, and ends the wait. */
async function completes(callback: CallbackServer, url = callback.redirectUri, host?: string): Promise<void> {
  const landing = visit(`${url}?${right}`, host === undefined ? {} : { host });
  assert.deepEqual(await callback.authorized, { code: 'c' });
  await callback.respond({ title: 'Done', text: '' });
  assert.equal((await landing).status, 200);
}

const strays: readonly (readonly [
  name: string,
  status: number,
  path: string,
  options?: { host?: string; method?: string },
])[] = [
  ['a favicon', 404, '/favicon.ico'],
  ['the root', 404, '/'],
  ['another path with the right state', 404, `/other?${right}`],
  ['a longer path', 404, `/callback/?${right}`],
  ['another case', 404, `/Callback?${right}`],
  ['an encoded path', 404, `/%63allback?${right}`],
  ['a POST', 404, `/callback?${right}`, { method: 'POST' }],
  ['a HEAD', 404, `/callback?${right}`, { method: 'HEAD' }],
  ['OPTIONS', 404, `/callback?${right}`, { method: 'OPTIONS' }],
  ['a name that was rebound to here', 404, `/callback?${right}`, { host: 'evil.test' }],
  ['localhost in the place of the address', 404, `/callback?${right}`, { host: 'localhost' }],
  ['the address with another port', 404, `/callback?${right}`, { host: '127.0.0.1:1' }],
  ['the address without its port', 404, `/callback?${right}`, { host: '127.0.0.1' }],
  ['no query', 400, '/callback'],
  ['a code without a state', 400, '/callback?code=c'],
  ['an empty state', 400, '/callback?code=c&state='],
  ['a wrong state', 400, '/callback?code=c&state=wrong'],
  ['the state with more behind it', 400, `/callback?${right}x`],
  ['the state in capital letters', 400, `/callback?code=c&state=${state.toUpperCase()}`],
  ['a wrong state before the right one', 400, `/callback?code=c&state=wrong&state=${state}`],
  ['a denial with a wrong state', 400, '/callback?error=access_denied&state=wrong'],
  ['a denial without a state', 400, '/callback?error=access_denied'],
  ['the state in the fragment', 400, `/callback?code=c#state=${state}`],
  ['the right state without a code', 400, `/callback?state=${state}`],
  ['the right state with an empty code', 400, `/callback?code=&state=${state}`],
];

for (const [name, status, path, options] of strays) {
  test(`${name}: ${status}, plain, and the wait continues`, async () => {
    const callback = await listen();
    const page = await visit(new URL(callback.redirectUri).origin + path, options);
    assert.equal(page.status, status);
    assert.equal(page.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(page.headers['cache-control'], 'no-store');
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.ok(!page.text.includes(state) && !page.text.includes('code=c'));
    assert.equal(callback.settled(), false);
    await completes(callback);
  });
}

test('a target that is not a URL: 404, and the wait continues', async () => {
  const callback = await listen();
  const { host, port } = new URL(callback.redirectUri);
  for (const target of ['//', 'http://', `//?${right}`]) {
    const response = await new Promise<string>((resolve, reject) => {
      let text = '';
      connect(Number(port), '127.0.0.1')
        .on('error', reject)
        .on('data', (bytes) => {
          text += bytes;
        })
        .on('end', () => resolve(text))
        .end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    assert.match(response, /^HTTP\/1\.1 404 /, target);
  }
  assert.equal(callback.settled(), false);
});

test('two hundred stray requests, fifty at a time, and then the right one', async () => {
  const callback = await listen();
  const { origin } = new URL(callback.redirectUri);
  for (let round = 0; round < 4; round++) {
    const pages = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        visit(`${origin}${index % 2 ? '/callback' : '/x'}?code=${index}&state=${round}`),
      ),
    );
    assert.ok(pages.every((page) => page.status === 400 || page.status === 404));
  }
  assert.equal(callback.settled(), false);
  await completes(callback);
});

test('invalid HTTP and a silent connection do not block the callback', async () => {
  const callback = await listen();
  const port = Number(new URL(callback.redirectUri).port);
  const silent = connect(port, '127.0.0.1').on('error', () => {});
  const garbled = connect(port, '127.0.0.1').on('error', () => {});
  garbled.write('\u0000\u0001\r\n\r\n');
  await new Promise((resolve) => garbled.resume().on('close', resolve));
  const landing = visit(`${callback.redirectUri}?${right}`);
  assert.deepEqual(await callback.authorized, { code: 'c' });
  const ended = new Promise((resolve) => silent.resume().on('close', resolve));
  await callback.respond({ title: 'Done', text: '' });
  assert.equal((await landing).status, 200);
  await ended;
  await assert.rejects(visit(callback.redirectUri), /ECONNREFUSED/);
});

test('stops listening after the right callback, however long its page takes', async () => {
  const callback = await listen();
  const first = visit(`${callback.redirectUri}?${right}`);
  await callback.authorized;
  await assert.rejects(visit(`${callback.redirectUri}?code=another&state=${state}`), /ECONNREFUSED/);
  assert.deepEqual(await callback.authorized, { code: 'c' });
  await callback.respond({ title: 'Done', text: 'As it should be' });
  assert.match((await first).text, /As it should be/);
});

test('a second valid callback, on a connection from before the first, is told that it is done', async () => {
  // Such a connection outlives the end of the listening; here all of them do.
  const server: typeof world.server = {
    async listen(...at) {
      const listening = await world.server.listen(...at);
      return 'fault' in listening ? listening : { ...listening, stopAccepting() {} };
    },
  };
  const address = { port: 0, path: '/callback', hostname: '127.0.0.1' };
  const callback = await createCallbackServer({ server }, address, state);
  open.push(callback);
  const first = visit(`${callback.redirectUri}?code=first&state=${state}`);
  await callback.authorized;
  const second = await visit(`${callback.redirectUri}?code=second&state=${state}`);
  assert.deepEqual([second.status, second.text], [400, 'This sign-in is already complete.\n']);
  assert.deepEqual(await callback.authorized, { code: 'first' });
  await callback.respond({ title: 'Done', text: 'The first' });
  assert.match((await first).text, /The first/);
});

test('a denial with the right state is accepted, with its description', async () => {
  const callback = await listen();
  const landing = visit(
    `${callback.redirectUri}?error=access_denied&error_description=She+said+no&state=${state}&code=c`,
  );
  assert.deepEqual(await callback.authorized, { error: 'access_denied', description: 'She said no' });
  await callback.respond({ title: 'Not signed in', text: '<script>alert("1")</script>\'&' });
  const { text } = await landing;
  assert.ok(text.includes('<p>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;</p>'), text);
});

test('checks the state before anything else', () => {
  const read = (query: string) => parseAuthorizationResponse(new URLSearchParams(query), state);
  assert.equal(read('error=x&code=c'), 'wrong state');
  assert.equal(read(`error=x&state=${state}x`), 'wrong state');
  assert.deepEqual(read(`error=x&state=${state}`), { error: 'x', description: undefined });
  assert.deepEqual(read(`error=&code=c&state=${state}`), { code: 'c' });
});

for (const hostname of ['localhost', '[::1]']) {
  test(`accepts a callback at ${hostname}`, {
    skip: hostname === '[::1]' && !(await hasIpv6()),
  }, async () => {
    const callback = await listen(hostname, '/deep/path');
    assert.match(callback.redirectUri, /^http:\/\/(localhost|\[::1\]):\d+\/deep\/path$/);
    const { port } = new URL(callback.redirectUri);
    const address = hostname === 'localhost' ? '127.0.0.1' : hostname;
    await completes(callback, `http://${address}:${port}/deep/path`, `${hostname}:${port}`);
  });
}

test('localhost listens at both its addresses, and frees all of them', {
  skip: !(await hasIpv6()),
}, async () => {
  const callback = await listen('localhost');
  const { port } = new URL(callback.redirectUri);
  for (const address of ['127.0.0.1', '[::1]'])
    assert.equal(
      (await visit(`http://${address}:${port}/callback`, { host: `localhost:${port}` })).status,
      400,
    );
  const landing = visit(`http://[::1]:${port}/callback?${right}`, { host: `localhost:${port}` });
  assert.deepEqual(await callback.authorized, { code: 'c' });
  await assert.rejects(visit(`http://127.0.0.1:${port}/callback`), /ECONNREFUSED/);
  await callback.respond({ title: 'Done', text: '' });
  assert.equal((await landing).status, 200);
  await assert.rejects(visit(`http://[::1]:${port}/callback`), /ECONNREFUSED/);
});

const serverWithout = (fault: ListenFault['fault']): World['server'] => ({
  listen: async (at, handler) =>
    at.host === '::1' ? { fault, detail: `no ${at.host}` } : world.server.listen(at, handler),
});
const localhost = { port: 0, path: '/callback', hostname: 'localhost' };

test('localhost, on a machine without IPv6: one address is enough', async () => {
  const callback = await createCallbackServer({ server: serverWithout('no-address') }, localhost, state);
  const { host } = new URL(callback.redirectUri);
  await completes(callback, callback.redirectUri.replace('localhost', '127.0.0.1'), host);
});

for (const fault of ['in-use', 'not-allowed', 'failed'] as const) {
  test(`localhost, where the other address is ${fault}: an error, and nothing listens`, async () => {
    let hasListened = false;
    const server = serverWithout(fault);
    const watched: World['server'] = {
      async listen(at, handler) {
        const listening = await server.listen(at, handler);
        hasListened ||= !('fault' in listening);
        return listening;
      },
    };
    const port = await freePort();
    await assert.rejects(
      createCallbackServer({ server: watched }, { ...localhost, port }, state),
      /Cannot listen on the callback port/,
    );
    assert.ok(hasListened);
    await assert.rejects(visit(`http://127.0.0.1:${port}/callback`), /ECONNREFUSED/);
  });
}

test('localhost, listening on 0.0.0.0: takes [::1] too', {
  skip: !(await hasIpv6()),
}, async () => {
  const callback = await createCallbackServer(world, { ...localhost, address: '0.0.0.0' }, state);
  const { port } = new URL(callback.redirectUri);
  await completes(callback, `http://[::1]:${port}/callback`, `localhost:${port}`);
});

test('listens on this machine only', async () => {
  const callback = await listen();
  assert.match(callback.redirectUri, /^http:\/\/127\.0\.0\.1:/);
  const { port } = new URL(callback.redirectUri);
  await assert.rejects(visit(`http://127.0.0.2:${port}/callback`), /ECONNREFUSED/);
});

async function hasIpv6(): Promise<boolean> {
  const listening = await world.server.listen({ host: '::1', port: 0 }, () => {});
  if ('fault' in listening) return false;
  await listening.close();
  return true;
}
