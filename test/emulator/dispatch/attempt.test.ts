// One attempt at a delivery: what is sent, and what is noted of the response.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { attemptDelivery } from '#emulator/dispatch/deliveries.ts';
import type { SendToReceiver } from '#emulator/dispatch/send-to-receiver.ts';
import { deliveryOf, webhookOf } from './samples.ts';

const now = Date.UTC(2026, 2, 2, 12);
const date = '2026-03-02T12:00:00Z';

const responding =
  (status: number): SendToReceiver =>
  () =>
    Promise.resolve({ status, headers: {}, body: new Uint8Array() });

test('the request carries its key and, with a secret, a signature over the exact body', async () => {
  const sent: unknown[] = [];
  const sendToReceiver: SendToReceiver = (...request) => {
    sent.push(request);
    return responding(200)('', {}, '');
  };
  const delivery = deliveryOf('one', 'key');
  await attemptDelivery(sendToReceiver, webhookOf('one'), delivery, now, 'default');
  await attemptDelivery(sendToReceiver, webhookOf('one', { secret: 's' }), delivery, now, 'bare');
  const signature = createHmac('sha256', 's').update('[{}]').digest('hex');
  assert.deepEqual(sent, [
    ['https://hooks.example.com/', { 'Idempotency-Key': 'key' }, '[{}]'],
    ['https://hooks.example.com/', { 'Idempotency-Key': 'key', 'X-Hook-Signature': signature }, '[{}]'],
  ]);
});

test('an attempt has its date, result and verdict', async () => {
  const attempt = (sendToReceiver: SendToReceiver) =>
    attemptDelivery(sendToReceiver, webhookOf('one'), deliveryOf('one', 'key'), now, 'default');
  assert.deepEqual(await attempt(responding(204)), { date, result: 204, verdict: 'delivered' });
  assert.deepEqual(await attempt(responding(503)), { date, result: 503, verdict: 'retry' });
  assert.deepEqual(await attempt(responding(410)), { date, result: 410, verdict: 'suspend' });
  const fault: SendToReceiver = () => Promise.resolve({ fault: 'timeout', detail: 'too late', sent: true });
  assert.deepEqual(await attempt(fault), { date, result: 'timeout', verdict: 'retry' });
});

test('a request aborted by the stopping emulator does not count as an attempt', async () => {
  const aborted: SendToReceiver = () => Promise.resolve({ fault: 'aborted', detail: '', sent: true });
  const attempt = attemptDelivery(aborted, webhookOf('one'), deliveryOf('one', 'key'), now, 'default');
  assert.equal(await attempt, undefined);
});
