// The receiver for a program's own server, over real connections and through both front ends: what each request gets, what the
// program is handed, and when.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sign } from '#contract/signature.ts';
import {
  createReceiver,
  type Delivery,
  type ReceiverOptions,
  type ReceiverRejection,
} from '#library/create-receiver.ts';
import { checkpoint } from '#test/support/gate.ts';
import * as witness from '../witness/signature.ts';
import { type FrontEnd, frontEnds, serve, serveReceiver } from './receiver-server.ts';

const secret = 'a secret of the webhook';
const event = {
  webhookId: 'IEW',
  eventAuthorId: 'KUA',
  eventType: 'TaskTitleChanged',
  lastUpdatedDate: '2026-02-02T09:00:00Z',
  taskId: 'IET',
  oldValue: 'A',
  title: 'B',
};
const body = JSON.stringify([event]);

/** A server with a receiver, and what the receiver has handed over and rejected. */
async function start(t: TestContext, frontEnd: FrontEnd, options: Partial<ReceiverOptions>) {
  const deliveries: Delivery[] = [];
  const rejections: ReceiverRejection[] = [];
  const receiver = createReceiver({
    secret,
    onDelivery: (delivery) => void deliveries.push(delivery),
    onRejection: (rejection) => void rejections.push(rejection),
    ...options,
  });
  return { ...(await serveReceiver(t, receiver, frontEnd)), deliveries, rejections };
}

/** Runs `attempt` in front of each kind of server. */
function overBoth(
  name: string,
  options: Partial<ReceiverOptions>,
  attempt: (running: Awaited<ReturnType<typeof start>>) => Promise<void>,
): void {
  for (const frontEnd of frontEnds)
    test(`${frontEnd}: ${name}`, async (t) => attempt(await start(t, frontEnd, options)));
}

