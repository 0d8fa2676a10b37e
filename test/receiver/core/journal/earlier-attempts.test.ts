// What a checkpoint keeps of attempts at deliveries that are not finished: exact, and small however many one target has taken while
// another is down.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EarlierAttempts } from '#receiver/core/journal/earlier-attempts.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { range } from './journal-tools.ts';

const change = fc.record({
  sequence: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(1023, 1024, 1025, 2 ** 40)),
  target: fc.constantFrom('one', 'two'),
  attempt: fc.integer({ min: 1, max: 3 }),
  verdict: fc.constantFrom('forwarded', 'retry', 'dead'),
  isEnd: fc.boolean(),
  stalledMs: fc.option(fc.integer({ min: 0, max: 9 })),
});

test('knows the last attempt at each target, also after it was stored', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const earlier = new EarlierAttempts();
      const expected = new Map<number, Map<string, object>>();
      for (const { sequence, isEnd, stalledMs, ...other } of changes) {
        const last = { ...other, ...(other.verdict === 'retry' && stalledMs !== null ? { stalledMs } : {}) };
        if (isEnd) {
          earlier.forget(sequence);
          expected.delete(sequence);
        } else {
          earlier.add(attempt(sequence, last));
          expected.set(sequence, (expected.get(sequence) ?? new Map()).set(last.target, last));
        }
      }
      for (const attempts of [earlier, EarlierAttempts.parse(earlier.toJson())])
        for (const { sequence } of changes) {
          const listed = attempts.list(sequence).toSorted((a, b) => (a.target < b.target ? -1 : 1));
          const known = expected.get(sequence) ?? new Map();
          assert.deepEqual(
            listed,
            [...known.keys()].toSorted().map((target) => known.get(target)),
          );
        }
    }),
  );
});

test('a hundred thousand deliveries that one target has accepted fit into a small checkpoint', () => {
  const earlier = new EarlierAttempts();
  for (const sequence of range(1, 100_000)) earlier.add(attempt(sequence, { finishes: false }));
  assert.ok(earlier.toJson().length < 25_000, String(earlier.toJson().length));
  for (const sequence of range(1, 100_000)) earlier.forget(sequence);
  assert.equal(earlier.toJson(), '[]');
});

test('the formats of earlier versions are read', () => {
  const last = { target: 'one', attempt: 2, verdict: 'retry' } as const;
  const grouped = EarlierAttempts.parse(JSON.stringify([{ ...last, deliveries: [[0, 'gA==']] }]));
  assert.deepEqual([grouped.list(7), grouped.list(8)], [[last], []]);
  grouped.add(attempt(7, { ...last, attempt: 3, stalledMs: 5 }));
  assert.deepEqual(grouped.list(7), [{ ...last, attempt: 3, stalledMs: 5 }]);
  const earlier = EarlierAttempts.parse(JSON.stringify([[7, [last]]]));
  assert.deepEqual([earlier.list(7), earlier.list(8)], [[last], []]);
  assert.deepEqual(EarlierAttempts.parse('no JSON').list(7), []);
});
