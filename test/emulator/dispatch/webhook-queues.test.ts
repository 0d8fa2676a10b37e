// Which delivery is sent next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type WebhookQueue, WebhookQueues } from '#emulator/dispatch/webhook-queues.ts';
import { valuesOf } from '#test/support/service/records.ts';
import { deliveryOf, webhookOf } from './samples.ts';

const [one, two] = [webhookOf('one'), webhookOf('two')];

function filled(maxInFlight: number): WebhookQueues {
  const queues = new WebhookQueues(maxInFlight);
  for (const key of ['a', 'b', 'c']) queues.enqueue(one, deliveryOf('one', key));
  queues.enqueue(two, deliveryOf('two', 'd'));
  return queues;
}

/** Takes what may be sent now, by its key. */
function takeAll(queues: WebhookQueues): Map<string, WebhookQueue> {
  const taken = new Map<string, WebhookQueue>();
  for (let next = queues.take(); next !== undefined; next = queues.take())
    taken.set(next.delivery.idempotencyKey, next.queue);
  return taken;
}

function release(queues: WebhookQueues, queue: WebhookQueue | undefined): void {
  assert.ok(queue);
  queues.release(queue);
}

test('a webhook gets one delivery at a time, in order', () => {
  const queues = filled(10);
  let taken = takeAll(queues);
  assert.deepEqual([...taken.keys()], ['a', 'd']);
  release(queues, taken.get('a'));
  taken = takeAll(queues);
  assert.deepEqual([...taken.keys()], ['b']);
  queues.enqueue(one, deliveryOf('one', 'e'));
  assert.equal(queues.take(), undefined);
  release(queues, taken.get('b'));
  assert.deepEqual([...takeAll(queues).keys()], ['c']);
});

test('no more deliveries are in flight than the limit; webhooks take turns', () => {
  const queues = filled(1);
  const order: string[] = [];
  for (let next = queues.take(); next !== undefined; next = queues.take()) {
    order.push(next.delivery.idempotencyKey);
    assert.equal(queues.take(), undefined);
    queues.release(next.queue);
  }
  assert.deepEqual(order, ['a', 'd', 'b', 'c']);
});

test('closing a queue returns its waiting deliveries; the delivery in flight sees that it is closed', () => {
  const queues = filled(1);
  const first = queues.take();
  assert.equal(first?.queue.isClosed, false);
  let cancelled = 0;
  first?.queue.retries.set(deliveryOf('one', 'f'), () => cancelled++);
  assert.deepEqual(valuesOf(queues.close('one'), 'idempotencyKey'), ['f', 'b', 'c']);
  assert.equal(cancelled, 1);
  assert.equal(first?.queue.isClosed, true);
  // Made active again, the webhook has a new queue.
  queues.enqueue(one, deliveryOf('one', 'e'));
  release(queues, first?.queue);
  assert.equal(queues.take()?.delivery.idempotencyKey, 'd');
  assert.deepEqual(queues.close('three'), []);
});

test('a queue closed before its turn is skipped', () => {
  const queues = filled(10);
  queues.close('one');
  assert.deepEqual([...takeAll(queues).keys()], ['d']);
});

test('queues are idle when nothing is waiting or in flight', () => {
  const queues = new WebhookQueues(1);
  assert.equal(queues.isIdle, true);
  queues.enqueue(one, deliveryOf('one', 'a'));
  assert.equal(queues.isIdle, false);
  const taken = queues.take();
  assert.equal(queues.isIdle, false);
  release(queues, taken?.queue);
  assert.equal(queues.isIdle, true);
});
