// For every cause for which the service suspends a webhook, and for others that people meet, there is a real receiver here which
// has it: `wm webhook verify` names that cause, and first.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createServerCertificate } from '#emulator/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import {
  afterHandshakes,
  atHandshakes,
  hmac,
  isHandshake,
  type Respond,
  respondRightly,
  secret,
  startProxy,
  startReceiver,
} from './receivers.ts';
import { verifying } from './verified.ts';

const events = ['--events', 'TaskStatusChanged,FolderCreated'];
const right = respondRightly();

/** For tests that need an account, but not one of their own. */
const account = await verifying({ after });

/** Verifies a webhook that was created while its receiver was right, and whose receiver then does this. */
async function broken(context: TestContext, respond: Respond, argv: readonly string[] = []) {
  const receiver = await startReceiver(context);
  const id = await account.create(receiver.url, events, secret);
  receiver.respond = respond;
  return account.verify([id, ...argv]);
}

test('a correct receiver passes every check', async (context) => {
  const { results, cause } = await broken(context, right);
  assert.equal(cause, '');
  assert.deepEqual(
    results.map(({ check, outcome }) => `${check}: ${outcome}`),
    [
      'url: ok',
      'dns: ok',
      'connection: ok',
      'tls: not-checked',
      'redirect: ok',
      'handshake: ok',
      'forged handshake: ok',
      'events without taskId: ok',
      'event TaskStatusChanged and FolderCreated: ok',
      'forged delivery: ok',
      'spaces in the body: ok',
      'unknown field: ok',
      'large body: ok',
      'duplicate: ok',
      'response time: ok',
    ],
  );
});

/** What is named as the cause of these. */
const reasons: ReadonlyMap<number, string> = new Map([
  [400, 'does not accept the body or its signature'],
  [401, 'signature'],
  [403, 'access is denied'],
  [404, 'nothing is at this path'],
  [405, 'does not accept POST'],
  [409, 'already has the event'],
  [410, 'gone for good'],
  [418, 'does not accept the request'],
  [422, 'content of the event'],
  [408, 'did not receive the whole request in time'],
  [429, 'limits the rate'],
  [500, 'failed while it handled the request'],
  [502, 'the receiver, or a proxy before it, reports no valid response'],
  [503, 'the receiver, or a proxy before it, reports that it is not available'],
  [504, 'did not respond in time'],
  [203, 'is assumed not to count as delivered'],
  [304, 'a cache responds'],
]);

/** The contract: 200, 201, 202 and 204 count as delivered; 4xx but for 408 and 429 suspends at once; the rest is retried. */
const delivered = [200, 201, 202, 204];
const retried = [
  203, 205, 206, 207, 226, 304, 408, 429, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599,
];
const atOnce = Array.from({ length: 100 }, (_, offset) => 400 + offset).filter(
  (status) => !retried.includes(status),
);

for (const statuses of [delivered, retried, atOnce.slice(0, 40), atOnce.slice(40, 80), atOnce.slice(80)]) {
  test(`explains each status: ${statuses[0]} and ${statuses.length - 1} others`, async (context) => {
    const service = await verifying(context);
    const receiver = await startReceiver(context);
    const id = await service.create(receiver.url, events, secret);
    const statusOf = new Map<string, number>();
    receiver.respond = (arrived) => {
      if (isHandshake(arrived.body)) return right(arrived);
      const { eventType } = JSON.parse(arrived.body)[0];
      const status = statusOf.get(eventType) ?? statuses[statusOf.size] ?? 200;
      statusOf.set(eventType, status);
      return { status };
    };
    const { results } = await service.verify([id, '--events', 'all']);
    for (const status of statuses) {
      const named = results.filter(({ why }) => new RegExp(`^${status}\\b`).test(why ?? ''));
      if (delivered.includes(status)) assert.deepEqual(named, []);
      else {
        assert.equal(named.length, 1, `${status}`);
        assert.equal(named[0]?.outcome, 'fail');
        assert.match(named[0]?.why ?? '', new RegExp(`${status}.*${reasons.get(status) ?? ''}`));
        const follows = retried.includes(status)
          ? status < 400
            ? /; after 3 such attempts the service suspends the webhook \(an assumption\)$/
            : /; after 3 such attempts the service suspends the webhook$/
          : /; the service suspends the webhook at once$/;
        assert.match(named[0]?.why ?? '', follows);
      }
    }
    if (statuses === delivered) assert.ok(results.every(({ outcome }) => outcome !== 'fail'));
  });
}

test('the service suspends after three attempts: nothing listens there', async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((closed) => server.close(closed));
  const { cause, of } = await account.verify([`http://127.0.0.1:${port}/hook`]);
  assert.equal(cause, `connection: 127.0.0.1 refuses connections to port ${port}`);
  assert.equal(of('handshake and events').outcome, 'not-checked');
});

test('the service suspends after three attempts: the connection is closed without a response', async (context) => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy()));
  const port = await listening(server, context);
  const { cause } = await account.verify([`http://127.0.0.1:${port}/hook`]);
  const closed = 'handshake: the connection was closed without a complete response; after 3 such attempts';
  assert.ok(cause.startsWith(closed), cause);
});

test('the URL breaks the rule of the service', async () => {
  const argv = ['https://hooks.example.com:8443/hook', '--connect-to', '127.0.0.1:1'];
  const { cause } = await account.verify(argv);
  assert.equal(cause, 'url: the service does not accept it: it has port 8443; only 80 and 443 are allowed');
});