const post = (url: string, content: string | Uint8Array, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', body: content, headers });
const signed = (content: string | Uint8Array, key = secret) => ({ 'X-Hook-Signature': sign(key, content) });

overBoth('onDelivery gets the events, the bytes and the key', {}, async ({ url, deliveries }) => {
  const pretty = JSON.stringify([event, { eventType: 'TaskMoved' }], null, 2);
  const response = await post(url, pretty, { ...signed(pretty), 'Idempotency-Key': 'key-1' });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
  const [delivery] = deliveries;
  assert.ok(delivery);
  assert.deepEqual(delivery.events[0], event);
  assert.deepEqual(
    delivery.events.map(({ eventType }) => eventType),
    ['TaskTitleChanged', 'unknown'],
  );
  assert.equal(Buffer.from(delivery.body).toString(), pretty);
  assert.equal(delivery.idempotencyKey, 'key-1');
});

overBoth('the id depends on the key and the body', {}, async ({ url, deliveries }) => {
  const other = JSON.stringify([{ ...event, title: 'C' }]);
  for (const [content, key] of [
    [body, 'key-1'],
    [body, 'key-1'],
    [other, 'key-1'],
    [body, 'key-2'],
    [body, undefined],
    [body, ''],
  ] as const) {
    const headers = { ...signed(content), ...(key === undefined ? {} : { 'Idempotency-Key': key }) };
    assert.equal((await post(url, content, headers)).status, 200);
  }
  const [first, repeated, otherBody, otherKey, without, empty] = deliveries.map(({ id }) => id);
  assert.match(first ?? '', /^[0-9a-f]{64}$/);
  assert.equal(repeated, first);
  assert.equal(new Set([first, otherBody, otherKey]).size, 3);
  assert.deepEqual([without, empty], [undefined, undefined]);
});

const content = '{"requestType":"WebHook secret verification"}';
const sealed = witness.signatures.find((row) => row.body === content);
const answered = witness.handshakes.find((row) => row.secret === sealed?.secret);

overBoth(
  'a body that a handshake could have signed is not handed over: 200',
  { secret: sealed?.secret ?? '' },
  async ({ url, deliveries, rejections }) => {
    assert.ok(sealed && answered);
    const forged = await post(url, answered.challenge, { 'X-Hook-Signature': answered.hex });
    assert.deepEqual([forged.status, forged.headers.get('X-Wm-Rejected')], [200, null]);
    assert.deepEqual(
      [deliveries.length, rejections.map(({ reason, status }) => [reason, status])],
      [0, [['forgeable', 200]]],
    );
  },
);

overBoth(
  'a handshake gets the response that another tool computes',
  { secret: sealed?.secret ?? '' },
  async ({ url, deliveries, rejections }) => {
    assert.ok(sealed && answered);
    const signature = { 'X-Hook-Signature': sealed.hex };
    const response = await post(url, content, { ...signature, 'X-Hook-Secret': answered.challenge });
    assert.deepEqual([response.status, response.headers.get('x-hook-secret')], [200, answered.hex]);
    for (const challenge of ['', 'a"b', 'x'.repeat(101), '[{}]', 'a, b']) {
      const refused = await post(url, content, { ...signature, 'X-Hook-Secret': challenge });
      assert.deepEqual([refused.status, refused.headers.get('x-hook-secret')], [503, null], challenge);
    }
    assert.deepEqual(new Set(rejections.map(({ reason }) => reason)), new Set(['bad-challenge']));
    // The body's own signature comes first: without it nothing is signed.
    const unsigned = await post(url, content, { 'X-Hook-Secret': answered.challenge });
    assert.deepEqual([unsigned.status, unsigned.headers.get('x-hook-secret')], [503, null]);
    assert.equal(deliveries.length, 0);
  },
);

overBoth('a delivery that carries a challenge is a delivery', {}, async ({ url, deliveries }) => {
  const response = await post(url, body, { ...signed(body), 'X-Hook-Secret': 'abc123' });
  assert.deepEqual([response.status, response.headers.get('x-hook-secret')], [200, null]);
  assert.equal(deliveries.length, 1);
});

overBoth('any signed body is a delivery', {}, async ({ url, deliveries }) => {
  for (const content of ['', 'not JSON', '5.0', '[]', JSON.stringify(event), '\ufeff[]', '[1]']) {
    assert.equal((await post(url, content, signed(content))).status, 200, content);
  }
  assert.deepEqual(
    deliveries.map(({ events }) => events.length),
    [0, 0, 0, 0, 1, 0, 0],
  );
});

overBoth(
  'it is 503 whatever else comes, never a 4xx',
  { maxBytes: 1000 },
  async ({ url, deliveries, rejections }) => {
    const large = `[${' '.repeat(1000)}]`;
    const responses = [
      await post(url, body, {}),
      await post(url, body, signed(`${body} `)),
      await post(url, body, signed(body, 'another secret')),
      await post(url, body, signed(body, '')),
      await post(url, body, { 'X-Hook-Signature': 'zz' }),
      await post(url, large, signed(large)),
      await fetch(url),
      await fetch(url, { method: 'PUT', body, headers: signed(body) }),
      await fetch(url, { method: 'DELETE' }),
    ];
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([503]));
    assert.deepEqual(
      responses.map(({ headers }) => headers.get('X-Wm-Rejected')),
      rejections.map(({ reason }) => reason),
    );
    assert.deepEqual(
      rejections.map(({ reason, status }) => (status === 503 ? reason : `${reason} ${status}`)),
      ['no-signature', ...Array(4).fill('bad-signature'), 'too-large', ...Array(3).fill('method')],
    );
    assert.equal(deliveries.length, 0);
  },
);

overBoth('a body of the largest size is accepted', { maxBytes: 400_000 }, async ({ url, deliveries }) => {
  const largest = Buffer.alloc(400_000, ' ');
  assert.equal((await post(url, largest, signed(largest))).status, 200);
  assert.equal(Buffer.compare(deliveries[0]?.body ?? Buffer.alloc(0), largest), 0);
});

