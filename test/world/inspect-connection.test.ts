// What inspecting a connection finds, against real sockets and certificates: each stage at which it can end, and every way in
// which a certificate is not trusted that a test can make.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServerCertificate } from '#emulator/certificate.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { createClock } from '#world/clock.ts';
import { createInspectConnection } from '#world/inspect-connection.ts';
import { usesProxy } from '#world/proxy-choice.ts';

const inspect = createInspectConnection({}, createClock());
const limits = { timeoutMs: 60_000 };
const yearMs = 365 * 86_400_000;

async function secureServer(
  test: TestContext,
  { key, cert }: { readonly key: string; readonly cert: string },
): Promise<{ readonly port: number; readonly requests: () => number }> {
  let requests = 0;
  const server = createSecureServer({ key, cert }, (_, response) => {
    requests++;
    response.end();
  });
  const port = await listening(server);
  test.after(() => server.close());
  return { port, requests: () => requests };
}

test('http: the address and the connection, without a certificate', async (context) => {
  const server = createServer();
  const port = await listening(server);
  context.after(() => server.close());
  assert.deepEqual(await inspect(`http://127.0.0.1:${port}/hook`, limits), {
    isProxied: false,
    addresses: ['127.0.0.1'],
  });
});

test('a trusted certificate: its names, issuer and dates; no request is sent', async (context) => {
  const now = Date.now();
  const made = await createServerCertificate(now);
  const { port, requests } = await secureServer(context, { key: made.key, cert: made.certificate });
  const inspection = await inspect(`https://127.0.0.1:${port}/`, { ...limits, certificates: made.authority });
  assert.equal(inspection.fault, undefined);
  assert.deepEqual(inspection.certificate?.names, ['localhost', '127.0.0.1', '0:0:0:0:0:0:0:1']);
  assert.match(inspection.certificate?.issuer ?? '', /^wm emulator authority /);
  assert.equal(inspection.certificate?.distrust, undefined);
  assert.ok((inspection.certificate?.validTo ?? 0) > now + yearMs / 2);
  assert.ok((inspection.certificate?.validFrom ?? now) < now);
  assert.equal(requests(), 0);
});

test('why a certificate is not trusted', async (context) => {
  const old = await createServerCertificate(Date.now() - 2 * yearMs);
  const future = await createServerCertificate(Date.now() + 2 * yearMs);
  const good = await createServerCertificate(Date.now());
  const distrust = async (
    server: { readonly key: string; readonly cert: string },
    certificates: string | undefined,
    url = 'https://127.0.0.1',
  ) => {
    const { port } = await secureServer(context, server);
    const connectTo = url === 'https://127.0.0.1' ? {} : { connectTo: { host: '127.0.0.1', port } };
    const at = url === 'https://127.0.0.1' ? `${url}:${port}` : url;
    const inspection = await inspect(at, { ...limits, ...connectTo, certificates });
    assert.equal(inspection.fault, undefined);
    return inspection.certificate?.distrust;
  };
  assert.equal(await distrust({ key: old.key, cert: old.certificate }, old.authority), 'CERT_HAS_EXPIRED');
  assert.equal(
    await distrust({ key: future.key, cert: future.certificate }, future.authority),
    'CERT_NOT_YET_VALID',
  );
  assert.equal(
    await distrust({ key: good.key, cert: good.certificate }, undefined),
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  );
  assert.equal(await distrust({ key, cert: certificate }, undefined), 'DEPTH_ZERO_SELF_SIGNED_CERT');
  assert.equal(
    await distrust({ key: good.key, cert: good.certificate }, good.authority, 'https://hooks.example.com'),
    'ERR_TLS_CERT_ALTNAME_INVALID',
  );
  // The name of the URL counts, not the address that is connected to.
  assert.equal(await distrust({ key, cert: certificate }, certificate, 'https://service.test'), undefined);
});

