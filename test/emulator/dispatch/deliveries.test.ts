// A delivery whose webhook is dropped before its first attempt, within the turn in which it was added.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveries } from '#emulator/dispatch/deliveries.ts';
import { createEmulatorClock } from '#emulator/state/clock.ts';
import { createSample } from '#emulator/state/sample.ts';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { createStore } from '#emulator/state/store.ts';
import { gate } from '#test/support/gate.ts';
import { handClock } from '#test/support/service/start-emulator.ts';
import { randomBytes } from '#world/random.ts';
import { webhookOf } from './samples.ts';

test('a delivery is not sent if its webhook was dropped by the end of the turn', async () => {
  const store = createStore(createSample(sampleTokens));
  const clock = createEmulatorClock({ clock: handClock() }, () => undefined);
  const turn = gate();
  const sent: string[] = [];
  const deliveries = createDeliveries({
    store,
    clock,
    randomBytes,
    endOfTurn: () => turn.opened,
    sendToReceiver: async (url) => {
      sent.push(url);
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
    settings: {
      deliveryConnections: 2,
      retrySeconds: [30, 60],
      log: () => undefined,
      mode: 'default' as const,
    },
  });
  const occurrence = {
    id: 'event',
    event: 'TaskCreated',
    authorId: 'U',
    date: '2026-03-02T12:00:00Z',
    subject: store.tasks.get(sample.task) ?? assert.fail(),
    payload: {},
    placeIds: [],
  } as const;
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
