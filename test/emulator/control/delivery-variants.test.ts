// Deliveries that a receiver must survive: duplicates, single objects, and older events after newer ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control, settled } from '#test/support/service/control.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';

test('delivers an event twice, as an object, or before an older one', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  const emit = async (...variants: readonly string[]) => {
    const before = receiver.received.length;
    const { deliveries } = await control(emulator, 'POST', '/events', {
      eventType: 'CommentAdded',
      variants,
    });
    await settled(emulator);
    const received = receiver.received.slice(before);
    assert.equal(received.length, deliveries);
    return received.map(({ headers, events }) => ({ key: headers['idempotency-key'], events }));
  };
  const [plain, ...none] = await emit();
  assert.ok(Array.isArray(plain?.events));
  assert.deepEqual(none, []);
  const [first, second, ...more] = await emit('duplicate');
  assert.deepEqual(first, second);
  assert.deepEqual(more, []);
  const [single] = await emit('single-object');
  assert.equal(single?.events.eventType, 'CommentAdded');
  const [newer, older] = await emit('out-of-order');
  assert.equal(newer?.events[0].lastUpdatedDate, '2026-03-02T12:00:00Z');
  assert.equal(older?.events[0].lastUpdatedDate, '2026-03-02T11:59:00Z');
  assert.notEqual(newer?.key, older?.key);
  assert.equal((await emit('duplicate', 'single-object', 'out-of-order')).length, 4);
  const wrong = await fetch(`${emulator.controlUrl}/events`, {
    method: 'POST',
    body: JSON.stringify({ eventType: 'CommentAdded', variants: ['twice'] }),
  });
  assert.equal(wrong.status, 400);
});