test('1. an expired certificate', async (context) => {
  const old = await createServerCertificate(Date.parse('2020-03-01T00:00:00Z'));
  const ca = join(account.folder, 'ca.pem');
  await writeFile(ca, old.authority);
  const receiver = await startReceiver(context, right, { key: old.key, cert: old.certificate });
  const { cause, of } = await account.verify([receiver.url, '--ca', ca]);
  assert.equal(cause, 'tls: the certificate expired on 2021-03-01');
  assert.equal(of('tls').fix, 'Renew the certificate.');
  assert.deepEqual(receiver.arrived, []);
});

/** A 2xx with this proof. */
const proving = (proof: string) => ({ status: 200, headers: { 'X-Hook-Secret': proof } });

const causes: readonly (readonly [name: string, respond: Respond, cause: RegExp, fix?: RegExp])[] = [
  [
    '2. a redirect',
    () => ({ status: 301, headers: { Location: 'https://new.example.com/hook' } }),
    /^redirect: 301: a redirect to "https:\/\/new\.example\.com\/hook", which the service is assumed not to/,
    /the URL at which the redirect ends/,
  ],
  [
    '3. the wrong secret: a receiver that checks signatures',
    respondRightly('another secret'),
    /^handshake: the receiver does not accept the signature: it has another secret \(401 "invalid/,
  ],
  [
    '3. the wrong secret: a receiver that only proves that it has one',
    atHandshakes(
      ({ headers }) => proving(hmac('another', String(headers['x-hook-secret']))),
      () => ({ status: 200 }),
    ),
    /^handshake: .* not the HMAC of the challenge under this secret: the receiver has another secret$/,
  ],
  [
    '7. a receiver that expects another content type: 415',
    afterHandshakes(() => ({ status: 415, body: 'Unsupported Media Type' })),
    /^event TaskStatusChanged and .*: 415 "Unsupported Media Type": it does not accept the content type application\/json/,
  ],
  [
    '7. a receiver that expects another content type: 400',
    (arrived) =>
      arrived.headers['content-type'] === 'application/x-www-form-urlencoded'
        ? right(arrived)
        : { status: 400 },
    /^handshake: the receiver expects the content type application\/x-www-form-urlencoded/,
  ],
  [
    "8. a handshake whose response has the body's HMAC instead of the challenge's",
    atHandshakes(({ body }) => proving(hmac(secret, body))),
    /^handshake: the response's X-Hook-Secret is the HMAC of the body; it must be that of the challenge$/,
    /HMAC-SHA256 of the received X-Hook-Secret/,
  ],
  [
    '10. a receiver that fails on an event without a taskId',
    afterHandshakes(({ body }) => ({ status: JSON.parse(body)[0].taskId === undefined ? 500 : 200 })),
    /^events without taskId: the receiver handles events with a taskId, and not those without, such as FolderCreated$/,
  ],
];

for (const [name, respond, says, fix] of causes)
  test(name, async (context) => {
    const { cause, results } = await broken(context, respond);
    assert.match(cause, says);
    if (fix) assert.match(results.find(({ outcome }) => outcome === 'fail')?.fix ?? '', fix);
    const own = results.find(({ check }) => check === 'event FolderCreated');
    if (name.startsWith('10.')) assert.match(own?.why ?? '', /^500: it failed while it handled the request/);
  });

test('5. a slow response', async (context) => {
  const slow = afterHandshakes(() => new Promise(() => {}));
  const { cause, of } = await broken(context, slow, ['--within', '1']);
  assert.match(cause, /no complete response within 1 s: the receiver is too slow/);
  assert.equal(of('response time').why, 'the receiver needs longer than 1 s');
});

test('6. DNS gone', async () => {
  const id = await account.create('http://no-such-host.example/hook');
  const { cause } = await account.verify([id]);
  assert.match(cause, /^dns: no-such-host\.example does not resolve: /);
});

for (const [name, rules, says] of [
  [
    '4. a proxy that responds to a large body with 413',
    { maxBytes: 100_000 },
    /^large body: a body of 250 kB is too large for the receiver or a proxy before it \(413: /,
  ],
  [
    '9. a proxy that removes the signature from requests',
    { removes: ['x-hook-signature'] },
    /^handshake: the header X-Hook-Signature does not arrive: a proxy or gateway/,
  ],
  [
    '9. a proxy that removes the proof from the response',
    { removesFromResponse: ['x-hook-secret'], adds: { Via: '1.1 proxy.example' } },
    /^handshake: the response has no X-Hook-Secret: the proxy that added the header via may have removed it/,
  ],
] as const)
  test(name, async (context) => {
    const url = await startProxy(context, await startReceiver(context), rules);
    assert.match((await account.verify([url, ...events])).cause, says);
  });

test('9. a proxy that removes the signature, and a receiver that does not say what is missing', async (context) => {
  const receiver = await startReceiver(context, async (arrived) => ({ ...(await right(arrived)), body: '' }));
  const url = await startProxy(context, receiver, { removes: ['x-hook-signature'] });
  const { cause } = await account.verify([url, ...events]);
  assert.match(cause, /^handshake: .*another secret; or: the header X-Hook-Signature does not arrive/);
});

test('a rejected duplicate', async (context) => {
  const seen = new Set<string>();
  const once = afterHandshakes((arrived) => {
    const key = String(arrived.headers['idempotency-key']);
    if (seen.has(key)) return { status: 409 };
    seen.add(key);
    return right(arrived);
  });
  const { cause, of } = await broken(context, once);
  const rejects =
    'the receiver rejects an event that it already has; the service may deliver an event twice (409: ';
  assert.ok(cause.startsWith(`duplicate: ${rejects}`), cause);
  assert.equal(of('duplicate').fix, 'Respond to a duplicate as to the first delivery, with a 2xx.');
});
