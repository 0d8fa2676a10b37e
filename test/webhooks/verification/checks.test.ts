// Each check of `wm webhook verify` beside the causes of causes.test.ts: certificates, addresses, proxies, every wrong proof of a
// handshake, and receivers that reject what is valid.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { eventNames } from '#contract/event.ts';
import { createServerCertificate } from '#emulator/certificate.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { createHttp } from '#world/http.ts';
import { createInspectConnection } from '#world/inspect-connection.ts';
import {
  afterHandshakes,
  atHandshakes,
  hmac,
  isHandshake,
  type Respond,
  respondRightly,
  secret,
  startReceiver,
} from './receivers.ts';
import { type VerifySetting, verifying } from './verified.ts';

const right = respondRightly();
const oneEvent = ['--events', 'TaskCreated'];

/** Of all tests: none depends on what is in the account. */
const account = await verifying({ after });

async function verifyOf(
  context: TestContext,
  respond: Respond,
  { argv = [], ...setting }: VerifySetting & { readonly argv?: readonly string[] } = {},
) {
  const receiver = await startReceiver(context, respond);
  return { ...(await account.verify([receiver.url, ...oneEvent, ...argv], setting)), receiver };
}

// ------------------------------------------------------------------------------------------------- certificates

const today = Date.now();
const current = createServerCertificate(today);

async function withCertificate(
  context: TestContext,
  { made = today, host, now }: { readonly made?: number; readonly host?: string; readonly now?: number },
) {
  const issued = made === today ? await current : await createServerCertificate(made);
  const ca = join(account.folder, 'ca.pem');
  await writeFile(ca, issued.authority);
  const receiver = await startReceiver(context, right, { key: issued.key, cert: issued.certificate });
  const url = host === undefined ? receiver.url : `https://${host}/hook`;
  const route = host === undefined ? [] : ['--connect-to', `127.0.0.1:${receiver.port}`];
  return account.verify(
    [url, '--ca', ca, ...oneEvent, ...route],
    now === undefined ? {} : { world: { clock: clockAt(now) } },
  );
}

const peerCertificate = {
  names: ['hooks.example.com'],
  issuer: 'Some authority',
  subject: 'hooks.example.com',
  validFrom: today - 1e9,
  validTo: today + 1e10,
};

test('reports a trusted certificate with its expiry', async (context) => {
  const { why, cause } = await withCertificate(context, {});
  assert.equal(cause, '');
  assert.match(why('tls'), /^certificate of wm emulator authority/);
  assert.match(why('certificate expiry'), /^\d{4}-\d\d-\d\d, in 36[45] days$/);
});

test('warns about a certificate that expires soon', async (context) => {
  const { of, why, cause } = await withCertificate(context, { now: today + 363.5 * 86_400_000 });
  assert.equal(cause, '');
  assert.equal(of('certificate expiry').outcome, 'warning');
  assert.match(why('certificate expiry'), /in 1 day; from then on every delivery fails$/);
});

test('a certificate that is not valid yet, or for another host', async (context) => {
  const early = await withCertificate(context, { made: Date.now() + 1e10 });
  assert.match(early.cause, /^tls: the certificate is valid only from 20\d\d-/);
  const otherHost = await withCertificate(context, { host: 'hooks.example.com' });
  assert.equal(
    otherHost.cause,
    'tls: the certificate is for localhost, 127.0.0.1, 0:0:0:0:0:0:0:1, not for hooks.example.com',
  );
  assert.equal(otherHost.of('dns').outcome, 'not-checked');
});

test('a self-signed certificate, and one with an unknown authority', async (context) => {
  const selfSigned = await startReceiver(context, right, { key, cert: certificate });
  const alone = await account.verify([selfSigned.url]);
  assert.equal(alone.cause, 'tls: the certificate is self-signed, so clients do not trust it');
  const issued = await current;
  const incomplete = await startReceiver(context, right, { key: issued.key, cert: issued.certificate });
  const { cause, of } = await account.verify([incomplete.url]);
  assert.match(cause, /^tls: the certificate of its issuer, wm emulator authority .*, is missing/);
  assert.match(of('tls').fix ?? '', /fullchain/);
});

