// How much of the journal is in memory, and what happens when a delivery cannot be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryCache } from '#receiver/core/forwarding/target-line.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { sampleDelivery } from '../intake/samples.ts';
import { createBench, createScriptedTarget, forwarded, unavailable } from './scripted.ts';

test('reads no further ahead than the window, however long the backlog', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  let isDown = true;
  const target = createScriptedTarget(clock, () => (isDown ? unavailable : forwarded()));
  for (let i = 0; i < 200; i++) journal.store(`T${i}`);
  const forwarder = start([target], { window: 50 });
  for (let i = 0; i < 20; i++) await settle();
  assert.deepEqual([journal.mostAhead, forwarder.state().waiting], [50, 50]);
  isDown = false;
  await runUntil(() => journal.state().unfinished === 0);
  assert.equal(journal.mostAhead, 50);
  await forwarder.stop();
});

test('reads large deliveries again when it is their turn; an unreadable one fails alone', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  const bodies: number[] = [];
  let isDown = true;
  const target = {
    name: 'target',
    send: async ({ body }: StoredDelivery) => {
      if (isDown) return unavailable;
      bodies.push(body.byteLength);
      return forwarded();
    },
  };
  const large = JSON.stringify([{ eventType: 'TaskCreated', taskId: 'A', title: 'x'.repeat(2500 * 1024) }]);
  for (let i = 0; i < 3; i++) journal.storeBody(large);
  const unreadable = journal.storeBody('[]');
  const reads: number[] = [];
  // All targets share 64 MB of memory, so this one has 4 MB.
  const others = Array.from({ length: 15 }, (_, at) =>
    createScriptedTarget(clock, () => forwarded(), `other ${at}`),
  );
  const forwarder = start([target, ...others], {
    chooseTargets: () => [target],
    maxAttempts: 2,
    journal: {
      ...journal,
      async *unfinished(signal) {
        for await (const delivery of journal.unfinished(signal)) {
          // Too large for what is left of the cache.
          if (delivery.sequence === unreadable)
            yield { ...delivery, headers: [['X-Large', 'x'.repeat(2500 * 1024)]] };
          else yield delivery;
        }
      },
      read: async (sequence) => {
        reads.push(sequence);
        return sequence === unreadable ? undefined : journal.read(sequence);
      },
    },
  });
  await settle();
  isDown = false;
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual(bodies, [large.length, large.length, large.length]);
  assert.ok(reads.includes(2));
  const last = journal.attempts.filter(({ sequence }) => sequence === unreadable);
  assert.deepEqual(
    last.map(({ outcome, verdict }) => [outcome, verdict]),
    [
      ['failed', 'retry'],
      ['failed', 'dead'],
    ],
  );
  await forwarder.stop();
});

test('the cache keeps a limited number of bytes, and reuses the room of forgotten deliveries', async () => {
  const read: number[] = [];
  const deliveryOf = (sequence: number) =>
    sampleDelivery({ sequence, path: '/', headers: [['Name', 'value']], body: new Uint8Array(1000) });
  const cache = createDeliveryCache(
    {
      read: async (sequence) => {
        read.push(sequence);
        return sequence === 9 ? undefined : deliveryOf(sequence);
      },
    },
    5000,
  );
  for (const sequence of [1, 2, 3]) cache.keep(deliveryOf(sequence));
  for (const sequence of [1, 2, 3]) assert.equal((await cache.load(sequence)).sequence, sequence);
  assert.deepEqual(read, [3]);
  cache.forget(1);
  cache.forget(1);
  for (const sequence of [4, 5]) cache.keep(deliveryOf(sequence));
  for (const sequence of [4, 5]) await cache.load(sequence);
  assert.deepEqual(read, [3, 5]);
  await assert.rejects(cache.load(9), /The journal has dropped delivery 9/);
});
