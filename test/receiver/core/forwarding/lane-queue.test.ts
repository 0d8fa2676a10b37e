// The lanes, compared with a model that looks at all earlier items; and the queue of what may be sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLaneQueue, createReadyQueue } from '#receiver/core/forwarding/lane-queue.ts';

test('releases an item when no earlier unfinished one shares a lane', () => {
  const lanes = fc.subarray(['A', 'B', 'C', 'D'], { minLength: 1 });
  const step = fc.oneof(lanes, fc.nat());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const queue = createLaneQueue<number>();
      const added: (readonly string[])[] = [];
      const open = new Set<number>();
      const released = new Set<number>();
      const mayGo = (item: number) =>
        [...open].every(
          (other) => other >= item || !added[other]?.some((lane) => added[item]?.includes(lane)),
        );
      for (const step of steps) {
        if (Array.isArray(step)) {
          const item = added.push(step) - 1;
          open.add(item);
          if (queue.add(item, step)) released.add(item);
        } else {
          const item = [...released][step % (released.size || 1)];
          if (item === undefined) continue;
          released.delete(item);
          open.delete(item);
          for (const next of queue.finish(item)) released.add(next);
        }
        assert.deepEqual(
          [...released].toSorted((a, b) => a - b),
          [...open].filter(mayGo).toSorted((a, b) => a - b),
        );
        assert.equal(queue.size, open.size);
      }
    }),
  );
});

test('a released item can be finished once, and no other item can', () => {
  const queue = createLaneQueue<string>();
  queue.add('one', ['A']);
  queue.add('two', ['A']);
  assert.throws(() => queue.finish('two'), /Only a released item/);
  assert.deepEqual(queue.finish('one'), ['two']);
  assert.throws(() => queue.finish('one'), /Only a released item/);
});

test('the ready queue returns the oldest first, in whatever order items were added', () => {
  const sequencesInAnyOrder = fc.uniqueArray(fc.nat({ max: 1000 }));
  fc.assert(
    fc.property(sequencesInAnyOrder, fc.nat({ max: 5 }), (sequences, position) => {
      const queue = createReadyQueue<{ readonly sequence: number }>();
      for (const sequence of sequences) queue.add({ sequence });
      const sorted = sequences.toSorted((a, b) => a - b);
      assert.equal(queue.take(position)?.sequence, sorted[position]);
      const rest = sorted.filter((_, at) => at !== position);
      const isEven = ({ sequence }: { readonly sequence: number }) => sequence % 2 === 0;
      assert.deepEqual(
        queue.takeAll(isEven).map(({ sequence }) => sequence),
        rest.filter((sequence) => sequence % 2 === 0),
      );
      for (const sequence of rest.filter((number) => number % 2 === 1))
        assert.equal(queue.take()?.sequence, sequence);
      assert.deepEqual([queue.take(), queue.size], [undefined, 0]);
    }),
  );
});