test('https on a port that serves http', async (context) => {
  const receiver = await startReceiver(context);
  const { cause, of } = await account.verify([receiver.url.replace('http:', 'https:')]);
  assert.match(cause, /^tls: the server does not speak TLS at this port$/);
  assert.match(of('tls').fix ?? '', /serves https/);
});

// ---------------------------------------------------------------------------------------------------- addresses

test('sends nothing to a private address, unless the account is on this machine or a flag allows it', async (context) => {
  const receiver = await startReceiver(context);
  const elsewhere = { environment: { WM_HOST: 'api.example.com' } };
  const refused = await account.verify([receiver.url], elsewhere);
  assert.match(refused.cause, /^url: the service does not accept it: it has port/);
  assert.equal(
    refused.of('dns').why,
    '127.0.0.1 is not a global address; the service does not deliver there',
  );
  assert.equal(refused.of('handshake and events').why, 'dns failed');
  assert.deepEqual(receiver.arrived, []);
  const named = await account.verify([`http://localhost:${receiver.port}/`], elsewhere);
  assert.match(
    named.why('dns'),
    /^localhost leads to .*(?:is not a global address|are not global addresses); /,
  );
  assert.deepEqual(receiver.arrived, []);

  const allowed = await account.verify([receiver.url, '--allow-private', ...oneEvent], elsewhere);
  assert.equal(allowed.cause, '');
  assert.equal(allowed.of('url').outcome, 'warning');
  assert.ok(receiver.arrived.length > 0);

  // The account on this machine may deliver to this machine alone.
  const privately = await account.verify(['http://10.0.0.1/hook']);
  assert.match(privately.why('dns'), /^10\.0\.0\.1 is not a global address/);
});

test('--connect-to sends a public URL to a local receiver', async (context) => {
  const receiver = await startReceiver(context);
  const { cause, of } = await account.verify([
    'http://hooks.example.com/a?b#c',
    '--connect-to',
    `127.0.0.1:${receiver.port}`,
    ...oneEvent,
  ]);
  assert.equal(cause, '');
  assert.equal(of('dns').why, `--connect-to 127.0.0.1:${receiver.port}`);
  assert.deepEqual(
    [...new Set(receiver.arrived.map(({ url, headers }) => `${headers.host}${url}`))],
    ['hooks.example.com/a?b'],
  );
});