test('each stage at which it can fail', async (context) => {
  assert.deepEqual(await inspect('ftp://example.com/', limits), {
    isProxied: false,
    addresses: [],
    fault: { stage: 'name', fault: 'unreachable', detail: 'not an http or https URL' },
  });

  const nameless = await inspect('https://no-such-host.invalid/', limits);
  assert.deepEqual([nameless.fault?.stage, nameless.fault?.fault], ['name', 'unreachable']);
  assert.deepEqual(nameless.addresses, []);

  const port = await freePort();
  const refused = await inspect(`http://127.0.0.1:${port}/`, limits);
  assert.deepEqual([refused.fault?.stage, refused.fault?.fault], ['connection', 'connection-refused']);
  assert.deepEqual(refused.addresses, ['127.0.0.1']);

  const plain = createRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const plainPort = await listening(plain);
  const cut = createRawServer((socket) => socket.destroy());
  const cutPort = await listening(cut);
  context.after(() => {
    plain.close();
    cut.close();
  });
  for (const at of [plainPort, cutPort]) {
    const inspection = await inspect(`https://127.0.0.1:${at}/`, limits);
    assert.deepEqual([inspection.fault?.stage, inspection.fault?.fault], ['tls', 'tls']);
  }
});

test('does not connect to an address that is not allowed', async (context) => {
  let connections = 0;
  const server = createRawServer(() => {
    connections++;
  });
  const port = await listening(server);
  context.after(() => server.close());
  for (const host of ['127.0.0.1', 'localhost']) {
    const inspection = await inspect(`http://${host}:${port}/`, { ...limits, allowAddress: () => false });
    assert.deepEqual(
      [inspection.fault?.stage, inspection.fault?.fault],
      ['connection', 'address-not-allowed'],
    );
    assert.ok(inspection.addresses.includes('127.0.0.1') || inspection.addresses.includes('::1'));
  }
  assert.equal(connections, 0);
});

test('the time limit ends each stage', async (context) => {
  const silent = createRawServer(() => {});
  const port = await listening(silent);
  context.after(() => silent.close());
  // A limit that ends when the test says so: here, as soon as the server has the connection.
  let end: (() => void) | undefined;
  const clock = {
    limit: (_: number, onEnd: (() => void) | undefined) => {
      end = onEnd;
      return { remainingMs: () => 0, cancel: () => {} };
    },
  };
  silent.on('connection', (socket) => {
    socket.on('error', () => {});
    end?.();
  });
  const inspection = await createInspectConnection({}, clock)(`https://127.0.0.1:${port}/`, limits);
  assert.equal(inspection.fault?.fault, 'timeout');
  assert.equal(inspection.fault?.detail, 'no response within 60000 ms');

  const atOnce = {
    limit: (_: number, onEnd: (() => void) | undefined) => {
      onEnd?.();
      return { remainingMs: () => 0, cancel: () => {} };
    },
  };
  const never = await createInspectConnection({}, atOnce)(`https://127.0.0.1:${port}/`, limits);
  assert.deepEqual([never.fault?.stage, never.fault?.fault], ['name', 'timeout']);
});

test('with a proxy, makes no connection', async () => {
  const proxied = createInspectConnection({ HTTPS_PROXY: 'http://127.0.0.1:9' }, createClock());
  assert.deepEqual(await proxied('https://no-such-host.invalid/', limits), {
    isProxied: true,
    addresses: [],
  });
});

test('which URLs a proxy applies to', () => {
  const proxy = 'http://proxy:3128';
  assert.equal(usesProxy('https://a.example.com', {}), false);
  assert.equal(usesProxy('https://a.example.com', { HTTPS_PROXY: proxy }), true);
  assert.equal(usesProxy('https://a.example.com', { http_proxy: proxy }), true);
  assert.equal(usesProxy('http://a.example.com', { https_proxy: proxy }), false);
  assert.equal(usesProxy('http://127.0.0.1:80', { http_proxy: proxy }), false);
  const except = (NO_PROXY: string) => usesProxy('https://a.example.com', { HTTPS_PROXY: proxy, NO_PROXY });
  assert.equal(except('*'), false);
  assert.equal(except('b.example.com, .example.com'), false);
  assert.equal(except('*.example.com'), false);
  assert.equal(except('example.com:443'), false);
  assert.equal(except('example.com:80'), true);
  assert.equal(except('ample.com'), true);
  assert.equal(except(','), true);
});
