// Through a proxy, as a company has one: a proxy on this machine opens a tunnel to a service that is named only there.
// Where it must trust that service, the program is a process of its own: which certificates count is decided when it starts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { canary, hook, hookId, hooks, lines } from '#test/support/service/scripted-service.ts';
import { openTunnel } from '#test/support/service/tunnel.ts';
import { createHttp } from '#world/http.ts';

const program = resolve('bin/wm.js');
const asked: string[] = [];
const tunnels: string[] = [];
let folder = '';
let servicePort = 0;
let proxyPort = 0;
const servers: Server[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-proxy-'));
  await writeFile(join(folder, 'ca.pem'), certificate);
  const service = createSecureServer({ key, cert: certificate }, (request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url} ${request.headers.authorization}`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(hooks(hook)));
  });
  servicePort = await listen(service);
  const proxy = createServer((_, response) => response.writeHead(500).end());
  proxy.on('connect', ({ url, headers }, socket) => {
    tunnels.push(`${url} ${headers['proxy-authorization'] ?? 'without a password'}`);
    assert.ok(!JSON.stringify(headers).includes(canary), 'the token is no business of the proxy');
    openTunnel(socket, servicePort);
  });
  proxyPort = await listen(proxy);
});

after(async () => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const trusting = () => ['--ca', join(folder, 'ca.pem')];

function listen(server: Server): Promise<number> {
  servers.push(server);
  return listening(server);
}

function wm(
  environment: Record<string, string>,
): Promise<{ status: number; output: string; errors: string }> {
  asked.length = 0;
  tunnels.length = 0;
  const env = {
    PATH: process.env['PATH'],
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    WM_CONFIG_DIR: folder,
    WM_TOKEN: canary,
    WM_HOST: 'service.test',
    ...environment,
  };
  return new Promise((done) => {
    execFile(process.execPath, [program, ...lines.GET, '--json'], { env }, (error, output, errors) =>
      done({ status: Number(error?.code ?? 0), output, errors }),
    );
  });
}

/** In this process, which trusts only the certificates that the system does, and those of its flags. */
async function wmHere(environment: Record<string, string>, ...flags: string[]): Promise<Ran> {
  asked.length = 0;
  tunnels.length = 0;
  const own = { WM_TOKEN: canary, WM_HOST: 'service.test', ...environment };
  return run([...lines.GET, '--json', ...flags], {
    environment: own,
    world: { http: createHttp(own), clock: createHurriedClock() },
  });
}

for (const name of ['HTTPS_PROXY', 'https_proxy']) {
  test(`${name}: tunnels the request through the proxy, with the token only inside the tunnel`, async () => {
    const environment = { [name]: `http://me:pass@127.0.0.1:${proxyPort}` };
    const ran = await (name === 'HTTPS_PROXY' ? wm(environment) : wmHere(environment, ...trusting()));
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(JSON.parse(ran.output), hook);
    assert.deepEqual(tunnels, ['service.test:443 Basic bWU6cGFzcw==']);
    assert.deepEqual(asked, [`GET service.test/api/v4/webhooks/${hookId} Bearer ${canary}`]);
  });
}

test('an https proxy at an IP address: the request goes through it without a warning from Node', async () => {
  const proxy = createSecureServer({ key, cert: certificate });
  proxy.on('connect', ({ url }, socket) => {
    tunnels.push(`${url}`);
    openTunnel(socket, servicePort);
  });
  const ran = await wm({ HTTPS_PROXY: `https://127.0.0.1:${await listen(proxy)}` });
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.deepEqual(tunnels, ['service.test:443']);
});

test('NO_PROXY: the proxy does not see a host listed there', async () => {
  for (const exception of ['service.test', '.test', '*']) {
    const ran = await wmHere({ HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: exception });
    // There is no such name outside the proxy's world.
    assert.equal(ran.status, 7, ran.errors);
    assert.deepEqual([tunnels, asked], [[], []]);
  }
  const others = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: 'example.com' };
  const proxied = await wmHere(others, ...trusting());
  assert.equal(proxied.status, 0, proxied.errors);
  assert.deepEqual(tunnels, ['service.test:443 without a password']);
});

for (const kind of ['socks5', 'SOCKS', 'socks5h', 'ftp'])
  test(`a ${kind} proxy is not supported, and nothing else warns about it`, async () => {
    const environment = { HTTPS_PROXY: `${kind}://me:canary-password@127.0.0.1:${proxyPort}` };
    // Only in a process would a warning of a library be seen.
    const ran = await (kind === 'socks5' ? wm(environment) : wmHere(environment));
    assert.equal(ran.status, 7, ran.errors);
    const { error } = JSON.parse(ran.errors);
    assert.equal(
      error.message,
      `The proxy did not connect: ${kind.toLowerCase()} proxies are not supported: use an http or https proxy`,
    );
    assert.doesNotMatch(ran.errors, /canary/);
  });

test('a socks5 proxy is not an error for a host in NO_PROXY', async () => {
  const ran = await wmHere({ HTTPS_PROXY: 'socks5://127.0.0.1:9', NO_PROXY: 'service.test' });
  assert.equal(ran.status, 7, ran.errors);
  assert.match(ran.errors, /ENOTFOUND|EAI_AGAIN/);
});

test('an unreachable proxy: exit 7, without showing its password', async () => {
  const ran = await wmHere({ HTTPS_PROXY: 'http://me:canary-password@127.0.0.1:9' });
  assert.equal(ran.status, 7, ran.errors);
  assert.match(ran.errors, /The proxy did not connect/);
  assert.doesNotMatch(ran.errors, /canary/);
});

test('a proxy that requires a password: exit 7, and how to give one', async () => {
  const proxy = createServer();
  proxy.on('connect', (_, socket) =>
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n'),
  );
  const ran = await wmHere({ HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` });
  assert.equal(ran.status, 7, ran.errors);
  const { error } = JSON.parse(ran.errors);
  assert.equal(error.message, 'The proxy did not connect: the proxy responded to CONNECT with 407');
  assert.equal(
    error.hint,
    'The proxy requires a user name and a password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT',
  );
});

test('an untrusted certificate: exit 7, the token not sent', async () => {
  const ran = await wmHere({ HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` });
  assert.equal(ran.status, 7, ran.errors);
  assert.match(ran.errors, /NODE_EXTRA_CA_CERTS/);
  assert.deepEqual(asked, []);
});
