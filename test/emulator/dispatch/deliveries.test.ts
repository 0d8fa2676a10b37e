// A delivery whose webhook is dropped before its first attempt, within the turn in which it was added; what is noted of an
// attempt; and the log of deliveries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveries } from '#emulator/dispatch/deliveries.ts';
import type { SendToReceiver } from '#emulator/dispatch/send-to-receiver.ts';
import { createEmulatorClock } from '#emulator/state/clock.ts';
import { createSample } from '#emulator/state/sample.ts';
import { sampleTokens } from '#emulator/state/sample-ids.ts';
import { createStore, type StoredWebhook } from '#emulator/state/store.ts';
import { gate } from '#test/support/gate.ts';
import { handClock } from '#test/support/service/start-emulator.ts';
import { randomBytes } from '#world/random.ts';

function webhookOf(id: string, more: Partial<StoredWebhook> = {}): StoredWebhook {
  return {
    id,
    accountId: 'A',
    applicationId: 'P',
    authorId: 'U',
    hookUrl: 'https://hooks.example.com/',
    recursive: false,
    status: 'Active',
    ...more,
  };
}

function start(
  sendToReceiver: SendToReceiver = async () => ({ status: 200, headers: {}, body: new Uint8Array() }),
) {
  const store = createStore(createSample(sampleTokens));
  const clock = createEmulatorClock({ clock: handClock() }, () => undefined);
  const turn = gate();
  const sent: string[] = [];
  const deliveries = createDeliveries({
    store,
    clock,
    randomBytes,
    endOfTurn: () => turn.opened,
    sendToReceiver(url, ...more) {
      sent.push(url);
      return sendToReceiver(url, ...more);
    },
    settings: {
      deliveryConnections: 2,
      retrySeconds: [30, 60],
      log: () => undefined,
      mode: 'default' as const,
    },
  });
  return { store, turn, sent, deliveries };
}

test('a delivery is not sent if its webhook was dropped by the end of the turn', async () => {
  const { store, turn, sent, deliveries } = start();
  const occurrence = { id: 'event', event: 'TaskCreated' };
  deliveries.add(webhookOf('dropped'), occurrence, '[{}]');
  deliveries.add(webhookOf('kept', { hookUrl: 'https://kept.example.com/' }), occurrence, '[{}]');
  assert.equal(store.pendingDeliveries.size, 2);
  deliveries.drop('dropped');
  turn.open();
  await deliveries.whenIdle();
  assert.deepEqual(sent, ['https://kept.example.com/']);
  assert.deepEqual(
    deliveries.log.map(({ webhookId, state, attempts }) => [webhookId, state, attempts.length]),
    [
      ['dropped', 'dropped', 0],
      ['kept', 'delivered', 1],
    ],
  );
  assert.equal(store.pendingDeliveries.size, 0);
});

test('an attempt has its date, result and verdict, without a response too', async () => {
  const { turn, deliveries } = start(async () => ({ fault: 'timeout', detail: 'too late', sent: true }));
  deliveries.add(webhookOf('one'), { id: 'event', event: 'TaskCreated' }, '[{}]');
  turn.open();
  await deliveries.whenIdle();
  const [attempt] = deliveries.log[0]?.attempts ?? [];
  assert.match(attempt?.date ?? '', /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual([attempt?.result, attempt?.verdict], ['timeout', 'retry']);
});

test('the log keeps the latest deliveries, oldest first, and never grows to twice its limit', () => {
  const { deliveries } = start();
  const add = (id: number) => deliveries.add(webhookOf('one'), { id: String(id), event: 'TaskCreated' }, '');
  for (let id = 0; id < 20_000; id++) add(id);
  assert.equal(deliveries.log.length, 20_000);
  add(20_000);
  assert.equal(deliveries.log.length, 10_000);
  assert.equal(deliveries.log.at(0)?.idempotencyKey, '10001');
  assert.equal(deliveries.log.at(-1)?.idempotencyKey, '20000');
  deliveries.clear();
  assert.equal(deliveries.log.length, 0);
});