test('through a proxy: skips checks it cannot make, and still rejects a private address', async (context) => {
  let connections = 0;
  const proxy = createServer();
  proxy.on('connect', (_, socket) => {
    connections++;
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const port = await listening(proxy, context);
  const environment = { WM_HOST: 'api.example.com', HTTP_PROXY: `http://127.0.0.1:${port}` };
  const world = {
    http: createHttp(environment),
    inspectConnection: createInspectConnection(environment, createWorld().clock),
  };
  const proxied = await account.verify(['https://no-such-host.example/hook', ...oneEvent], {
    environment,
    world,
  });
  assert.deepEqual(
    ['dns', 'connection', 'tls'].map((check) => `${proxied.of(check).outcome}: ${proxied.of(check).why}`),
    ['dns', 'connection', 'tls'].map(() => 'not-checked: through a proxy'),
  );
  assert.match(proxied.cause, /^handshake: no response: .*502/);
  assert.ok(connections > 0);
  connections = 0;
  const refused = await account.verify(['https://10.0.0.1/hook', ...oneEvent], { environment, world });
  assert.equal(refused.of('handshake and events').why, 'dns failed');
  assert.equal(connections, 0);
});

test('a host with both a private and a public address', async (context) => {
  const inspectConnection = async () => ({ isProxied: false, addresses: ['93.184.216.34', '10.0.0.1'] });
  const receiver = await startReceiver(context);
  const http = createWorld().http;
  const { of, why } = await account.verify(['http://hooks.example.com/', ...oneEvent], {
    world: {
      inspectConnection,
      http: {
        send: (request, options) =>
          http.send(request, {
            timeoutMs: options.timeoutMs,
            maxBytes: options.maxBytes,
            connectTo: { host: '127.0.0.1', port: receiver.port },
          }),
      },
    },
  });
  assert.equal(of('dns').outcome, 'warning');
  assert.match(why('dns'), /^10\.0\.0\.1 is not a global address/);
});

for (const [what, inspection, why, fix] of [
  [
    'nothing answers at the address',
    { fault: { stage: 'connection', fault: 'timeout', detail: 'no connection in 5 s' } },
    'connection: no connection to hooks.example.com, port 443, in time; a firewall may drop it',
    /^Let the firewall accept the addresses of the service/,
  ],
  [
    'this machine has no route to it',
    { fault: { stage: 'connection', fault: 'unreachable', detail: 'connect ENETUNREACH' } },
    'connection: no connection to hooks.example.com, port 443: connect ENETUNREACH',
    /^Check the network of this machine/,
  ],
  [
    'an authority above a valid certificate has expired',
    { certificate: { ...peerCertificate, distrust: 'CERT_HAS_EXPIRED' } },
    'tls: the certificate is valid, but one above it has expired: that of Some authority',
    /^Let the server send the current chain/,
  ],
  [
    'a certificate that is not trusted for another reason',
    { certificate: { ...peerCertificate, issuer: '', distrust: 'CERT_REVOKED' } },
    'tls: the certificate, issued by an unnamed issuer, is not trusted: CERT_REVOKED',
    /^Get a certificate from a public authority/,
  ],
] as const)
  test(`${what}: reports it, and sends nothing`, async () => {
    const { cause, results, of } = await account.verify(['https://hooks.example.com/', ...oneEvent], {
      world: {
        inspectConnection: async () => ({ isProxied: false, addresses: ['93.184.216.34'], ...inspection }),
      },
    });
    assert.equal(cause, why);
    assert.match(results.find(({ outcome }) => outcome === 'fail')?.fix ?? '', fix);
    assert.equal(of('handshake and events').outcome, 'not-checked');
  });

test('an invalid URL', async () => {
  const { cause, of } = await account.verify(['https://exa mple.com/']);
  assert.match(cause, /^url: the service does not accept it: it is not an http or https URL$/);
  assert.equal(of('handshake and events').why, 'the URL is invalid');
});

// ---------------------------------------------------------------------------------------------------- handshake

const proving =
  (proof: (challenge: string, body: string) => string | undefined): Respond =>
  (arrived) => {
    if (!isHandshake(arrived.body)) return right(arrived);
    const value = proof(String(arrived.headers['x-hook-secret']), arrived.body);
    return { status: 200, headers: value === undefined ? {} : { 'X-Hook-Secret': value } };
  };

const proofs: readonly (readonly [
  name: string,
  proof: (challenge: string) => string | undefined,
  why: string,
])[] = [
  ['the challenge', (challenge) => challenge, 'is the challenge itself'],
  ['the secret', () => secret, 'is the secret itself, which it must never send'],
  [
    'base64',
    (challenge) => Buffer.from(hmac(secret, challenge), 'hex').toString('base64'),
    'is the right HMAC in base64',
  ],
  ['a prefix', (challenge) => `sha256=${hmac(secret, challenge)}`, 'is the right HMAC with a prefix'],
  ['exchanged', (challenge) => hmac(challenge, secret), 'with key and text exchanged'],
  [
    'no key',
    (challenge) => createHash('sha256').update(challenge).digest('hex'),
    'a plain SHA-256; it must be an HMAC',
  ],
  [
    'SHA-1',
    (challenge) => createHmac('sha1', secret).update(challenge).digest('hex').toUpperCase(),
    'is an HMAC-SHA1',
  ],
  [
    'SHA-512',
    (challenge) => createHmac('sha512', secret).update(challenge).digest('hex'),
    'is an HMAC-SHA512',
  ],
  ['a line break', (challenge) => hmac(`${secret}\n`, challenge), 'its secret ends with one'],
  ['quotes', (challenge) => hmac(`"${secret}"`, challenge), 'the quotes are part of its secret'],
  ['no secret', (challenge) => hmac('', challenge), 'under an empty secret'],
  ['another text', () => 'yes', 'is not an HMAC-SHA256 in hex'],
  ['nothing', () => undefined, 'the receiver does not handle handshakes, or a proxy removes the header'],
];

for (const [name, proof, says] of proofs) {
  test(`a handshake with ${name} instead of the proof`, async (context) => {
    const { of } = await verifyOf(context, proving(proof));
    assert.equal(of('handshake').outcome, 'fail');
    assert.ok(of('handshake').why?.includes(says), of('handshake').why);
    // The secret of both stands in no output.
    assert.ok(!JSON.stringify(of('handshake')).includes(secret));
  });
}

test('accepts a proof in upper case, but not one in the body', async (context) => {
  const upper = await verifyOf(
    context,
    proving((challenge) => hmac(secret, challenge).toUpperCase()),
  );
  assert.equal(upper.of('handshake').outcome, 'ok');
  const inBody = await verifyOf(
    context,
    atHandshakes(({ headers }) => ({ status: 200, body: hmac(secret, String(headers['x-hook-secret'])) })),
  );
  assert.match(inBody.why('handshake'), /^the proof is in the body/);
});

test('a receiver that signs for anyone fails the verification', async (context) => {
  const forAnyone = await verifyOf(
    context,
    proving((challenge) => hmac(secret, challenge)),
  );
  assert.match(forAnyone.why('forged handshake'), /wrong signature: it signs for anyone$/);
  assert.deepEqual([forAnyone.status, forAnyone.of('forged handshake').outcome], [10, 'fail']);
  const unsigned = await verifyOf(context, (arrived) =>
    isHandshake(arrived.body) && arrived.headers['x-hook-signature'] === undefined
      ? right({ ...arrived, headers: { ...arrived.headers, 'x-hook-signature': hmac(secret, arrived.body) } })
      : right(arrived),
  );
  assert.match(unsigned.cause, /^forged handshake: .* handshake with no signature: it signs for anyone$/);
  const anything = await verifyOf(context, (arrived) => {
    if (!isHandshake(arrived.body) || arrived.headers['x-hook-signature'] !== hmac(secret, arrived.body))
      return right(arrived);
    return {
      status: 200,
      headers: { 'X-Hook-Secret': hmac(secret, String(arrived.headers['x-hook-secret'])) },
    };
  });
  assert.match(anything.cause, /^forged handshake: the receiver signs a challenge that is JSON/);
});

// ------------------------------------------------------------------------------------------------------- samples

test('a receiver that signs the reserialized body', async (context) => {
  const { of, why } = await verifyOf(context, (arrived) =>
    right({ ...arrived, body: JSON.stringify(JSON.parse(arrived.body)) }),
  );
  assert.equal(of('event TaskCreated').outcome, 'ok');
  assert.match(why('spaces in the body'), /computes the signature over what a parser made of it \(401/);
});

test('the right secret over the wrong bytes', async (context) => {
  const otherBytes = await verifyOf(
    context,
    afterHandshakes((arrived) => right({ ...arrived, body: `${arrived.body} ` })),
  );
  assert.match(otherBytes.why('event '), /^the receiver has the secret, but does not accept the signature/);
  assert.equal(otherBytes.of('unknown field').why, 'no event is accepted');
  const silent = await verifyOf(
    context,
    afterHandshakes(() => ({ status: 401 })),
  );
  assert.match(silent.why('event '), /over other bytes than those of the body; or: the header/);
});

test('a receiver that rejects unknown fields', async (context) => {
  const { of, why } = await verifyOf(context, (arrived) =>
    arrived.body.includes('addedByTheService') ? { status: 422 } : right(arrived),
  );
  assert.match(why('unknown field'), /the service may add fields at any time \(422: /);
  assert.equal(of('large body').why, 'unknown fields are rejected');
});

test('a sign-in before the receiver, a very large response, and one that is not HTTP', async (context) => {
  const basic = await verifyOf(context, () => ({
    status: 401,
    headers: { 'WWW-Authenticate': 'Basic realm="x"' },
  }));
  assert.match(basic.cause, /^handshake: 401: it wants a sign-in \("Basic realm=/);
  const long = await verifyOf(context, () => ({ status: 200, body: 'x'.repeat(2_000_000) }));
  assert.match(long.cause, /^handshake: the response is very large: it is larger than 1 MB$/);
  const server = createRawServer((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n')));
  const port = await listening(server, context);
  const { cause } = await account.verify([`http://127.0.0.1:${port}/`]);
  assert.match(cause, /^handshake: the response is not valid HTTP/);
});

const sampled = ({ arrived }: Awaited<ReturnType<typeof startReceiver>>) =>
  new Set(
    arrived.flatMap(({ body }) => {
      const sent = JSON.parse(body);
      return Array.isArray(sent) ? [String(sent[0].eventType)] : [];
    }),
  );

test('samples six kinds of event if the events are unknown, and says so', async (context) => {
  const receiver = await startReceiver(context);
  const few = await account.verify([receiver.url]);
  assert.equal(sampled(receiver).size, 6);
  assert.equal(few.of('event TaskStatusChanged').why, '6 kinds accepted');
  assert.equal(few.of('events without taskId').outcome, 'ok');
  assert.deepEqual(few.of('other events'), {
    check: 'other events',
    outcome: 'not-checked',
    why: `the events it delivers are unknown, so samples of 6 kinds stand for all ${eventNames.length}`,
    fix: 'Name the events: --events EVENT,... (or --events all).',
  });

  const all = await account.verify([receiver.url, '--events', 'All']);
  assert.equal(sampled(receiver).size, eventNames.length);
  assert.equal(all.of('event TaskCreated, TaskDeleted and ').why, `${eventNames.length} kinds accepted`);
  assert.ok(!all.results.some(({ check }) => check === 'other events'));

  for (const [text, pattern] of [
    ['approval,TaskCreated', /Approval|^TaskCreated$/],
    ['[FolderCreated,TaskDeleted]', /^(FolderCreated|TaskDeleted)$/],
  ] as const) {
    receiver.arrived.length = 0;
    await account.verify([receiver.url, '--events', text]);
    const expected = eventNames.filter((name) => pattern.test(name));
    assert.deepEqual([...sampled(receiver)].toSorted(), expected.toSorted());
  }

  receiver.respond = afterHandshakes(() => ({ status: 404 }));
  const none = await account.verify([receiver.url]);
  assert.match(
    none.cause,
    /^event TaskStatusChanged, TaskResponsiblesAdded and CommentAdded: 404: nothing is at this path/,
  );
  assert.equal(none.of('events without taskId').outcome, 'not-checked');
});

test('sends a sample of each event to a webhook that wm created for all events', async (context) => {
  const receiver = await startReceiver(context);
  const id = await account.create(receiver.url, [], secret);
  const { of, results } = await account.verify([id]);
  assert.equal(of('event TaskCreated, TaskDeleted and ').why, `${eventNames.length} kinds accepted`);
  assert.ok(!results.some(({ check }) => check === 'other events'));

  // Another machine has no record of it.
  receiver.arrived.length = 0;
  const elsewhere = { environment: { WM_CONFIG_DIR: join(account.folder, 'elsewhere') } };
  assert.equal((await account.verify([id], elsewhere)).of('other events').outcome, 'not-checked');
  assert.equal(sampled(receiver).size, 6);
  const named = await account.verify([id, '--events', 'FolderCreated'], elsewhere);
  assert.ok(!named.results.some(({ check }) => check === 'other events'));
});

test('uses the events of the local record, or of the service', async (context) => {
  const receiver = await startReceiver(context);
  const filter = '[{"event":"TaskCustomFieldChanged","fields":["title"]}]';
  const id = await account.create(
    receiver.url,
    ['--events', 'TaskCreated', '--parameterised-events', filter],
    secret,
  );
  const { of, cause } = await account.verify([id]);
  assert.equal(cause, '');
  assert.equal(of('event ').outcome, 'ok');
  const sample = receiver.arrived.find(({ body }) => body.includes('TaskCreated'));
  assert.equal(JSON.parse(sample?.body ?? '')[0].webhookId, id);
  assert.match(String(sample?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
});

test('signs nothing without the secret, so a 401 proves nothing', async (context) => {
  const { of, why, cause, receiver } = await verifyOf(context, right, { secret: undefined });
  assert.equal(cause, '');
  assert.equal(of('handshake').why, 'the secret is unknown');
  assert.equal(of('event TaskCreated').outcome, 'not-checked');
  assert.match(why('event TaskCreated'), /the sample was not signed, since the secret is unknown$/);
  assert.equal(receiver.arrived[0]?.headers['x-hook-signature'], undefined);
  const missing = await verifyOf(context, () => ({ status: 404 }), { secret: undefined });
  assert.match(missing.cause, /^event TaskCreated: 404/);
  const moved = await verifyOf(context, () => ({ status: 302 }), { secret: undefined });
  assert.match(moved.cause, /^redirect: 302: a redirect, which the service is assumed not to follow/);
});

test('warns about a slow response within the limit', async (context) => {
  let elapsed = 0;
  const real = createWorld().clock;
  const clock = { ...real, monotonic: () => elapsed };
  const { of, why, cause } = await verifyOf(
    context,
    (arrived) => {
      elapsed += isHandshake(arrived.body) ? 100 : 6000;
      return right(arrived);
    },
    { world: { clock }, argv: ['--within', '10'] },
  );
  assert.equal(cause, '');
  assert.equal(of('response time').outcome, 'warning');
  assert.equal(of('response time').ms, 6000);
  assert.match(why('response time'), /close to the limit of 10 s$/);
});

// ------------------------------------------------------------------------------------------------- command line

test('in a pipe: one line per check; quotes the response of a receiver', async (context) => {
  const receiver = await startReceiver(context, () => ({ status: 400, body: 'a\u001b[31m\tb\nc' }));
  const ran = await account.wm(['webhook', 'verify', receiver.url, ...oneEvent]);
  assert.equal(ran.status, 0);
  assert.match(ran.output, /^event TaskCreated\tnot-checked\t\d+\t400 "a\\\\u001b\[31m\\\\tb\\\\nc": /m);
  const failing = await startReceiver(context, () => ({ status: 500 }));
  const again = await account.wm(['webhook', 'verify', failing.url, ...oneEvent]);
  assert.equal(again.status, 10);
  assert.match(again.errors, /^wm: 1 of \d+ checks failed: event TaskCreated\n {2}500: it failed/);
});

test('warns first that the samples reach the program, unless it is on this machine', async (context) => {
  const says = /^Samples reach the program behind https:\/\/192\.0\.2\.1\/hook, which may act on them/m;
  // A documentation address: nothing is sent there.
  const { errors } = await account.verify(['https://192.0.2.1/hook', ...oneEvent]);
  assert.match(errors, says);
  const receiver = await startReceiver(context);
  for (const argv of [
    [receiver.url],
    ['http://hooks.example.com/', '--connect-to', `127.0.0.1:${receiver.port}`],
  ])
    assert.doesNotMatch((await account.verify([...argv, ...oneEvent])).errors, /Samples reach/);
});

test('invalid arguments are a usage error', async () => {
  for (const [argv, error] of [
    [
      ['https://example.com', '--connect-to', 'localhost:80'],
      /--connect-to.*is not of the form ADDRESS:PORT/,
    ],
    [
      ['https://example.com', '--connect-to', '127.0.0.1:70000'],
      /the port: "70000" is not a whole number from 1 to/,
    ],
    [['https://example.com', '--connect-to', '127.0.0.1'], /is not of the form ADDRESS:PORT/],
    [['https://example.com', '--events', 'TaskMade'], /--events: "TaskMade" is not an event/],
    [['https://example.com', '--within', '0'], /--within.*is not a whole number from 1 to 300/],
  ] as const) {
    const ran = await account.wm(['webhook', 'verify', ...argv]);
    assert.equal(ran.status, 2);
    assert.match(ran.errors, error);
  }
  const none = await account.wm(['webhook', 'verify', 'IEAAAAAQJAAAAAAZ']);
  assert.equal(none.status, 5);
});
