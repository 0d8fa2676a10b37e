// Certificates on each way by which wm sends something over TLS: certificates.test.ts tries one of the ways, the deep suite the
// others. The server has a certificate that signs itself.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { taskId } from '#test/support/service/scripted-service.ts';
import { openTunnel } from '#test/support/service/tunnel.ts';

const program = resolve('bin/wm.js');
/** Every request that came through a connection over TLS, to the service or to the proxy. */
export const asked: string[] = [];
/** How often the service or the proxy was connected to, trusted or not. */
let connections = 0;
const servers: Server[] = [];
export let folder = '';
export let ca = '';
export let port = 0;
let proxyPort = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-certificates-'));
  ca = join(folder, 'ca.pem');
  await writeFile(ca, certificate);
  await writeFile(join(folder, 'rows.csv'), `id,title\n${taskId},a\nIEAAAAAQKQAB5BNH,b\n`);
  const service = createSecureServer({ key, cert: certificate }, (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => {
      const id = /tasks\/(\w+)/.exec(request.url ?? '')?.[1];
      const body =
        request.url === '/oauth2/token'
          ? { access_token: 'second', refresh_token: 'another', token_type: 'bearer', expires_in: 3600 }
          : { kind: 'tasks', data: [{ id }] };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  port = await listen(service);
  // A proxy that is reached over TLS itself, and whose tunnels all lead to the service.
  const proxy = createSecureServer({ key, cert: certificate });
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    openTunnel(socket, port);
  });
  proxyPort = await listen(proxy);
});

after(async () => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  asked.length = 0;
  connections = 0;
});

function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', () => connections++).on('tlsClientError', () => {});
  return listening(server);
}

type Environment = Readonly<Record<string, string>>;

export function wm(typed: readonly string[], environment: Environment) {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise<{ status: number; output: string; errors: string }>((done) => {
    execFile(process.execPath, [program, ...typed], { env }, (error, output, errors) =>
      done({ status: Number(error?.code ?? 0), output, errors }),
    );
  });
}

interface Way {
  readonly typed: readonly string[];
  readonly environment: () => Promise<Environment>;
  /** With --ca: what the server hears. */
  readonly reached: readonly string[];
}

export const direct = async () => ({
  WM_CONFIG_DIR: await mkdtemp(join(folder, 'config-')),
  WM_TOKEN: 'first',
  WM_AUTH_URL: `https://127.0.0.1:${port}`,
  WM_HOST: `127.0.0.1:${port}`,
});
const proxied = async () => ({
  WM_CONFIG_DIR: await mkdtemp(join(folder, 'config-')),
  WM_TOKEN: 'first',
  WM_HOST: 'service.test',
  HTTPS_PROXY: `https://127.0.0.1:${proxyPort}`,
});
export const get = ['task', 'get', taskId];
const bulk = ['task', 'update', '--from', 'ROWS', '--yes', '--no-undoable'];
const path = `/api/v4/tasks/${taskId}`;

/** In the quick suite; the deep one tries all others. */
const quick = ['one request'];

const ways: Readonly<Record<string, Way>> = {
  'one request': { typed: get, environment: direct, reached: [`GET ${path}`] },
  'a bulk run': {
    typed: bulk,
    environment: direct,
    reached: [`PUT ${path}?title=a`, 'PUT /api/v4/tasks/IEAAAAAQKQAB5BNH?title=b'],
  },
  'a proxy over TLS': {
    typed: get,
    environment: proxied,
    reached: ['CONNECT service.test:443', `GET ${path}`],
  },
  'a bulk run through a proxy over TLS': {
    typed: [...bulk, '--concurrency', '1'],
    environment: proxied,
    reached: [
      'CONNECT service.test:443',
      `PUT ${path}?title=a`,
      'PUT /api/v4/tasks/IEAAAAAQKQAB5BNH?title=b',
    ],
  },
  'a refresh, by the helper process': {
    typed: get,
    environment: async () => ({ WM_CONFIG_DIR: await expiredSignIn() }),
    reached: ['POST /oauth2/token', `GET ${path}`],
  },
  'a bulk run after a refresh, by the helper process': {
    typed: [...bulk, '--concurrency', '1'],
    environment: async () => ({ WM_CONFIG_DIR: await expiredSignIn() }),
    reached: ['POST /oauth2/token', `PUT ${path}?title=a`, 'PUT /api/v4/tasks/IEAAAAAQKQAB5BNH?title=b'],
  },
};

/** A config folder with a sign-in whose access token has expired. */
async function expiredSignIn(): Promise<string> {
  const config = await mkdtemp(join(folder, 'expired-'));
  const host = `https://127.0.0.1:${port}`;
  const about = { name: 'default', authUrl: host, host, hostSuffixes: [], store: 'file', signedInAt: 1 };
  await writeFile(join(config, 'profiles.json'), JSON.stringify({ current: 'default', profiles: [about] }));
  await mkdir(join(config, 'tokens'), { mode: 0o700 });
  const tokens = { generation: 1, accessToken: 'first', refreshToken: 'one', expiresAt: 1, host };
  const item = { ...tokens, clientId: 'app', clientSecret: 'client-secret' };
  await writeFile(join(config, 'tokens', 'default.json'), JSON.stringify(item), { mode: 0o600 });
  return config;
}

export function testCertificates(suite: 'quick' | 'deep'): void {
  for (const [name, way] of Object.entries(ways))
    if (quick.includes(name) === (suite === 'quick')) testWay(name, way);
}

function testWay(name: string, { typed, environment, reached }: Way): void {
  const line = () => typed.map((word) => (word === 'ROWS' ? join(folder, 'rows.csv') : word));

  test(`${name}: NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect, and wm says so`, async () => {
    const variable = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const ran = await wm(line(), { ...(await environment()), ...variable });
    assert.equal(ran.status, 7, ran.errors);
    assert.deepEqual(asked, []);
    const warnings = ran.errors.match(/NODE_TLS_REJECT_UNAUTHORIZED.*/g);
    assert.deepEqual(warnings, [
      'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: wm always verifies certificates. To trust another certificate: --ca FILE or NODE_EXTRA_CA_CERTS=FILE.',
    ]);
    assert.match(ran.errors, /--ca FILE or NODE_EXTRA_CA_CERTS=FILE\.$/m);
  });

  test(`${name}: does not retry, and says how to trust the certificate`, async () => {
    const ran = await wm([...line(), ...(typed === bulk ? ['--concurrency', '1'] : [])], await environment());
    assert.equal(ran.status, 7, ran.errors);
    assert.match(
      ran.errors,
      /Cannot establish a trusted connection to the host: .*self-signed certificate$|^ {2}.*self-signed certificate$/m,
    );
    assert.match(ran.errors, /trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE\.$/m);
    assert.equal(connections, 1);
  });

  for (const [by, flags, more] of [
    ['--ca', ['--ca', 'FILE'], {}],
    ['NODE_EXTRA_CA_CERTS', [], { NODE_EXTRA_CA_CERTS: 'FILE' }],
  ] as const) {
    test(`${name}: ${by} trusts the certificate`, async () => {
      const named = (text: string) => (text === 'FILE' ? ca : text);
      const variables = Object.fromEntries(Object.entries(more).map(([key, text]) => [key, named(text)]));
      const ran = await wm([...line(), ...flags.map(named)], { ...(await environment()), ...variables });
      assert.equal(ran.status, 0, ran.errors);
      assert.deepEqual([...asked].sort(), [...reached].sort());
    });
  }
}
