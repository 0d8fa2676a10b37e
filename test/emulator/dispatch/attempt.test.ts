// One attempt at a delivery: what is noted of the response.

import assert from 'node:assert/strict';
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

test('an attempt has its date, result and verdict', async () => {
  const attempt = (sendToReceiver: SendToReceiver) =>
    attemptDelivery(sendToReceiver, webhookOf('one'), deliveryOf('one', 'key'), now, 'default');
  assert.deepEqual(await attempt(responding(204)), { date, result: 204, verdict: 'delivered' });
  assert.deepEqual(await attempt(responding(503)), { date, result: 503, verdict: 'retry' });
  assert.deepEqual(await attempt(responding(410)), { date, result: 410, verdict: 'suspend' });
  const fault: SendToReceiver = () => Promise.resolve({ fault: 'timeout', detail: 'too late', sent: true });
  assert.deepEqual(await attempt(fault), { date, result: 'timeout', verdict: 'retry' });
});
