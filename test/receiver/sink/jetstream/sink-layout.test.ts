// What every version of wm must compute alike, for ever: where a delivery goes, and how a consumer is called.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReceivedDelivery } from '#receiver/core/intake/delivery-journal.ts';
import {
  consumerName,
  isRecentServer,
  partitionFor,
  partitionsOf,
} from '#receiver/sink/jetstream/sink-layout.ts';
import { createSinkEncoder, decodeDelivery } from '#receiver/sink/jetstream/sink-message.ts';

test('the partitions of some subjects have never changed', () => {
  const subjects = ['', 'IEAAAAAQKQAB5BNG', 'IEAAAAAQI4AB5BNG', 'é'];
  const expected = subjects.map((subject) => {
    const digest = createHash('sha256').update(subject).digest();
    return digest.readUInt32BE(0) % 64;
  });
  assert.deepEqual(
    subjects.map((subject) => partitionFor(subject, 64)),
    expected,
  );
  // Of the empty text the hash is known by heart: e3b0c442...
  assert.equal(expected[0], 0xe3b0c442 % 64);
});

test('a consumer is named after its target and its partition', () => {
  const start = createHash('sha256').update('http://127.0.0.1:3000/hook').digest('hex').slice(0, 12);
  assert.equal(consumerName('http://127.0.0.1:3000/hook', 7), `${start}-7`);
});

test('the number of partitions is in the metadata', () => {
  assert.equal(partitionsOf({ config: { metadata: { 'wm-partitions': '128' } } }), 128);
  assert.equal(partitionsOf({ config: { metadata: {} } }), undefined);
  assert.equal(partitionsOf({ config: { metadata: { 'wm-partitions': 'many' } } }), undefined);
});

test('compares server versions numerically', () => {
  for (const version of ['2.9.10', '2.10.27', '2.15.0', '1.99.99', ''])
    assert.equal(isRecentServer(version), false);
  for (const version of ['2.15.1', '2.15.10', '2.16.0-RC.1', '3.0.0'])
    assert.equal(isRecentServer(version), true);
});

const deliveries = fc.record({
  receivedAt: fc.nat(),
  path: fc.string(),
  headers: fc.array(fc.tuple(fc.stringMatching(/^[\w!#$%&'*+.^`|~-]+$/), fc.string())),
  body: fc.uint8Array({ maxLength: 2_000 }),
  idempotencyKey: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  signature: fc.constantFrom('valid' as const, 'unsigned' as const),
}) satisfies fc.Arbitrary<ReceivedDelivery>;

test('a message holds a delivery unchanged', () => {
  const encode = createSinkEncoder(64);
  fc.assert(
    fc.property(deliveries, (delivery) => {
      const { payload, partition } = encode(delivery);
      const { sequence, body = [], ...rest } = decodeDelivery({ payload, sequence: 7 }) ?? {};
      const { body: sent, ...others } = delivery;
      assert.equal(sequence, 7);
      assert.deepEqual([...body], [...sent]);
      assert.deepEqual(structuredClone(rest), structuredClone(others));
      assert.ok(partition >= 0 && partition < 64);
    }),
  );
});

test('the same id for the same key and bytes, whatever else differs; otherwise another id', () => {
  const encode = createSinkEncoder(64);
  fc.assert(
    fc.property(deliveries, deliveries, (a, b) => {
      const key = a.idempotencyKey ?? 'k';
      const { id } = encode({ ...a, idempotencyKey: key });
      assert.equal(encode({ ...b, idempotencyKey: key, body: a.body }).id, id);
      assert.notEqual(encode({ ...a, idempotencyKey: `${key}x` }).id, id);
      assert.notEqual(
        encode({ ...a, idempotencyKey: key, body: Buffer.concat([a.body, Buffer.of(0)]) }).id,
        id,
      );
      assert.equal(encode({ ...a, idempotencyKey: undefined }).id, undefined);
    }),
  );
});
