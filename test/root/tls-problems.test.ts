// What wm says of servers whose TLS does not work, each a real one: what happened, and only what helps. `--ca FILE` is named where it
// helps, and nowhere else.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServerCertificate } from '#emulator/certificate.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { hookId, taskId } from '#test/support/service/scripted-service.ts';
import { tlsProblem } from '#tls-problems.ts';
import { createHttp } from '#world/http.ts';
import type { Environment, World } from '#world/world.ts';

const yearMs = 365 * 86_400_000;
const old = await createServerCertificate(Date.now() - 2 * yearMs);
const future = await createServerCertificate(Date.now() + 2 * yearMs);

const secure = (options: ServerOptions) => () => createSecureServer({ key, cert: certificate, ...options });
const weak = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const plain = () =>
  createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
const operator = 'wm cannot change that: ask the operator of the server to ';
const clock = "Check this machine's clock. If it is right, ask the operator of the server to ";

interface Peer {
  readonly server: () => Server;
  readonly says: string;
  readonly helps: string;
  readonly trusted?: string;
  readonly host?: string;
}

const peers: Readonly<Record<string, Peer>> = {
  'TLS 1.0 only': {
    server: secure({ ...weak, maxVersion: 'TLSv1' }),
    says: 'the server offers only TLS 1.1 or older',
    helps: `${operator}enable TLS 1.2 or 1.3.`,
  },
  'an expired certificate': {
    server: secure({ key: old.key, cert: old.certificate }),
    trusted: old.authority,
    says: 'the server has a certificate that has expired',
    helps: `${clock}renew the certificate.`,
  },
  'a certificate that is not yet valid': {
    server: secure({ key: future.key, cert: future.certificate }),
    trusted: future.authority,
    says: 'the server has a certificate that is not yet valid',
    helps: `${clock}check the clock of the machine that issued it.`,
  },
  'a certificate for another name': {
    server: secure({}),
    host: 'localhost',
    says: 'the server has a certificate for DNS:service.test, IP Address:127.0.0.1, not for localhost',
    helps:
      'Check the spelling of the host. If it is right, ask the operator of the server to get a certificate for this host.',
  },
  'a demanded client certificate, TLS 1.3': {
    server: secure({ requestCert: true, minVersion: 'TLSv1.3' }),
    says: 'the server requires a client certificate; wm has none',
    helps: `${operator}accept clients without a certificate.`,
  },
  'a demanded client certificate, TLS 1.2': {
    server: secure({ requestCert: true, maxVersion: 'TLSv1.2' }),
    says: 'the server rejected the TLS handshake: perhaps it requires a client certificate, or other ciphers',
    helps: `${operator}accept clients without a certificate.`,
  },
  'no TLS at the port': {
    server: plain,
    says: 'the server does not speak TLS at this port',
    helps: 'Check the host and the port.',
  },
  'an unknown authority': {
    server: secure({}),
    trusted: old.authority,
    says: 'the server has a self-signed certificate',
    helps: 'Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE.',
  },
};

async function start(context: TestContext, server: Server): Promise<number> {
  server.on('tlsClientError', () => {});
  context.after(() => server.close());
  return listening(server);
}

async function trusting(context: TestContext, trusted = certificate) {
  const folder = await ownFolder(context);
  const [ca, rows] = [join(folder, 'ca.pem'), join(folder, 'rows.csv')];
  await writeFile(ca, trusted);
  await writeFile(rows, `id,title\n${taskId},a\n`);
  return {
    rows,
    wm: (status: number, words: readonly string[], environment: Environment, world: Partial<World> = {}) =>
      run([...words, '--ca', ca], {
        exit: status,
        environment: { WM_CONFIG_DIR: folder, ...environment },
        world,
      }),
  };
}

const assertAdvice = (errors: string, says: string, helps: string) => {
  assert.ok(errors.includes(`${says}\n`), errors);
  assert.ok(errors.includes(helps), errors);
  // The command that looks repeats the flag that was typed.
  if (!helps.includes('--ca')) assert.doesNotMatch(errors.replace(/ --ca \/\S+$/m, ''), /--ca|NODE_EXTRA/);
  assert.doesNotMatch(errors, /SSL routines|EPROTO|connection was broken/);
};

