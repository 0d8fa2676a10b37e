// Which delivery is sent next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lane, Lanes } from '../../../src/emulator/webhooks/lanes.ts';
import { deliveryOf, webhookOf } from './samples.ts';

const [one, two] = [webhookOf('one'), webhookOf('two')];

function filled(maxInFlight: number): Lanes {
  const lanes = new Lanes(maxInFlight);
  for (const key of ['a', 'b', 'c']) lanes.enqueue(one, deliveryOf('one', key));
  lanes.enqueue(two, deliveryOf('two', 'd'));
  return lanes;
}

/** Takes what may be sent now, by its key. */
function takeAll(lanes: Lanes): Map<string, Lane> {
  const taken = new Map<string, Lane>();
  for (let next = lanes.take(); next !== undefined; next = lanes.take())
    taken.set(next.delivery.idempotencyKey, next.lane);
  return taken;
}

function release(lanes: Lanes, lane: Lane | undefined): void {
  assert.ok(lane);
  lanes.release(lane);
}

test('a webhook gets one delivery at a time, in order', () => {
  const lanes = filled(10);
  let taken = takeAll(lanes);
  assert.deepEqual([...taken.keys()], ['a', 'd']);
  release(lanes, taken.get('a'));
  taken = takeAll(lanes);
  assert.deepEqual([...taken.keys()], ['b']);
  lanes.enqueue(one, deliveryOf('one', 'e'));
  assert.equal(lanes.take(), undefined);
  release(lanes, taken.get('b'));
  assert.deepEqual([...takeAll(lanes).keys()], ['c']);
});

test('in all, no more are in flight than the limit; webhooks take turns', () => {
  const lanes = filled(1);
  const order: string[] = [];
  for (let next = lanes.take(); next !== undefined; next = lanes.take()) {
    order.push(next.delivery.idempotencyKey);
    assert.equal(lanes.take(), undefined);
    lanes.release(next.lane);
  }
  assert.deepEqual(order, ['a', 'd', 'b', 'c']);
});

test('closing a lane returns what waits in it; the delivery in flight sees that it is closed', () => {
  const lanes = filled(1);
  const first = lanes.take();
  assert.equal(first?.lane.isClosed, false);
  assert.deepEqual(
    lanes.close('one').map(({ idempotencyKey }) => idempotencyKey),
    ['b', 'c'],
  );
  assert.equal(first?.lane.isClosed, true);
  // Made active again, the webhook has a new lane.
  lanes.enqueue(one, deliveryOf('one', 'e'));
  release(lanes, first?.lane);
  assert.equal(lanes.take()?.delivery.idempotencyKey, 'd');
  assert.deepEqual(lanes.close('three'), []);
});

test('a lane that is closed before its turn is passed over', () => {
  const lanes = filled(10);
  lanes.close('one');
  assert.deepEqual([...takeAll(lanes).keys()], ['d']);
});

test('lanes are idle when nothing waits for its turn and nothing is in flight', () => {
  const lanes = new Lanes(1);
  assert.equal(lanes.isIdle, true);
  lanes.enqueue(one, deliveryOf('one', 'a'));
  assert.equal(lanes.isIdle, false);
  const taken = lanes.take();
  assert.equal(lanes.isIdle, false);
  release(lanes, taken?.lane);
  assert.equal(lanes.isIdle, true);
});