overBoth('401 only if requested', { unauthorized: true }, async ({ url, rejections }) => {
  assert.equal((await post(url, body, {})).status, 401);
  assert.equal((await post(url, body, signed('other'))).status, 401);
  assert.equal((await fetch(url)).status, 503);
  assert.equal((await post(url, content, { ...signed(content), 'X-Hook-Secret': '{' })).status, 503);
  assert.deepEqual(
    rejections.map(({ status }) => status),
    [401, 401, 503, 503],
  );
});

overBoth('each of several secrets signs', { secret: ['old', 'new'] }, async ({ url, deliveries }) => {
  for (const key of ['old', 'new']) assert.equal((await post(url, body, signed(body, key))).status, 200);
  assert.equal((await post(url, body, signed(body, secret))).status, 503);
  assert.equal(deliveries.length, 2);
});

for (const frontEnd of frontEnds) {
  test(`${frontEnd}: the response waits for the program`, async (t) => {
    const program = checkpoint();
    const order: string[] = [];
    const { url } = await start(t, frontEnd, {
      onDelivery: () => {
        program.reach();
        return program.opened.then(() => order.push('stored'));
      },
    });
    const response = post(url, body, signed(body)).then(({ status }) => order.push(`${status}`));
    await program.reached;
    // What has been sent by now comes before the response to this.
    await fetch(url, { method: 'POST' }).catch(() => undefined);
    assert.deepEqual(order, []);
    program.open();
    await response;
    assert.deepEqual(order, ['stored', '200']);
  });

  test(`${frontEnd}: if the program throws, at once or later, the delivery is sent again`, async (t) => {
    const rejections: ReceiverRejection[] = [];
    const failures = [new Error('the database is away'), 'a text', undefined];
    const { url } = await start(t, frontEnd, {
      onDelivery: ({ idempotencyKey }) => {
        const failure = failures[Number(idempotencyKey)];
        if (idempotencyKey === '0') throw failure;
        return Promise.reject(failure);
      },
      onRejection: (rejection) => {
        rejections.push(rejection);
        throw new Error('this changes nothing');
      },
    });
    for (const at of failures.keys())
      assert.equal((await post(url, body, { ...signed(body), 'Idempotency-Key': `${at}` })).status, 503);
    assert.deepEqual(
      rejections,
      failures.map((error) => ({ reason: 'failed', status: 503, error })),
    );
  });
}

test('node: a body already read by middleware is not taken for an empty one', async (t) => {
  const rejections: ReceiverRejection[] = [];
  const receiver = createReceiver({
    secret,
    onDelivery: () => assert.fail('there is nothing to deliver'),
    onRejection: (rejection) => void rejections.push(rejection),
  });
  const { url } = await serve(t, async (request, response) => {
    for await (const _ of request);
    receiver.node(request, response);
  });
  assert.equal((await post(url, body, signed(''))).status, 503);
  assert.deepEqual(rejections, [{ reason: 'body-already-read', status: 503 }]);
});

test('fetch: a body that was already read is not taken for an empty one', async () => {
  const rejections: ReceiverRejection[] = [];
  const receiver = createReceiver({
    secret,
    onDelivery: () => assert.fail('there is nothing to deliver'),
    onRejection: (rejection) => void rejections.push(rejection),
  });
  const request = new Request('http://receiver.example/', { method: 'POST', body, headers: signed('') });
  await request.json();
  assert.equal((await receiver.fetch(request)).status, 503);
  assert.deepEqual(rejections, [{ reason: 'body-already-read', status: 503 }]);
});

test('fetch: a request without a body, and one that is cut off', async () => {
  const events: unknown[] = [];
  const receiver = createReceiver({
    secret,
    onDelivery: (delivery) => void events.push(delivery.body.length),
    onRejection: ({ reason }) => void events.push(reason),
  });
  const at = 'http://receiver.example/';
  const empty = new Request(at, { method: 'POST', headers: signed('') });
  assert.equal((await receiver.fetch(empty)).status, 200);
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(body)),
    pull: (controller) => controller.error(new Error('gone')),
  });
  const init = { method: 'POST', headers: signed(body), body: broken, duplex: 'half' } as const;
  assert.equal((await receiver.fetch(new Request(at, init))).status, 503);
  assert.deepEqual(events, [0, 'broken-off']);
});