for (const [name, { server, says, helps, trusted, host = '127.0.0.1' }] of Object.entries(peers))
  test(`${name}: wm explains the problem and the fix, in one request and in a bulk run`, async (context) => {
    const port = await start(context, server());
    const { wm, rows } = await trusting(context, trusted);
    const environment = { WM_TOKEN: 'x', WM_HOST: `https://${host}:${port}` };
    const one = await wm(7, ['webhook', 'get', hookId], environment);
    assertAdvice(one.errors, says, helps);
    // TLS 1.3 sends the request before the server asks for the certificate, so the change may have been made.
    const isSent = name.endsWith('TLS 1.3');
    const update = ['task', 'update', '--from', rows, '--yes', '--no-undoable'];
    const bulk = await wm(isSent ? 8 : 7, update, environment);
    assertAdvice(`${bulk.errors}\n${bulk.output}\n`, isSent ? '' : says, isSent ? '' : helps);
    if (isSent) assert.ok(bulk.output.includes(says) || bulk.errors.includes(says), bulk.errors);
  });

test('retries an interrupted handshake and blames no certificate', async (context) => {
  let connections = 0;
  const port = await start(
    context,
    createServer((socket) => {
      connections++;
      socket.on('error', () => {}).once('data', () => socket.destroy());
    }),
  );
  const { wm } = await trusting(context);
  const environment = { WM_TOKEN: 'x', WM_HOST: `https://127.0.0.1:${port}` };
  const ran = await wm(7, ['webhook', 'get', hookId], environment, { clock: createHurriedClock() });
  assert.equal(connections, 3);
  assertAdvice(ran.errors, 'the server closed the connection during the TLS handshake', 'Run it again.');
});

test('login and the doctor give the same advice', async (context) => {
  const port = await start(context, secure({ key: old.key, cert: old.certificate })());
  const { wm } = await trusting(context, old.authority);
  const url = `https://127.0.0.1:${port}`;
  const says = 'the server has a certificate that has expired';
  const words = ['login', '--auth-url', url, '--client-id', 'app', '--store', 'file'];
  const login = await wm(7, words, { WM_CLIENT_SECRET: 'x' });
  assertAdvice(login.errors, says, `Nothing was changed. ${clock}renew the certificate.`);
  const { output } = await wm(10, ['doctor'], { WM_TOKEN: 'x', WM_HOST: url });
  const line = output.split('\n').find((text) => text.startsWith('TLS\t'));
  assert.equal(line, `TLS\tbad\t127.0.0.1:${port}: ${says}\t${clock}renew the certificate.`);
});

test('a proxy over TLS: names its certificate and the fix', async (context) => {
  const port = await start(context, secure({ key: old.key, cert: old.certificate })());
  const plainPort = await start(context, plain());
  const { wm } = await trusting(context, old.authority);
  for (const [proxy, says, helps] of [
    [`https://127.0.0.1:${port}`, 'it has a certificate that has expired', clock],
    [`https://127.0.0.1:${plainPort}`, 'it does not speak TLS at this port', 'HTTPS_PROXY=http://HOST:PORT'],
  ] as const) {
    const environment = { WM_TOKEN: 'x', WM_HOST: 'service.test', HTTPS_PROXY: proxy };
    const ran = await wm(7, ['webhook', 'get', hookId], environment, { http: createHttp(environment) });
    assertAdvice(ran.errors, `the proxy cannot be used: ${says}`, helps);
  }
});

test('explains rare alerts too', () => {
  for (const [code, what] of [
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', /only TLS 1\.1/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /requires a client certificate/],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', /requires a client certificate/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /no certificate for this host/],
    ['ERR_SSL_DH_KEY_TOO_SMALL', /too weak/],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', /ended the TLS handshake/],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /only HTTP\/2/],
    ['ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', /too weak/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /unknown authority/],
  ] as const)
    assert.match(tlsProblem(code)?.what ?? '', what, code);
  assert.equal(tlsProblem('CERT_CHAIN_TOO_LONG'), undefined);
  assert.equal(tlsProblem(undefined), undefined);
});
