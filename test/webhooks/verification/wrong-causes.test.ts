// Receivers that `wm webhook verify` once blamed for the wrong thing, or passed although they lose every event.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createSecure } from 'node:https';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createReceiver, type ReceiverOptions as LibraryOptions } from '#library/create-receiver.ts';
import { rejectionReasons } from '#receiver/core/intake/delivery-journal.ts';
import { createReceiverHandler, type ReceiverOptions } from '#receiver/core/intake/handler.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { hmac, isHandshake, respondRightly, secret, startReceiver } from './receivers.ts';
import { type VerifySetting, verifying } from './verified.ts';

const events = ['--events', 'TaskStatusChanged,FolderCreated'];

const account = await verifying({ after });

const verified = (url: string, argv: readonly string[] = [], setting: VerifySetting = {}) =>
  account.verify([url, ...events, ...argv], setting);

/** wm's own receiver. */
async function startListener(
  context: TestContext,
  options: Partial<ReceiverOptions> & { readonly isFull?: boolean } = {},
): Promise<string> {
  const { server, clock } = createWorld();
  const handler = createReceiverHandler({
    secrets: [secret],
    journal: {
      append: () =>
        options.isFull
          ? Promise.reject(new Error('no space left'))
          : Promise.resolve({ sequence: 1, isDuplicate: false }),
      record() {},
    },
    clock,
    onActivity() {},
    ...options,
  });
  const at = await server.listen({ host: '127.0.0.1', port: 0, ...handler.listenOptions }, handler.handle);
  assert.ok(!('fault' in at));
  context.after(() => at.close());
  return `http://127.0.0.1:${at.port}/hook`;
}

for (const [description, options, key, says] of [
  [
    'another secret',
    {},
    'fictional-other-secret',
    /^handshake: 503: the signature matches none of the receiver's secrets; after 3 /,
  ],
  [
    'another secret, with 401',
    { unauthorized: true },
    'fictional-other-secret',
    /^handshake: 401: the signature matches none of the receiver's secrets; the service suspends the webhook at once/,
  ],
  [
    'another path',
    { path: '/wm' },
    secret,
    /^handshake: 503: wm webhook listen accepts deliveries at another path/,
  ],
  ['a full disk', { isFull: true }, secret, /^event .*: 503: wm webhook listen cannot store deliveries/],
  [
    'other senders in --allow-from',
    { findForeignSender: () => '8.8.8.8' },
    secret,
    /^handshake: 503: wm webhook listen accepts nothing from this address; after 3 /,
  ],
] as const)
  test(`wm webhook listen with ${description}: does not blame a proxy`, async (context) => {
    const { cause, results } = await verified(await startListener(context, options), [], {
      secret: key,
    });
    assert.match(cause, says);
    assert.ok(!results.some(({ why = '', fix = '' }) => /proxy/.test(why + fix)), JSON.stringify(results));
  });

/** A receiver that a program made with the library; `parses`: behind a middleware that reads the body, as `express.json()` does. */
async function startProgram(
  context: TestContext,
  { parses = false, ...options }: Partial<LibraryOptions> & { readonly parses?: boolean },
): Promise<string> {
  const { node } = createReceiver({ secret, onDelivery() {}, onRejection() {}, ...options });
  const server = createServer(async (request, response) => {
    if (parses) for await (const _ of request);
    node(request, response);
  });
  const port = await listening(server, context);
  return `http://127.0.0.1:${port}/hook`;
}

const failing = () => {
  throw new Error('the database is away');
};