test('node: reports an aborted request, even after a framework responded first to another', async (t) => {
  const reported = checkpoint();
  const rejections: ReceiverRejection[] = [];
  const receiver = createReceiver({
    secret,
    onDelivery: () => undefined,
    onRejection: (rejection) => {
      rejections.push(rejection);
      reported.reach();
    },
  });
  const server = await serve(t, (request, response) => {
    if (request.url === '/late') response.writeHead(504).end();
    receiver.node(request, response);
  });
  const late = await post(server.url.replace('/hook', '/late'), body, signed(body));
  assert.equal(late.status, 504);
  const client = connect(server.port, '127.0.0.1');
  client.write('POST /hook HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', () => client.destroy());
  await reported.reached;
  assert.deepEqual(rejections, [{ reason: 'broken-off', status: 503 }]);
});

test('concurrent large bodies share one limit', async () => {
  const rejections: ReceiverRejection[] = [];
  const program = checkpoint();
  const maxBytes = 1024 * 1024;
  let waiting = 0;
  const receiver = createReceiver({
    secret,
    maxBytes,
    onDelivery: () => {
      waiting += 1;
      if (waiting === 10) program.reach();
      return program.opened;
    },
    onRejection: (rejection) => void rejections.push(rejection),
  });
  const largest = new Uint8Array(maxBytes);
  const headers = signed(largest);
  const send = () =>
    receiver.fetch(new Request('http://receiver.example/', { method: 'POST', body: largest, headers }));
  // Of each, all but a small part counts.
  const held = Array.from({ length: 10 }, send);
  await program.reached;
  assert.equal((await send()).status, 503);
  assert.deepEqual(rejections, [{ reason: 'busy', status: 503 }]);
  program.open();
  for (const response of held) assert.equal((await response).status, 200);
  assert.equal((await send()).status, 200);
});

test('a misspelt, missing or wrong option fails at the start and is named, without any secret', () => {
  const onDelivery = () => undefined;
  /** As JavaScript calls it. */
  const call = (options: unknown) => Reflect.apply(createReceiver, undefined, [options]);
  for (const [options, message] of [
    [{ secret, ondelivery: onDelivery }, /^"ondelivery" is not an option of createReceiver: secret, onDel/],
    [{ secret, onDelivery, onRejction: onDelivery }, /^"onRejction" is not an option of createReceiver/],
    [{ secret }, /^createReceiver needs onDelivery/],
    [{ secret, onDelivery: secret }, /^createReceiver: onDelivery is not a function$/],
    [{ secret, onDelivery, onRejection: null }, /^createReceiver: onRejection is not a function$/],
    [{ secret, onDelivery, unauthorized: 'false' }, /^createReceiver: unauthorized is not a boolean$/],
    [{ secret, onDelivery, maxBytes: '10mb' }, /^createReceiver: maxBytes is not a number, 0 or more$/],
    [{ secret, onDelivery, maxBytes: Number.NaN }, /^createReceiver: maxBytes is not a number, 0 or more$/],
    [secret, /^The options of createReceiver are not an object$/],
    [undefined, /^The options of createReceiver are not an object$/],
  ] as const)
    assert.throws(
      () => call(options),
      (error) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, message);
        return !error.message.includes(secret);
      },
    );
  // As if they were left out.
  call({ secret, onDelivery, onRejection: undefined, unauthorized: undefined, maxBytes: undefined });
});

test('a receiver needs a secret', () => {
  const rest = { onDelivery: () => undefined, onRejection: () => undefined };
  for (const none of ['', [], ['a', '']])
    assert.throws(() => createReceiver({ secret: none, ...rest }), /needs a secret/);
  // A program without types gives a variable that is not set.
  const unset: { secret: string } = JSON.parse('{}');
  assert.throws(() => createReceiver({ ...unset, ...rest }), /needs a secret/);
});
