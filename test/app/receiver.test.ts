// The demo's receiver waits 15 s for a delivery that is signed; a freeze is none of that time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '#app/demo.ts';
import { deliveryHeaders } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createWorld } from '#world/create-world.ts';

const secret = 'canary-webhook-secret';

test('stopped for a minute before the delivery arrives', async (context) => {
  const clock = createTestClock();
  const receiver = await startReceiver({ server: createWorld().server, clock }, secret);
  context.after(() => receiver.close());
  const next = receiver.next();
  clock.stop(60_000);
  const body = '[{"taskId":"IEAAAAAQKQAB5BNG"}]';
  const delivered = fetch(`http://127.0.0.1:${receiver.port}/`, {
    method: 'POST',
    headers: { [deliveryHeaders.signature]: sign(secret, body), connection: 'close' },
    body,
  });
  assert.equal(new TextDecoder().decode((await next).body), body);
  assert.equal((await delivered).status, 200);
});

test('no delivery within 15 s is an error', async (context) => {
  const clock = createTestClock();
  const receiver = await startReceiver({ server: createWorld().server, clock }, secret);
  context.after(() => receiver.close());
  const next = assert.rejects(receiver.next(), { message: 'No delivery arrived within 15 s' });
  clock.advance(15_000);
  await next;
});

test('rejects a request that is not signed with the secret, and does not count it as a delivery', async (context) => {
  const clock = createTestClock();
  const receiver = await startReceiver({ server: createWorld().server, clock }, secret);
  context.after(() => receiver.close());
  const send = async (headers: Readonly<Record<string, string>>, body: string) => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    return fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body });
  };
  const signed = (body: string, by = secret) => ({ [deliveryHeaders.signature]: sign(by, body) });
  for (const headers of [{}, signed('one', 'another secret'), signed('two')])
    assert.equal((await send(headers, 'one')).status, 503);
  assert.equal(receiver.count(), 0);
  const challenge = 'c'.repeat(32);
  const question = '{"requestType":"WebHook secret verification"}';
  const handshake = await send({ ...signed(question), [deliveryHeaders.secret]: challenge }, question);
  assert.equal(handshake.headers.get(deliveryHeaders.secret), sign(secret, challenge));
  assert.deepEqual([handshake.status, receiver.count()], [200, 0]);
  // Its signature may be one that a handshake gave away.
  assert.equal((await send(signed(challenge), challenge)).status, 200);
  assert.equal(receiver.count(), 0);
  // Deliveries have been seen to carry the header of a handshake too.
  for (const [body, more] of [
    ['["one"]', {}],
    ['["two"]', { [deliveryHeaders.secret]: challenge }],
  ] as const) {
    const delivery = await send({ ...signed(body), ...more }, body);
    assert.deepEqual([delivery.status, delivery.headers.get(deliveryHeaders.secret)], [200, null]);
  }
  assert.equal(receiver.count(), 2);
  assert.equal(new TextDecoder().decode((await receiver.next()).body), '["one"]');
});
