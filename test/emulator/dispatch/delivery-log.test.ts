// The log of deliveries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryLog } from '#emulator/dispatch/deliveries.ts';
import { deliveryOf } from './samples.ts';

test('the log keeps the latest deliveries, oldest first, and never grows to twice its limit', () => {
  const log = createDeliveryLog();
  for (let i = 0; i < 20_000; i++) log.add(deliveryOf('one', String(i)));
  assert.equal(log.entries.length, 20_000);
  log.add(deliveryOf('one', '20000'));
  assert.equal(log.entries.length, 10_000);
  assert.equal(log.entries.at(0)?.idempotencyKey, '10001');
  assert.equal(log.entries.at(-1)?.idempotencyKey, '20000');
  log.clear();
  assert.equal(log.entries.length, 0);
});