for (const [description, options, says, fix] of [
  [
    'another secret',
    { secret: 'fictional-other-secret' },
    /^handshake: 503: the signature matches none of the receiver's secrets; after 3 /,
    /^Give the receiver the webhook's secret/,
  ],
  [
    'a middleware that reads the body',
    { parses: true },
    /^handshake: 503: something reads the body before the receiver does; after 3 /,
    /^Mount the receiver before middleware that parses bodies/,
  ],
  [
    'an error in onDelivery',
    { onDelivery: failing },
    /^event .*: 503: its onDelivery threw an error; /,
    /log/,
  ],
  [
    'a small maxBytes',
    { maxBytes: 100_000 },
    /^large body: .* \(503: the body is larger than the receiver accepts; after 3 /,
    /^Raise the limit on the body/,
  ],
] as const)
  test(`a receiver of the library with ${description}: does not blame a proxy`, async (context) => {
    const { cause, results } = await verified(await startProgram(context, options));
    assert.match(cause, says);
    assert.match(results.find(({ outcome }) => outcome === 'fail')?.fix ?? '', fix);
    assert.ok(!results.some(({ why = '' }) => /a proxy reports/.test(why)), JSON.stringify(results));
  });

test('does not blame a proxy, whatever reason a wm receiver gives', async (context) => {
  for (const code of [...rejectionReasons, 'broken-off', 'of a newer version']) {
    const receiver = await startReceiver(context, () => ({
      status: 503,
      headers: { 'X-Wm-Rejected': code },
    }));
    const { cause } = await verified(receiver.url);
    assert.doesNotMatch(cause, /reports/, code);
  }
});

test('sends wm webhook listen no signature if the secret is unknown', async (context) => {
  const { of } = await verified(await startListener(context), [], { secret: undefined });
  const { outcome, why } = of('event ');
  assert.equal(outcome, 'not-checked');
  assert.match(why ?? '', /the sample was not signed, since the secret is unknown$/);
});

test('TLS 1.1 only', async (context) => {
  const server = createSecure({
    ...{ cert: certificate, key },
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const port = await listening(server, context);
  const { cause, of } = await verified(`https://127.0.0.1:${port}/hook`);
  assert.match(cause, /^tls: the server offers only TLS 1\.1 or older/);
  assert.match(of('tls').fix ?? '', /^Enable TLS 1\.2 or 1\.3/);
});

for (const [what, start] of [
  ['https', () => createSecureServer({ cert: certificate, key })],
  ['http', () => createHttp2Server()],
] as const)
  test(`HTTP/2 only, over ${what}`, async (context) => {
    const server = start();
    const port = await listening(server, context);
    const ca = join(account.folder, 'ca.pem');
    await writeFile(ca, certificate);
    const trust = what === 'https' ? ['--ca', ca] : [];
    const { cause, of } = await verified(`${what}://127.0.0.1:${port}/hook`, trust);
    assert.match(cause, /^handshake: .*only HTTP\/2/);
    assert.match(of('handshake').fix ?? '', /HTTP\/1\.1/);
  });

test('a body that never ends', async (context) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'X-Hook-Secret': 'x' }).write('more follows');
  });
  const port = await listening(server, context);
  const { cause, of } = await verified(`http://127.0.0.1:${port}/hook`, ['--within', '1']);
  assert.match(cause, /^handshake: the receiver responded with 200, but the body did not end within 1 s/);
  assert.match(of('handshake').fix ?? '', /^End the response/);
});

test('a receiver that treats every request with X-Hook-Secret as a handshake', async (context) => {
  const right = respondRightly();
  const receiver = await startReceiver(context, (arrived) => {
    const challenge = arrived.headers['x-hook-secret'];
    if (challenge === undefined) return right(arrived);
    const isRight = arrived.headers['x-hook-signature'] === hmac(secret, arrived.body);
    if (!isRight || !/^\w{1,100}$/.test(String(challenge))) return { status: 400 };
    return { status: 200, headers: { 'X-Hook-Secret': hmac(secret, String(challenge)) } };
  });
  const { cause } = await verified(receiver.url);
  assert.match(
    cause,
    /^event TaskStatusChanged and FolderCreated: the receiver takes a delivery for a handshake, .* lost$/,
  );
});

for (const [status, follows] of [
  [500, 'after 3 such attempts the service suspends the webhook'],
  [404, 'the service suspends the webhook at once'],
  [401, 'the service suspends the webhook at once'],
] as const)
  test(`a receiver that responds with ${status} to an event with X-Hook-Secret`, async (context) => {
    const right = respondRightly();
    const receiver = await startReceiver(context, (arrived) =>
      !isHandshake(arrived.body) && arrived.headers['x-hook-secret'] !== undefined
        ? { status }
        : right(arrived),
    );
    const { cause } = await verified(receiver.url);
    assert.equal(
      cause,
      `event TaskStatusChanged and FolderCreated: the receiver takes a delivery for a handshake, because it has the header X-Hook-Secret, and responds with ${status}: ${follows}`,
    );
  });

for (const [what, isForged] of [
  ['a wrong signature', (signature: unknown) => signature !== undefined],
  ['no signature', (signature: unknown) => signature === undefined],
] as const)
  test(`a receiver that accepts deliveries with ${what}`, async (context) => {
    const right = respondRightly();
    const receiver = await startReceiver(context, (arrived) =>
      !isHandshake(arrived.body) && isForged(arrived.headers['x-hook-signature'])
        ? { status: 200 }
        : right(arrived),
    );
    const { of, cause } = await verified(receiver.url);
    assert.equal(cause, '');
    assert.equal(of('forged delivery').outcome, 'warning');
    assert.equal(
      of('forged delivery').why,
      `it responds with 200 to ${what}: unless it discards it, anyone can send it events`,
    );
  });

test('200 with an HTML page', async (context) => {
  const right = respondRightly();
  const receiver = await startReceiver(context, (arrived) => ({
    ...right(arrived),
    body: '<!doctype html><title>Welcome</title>',
  }));
  const { of, why } = await verified(receiver.url);
  assert.equal(of('response body').outcome, 'warning');
  assert.match(why('response body'), /an HTML page/);
});
