// Servers whose copies of the stream differ: many random runs of what differing-copies.test.ts tries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDifferingBench } from './differing-bench.ts';
import { tryDifferingCopies } from './differing-runs.ts';

test('whatever the copies lack and the network loses, each delivery is forwarded once and in order', async (t) => {
  t.diagnostic(await tryDifferingCopies(40));
});

const frozen = [true, true, true];

test('without a consumer too, attempts keep their distance, however many forwarders there are', async () => {
  const tookMs = [];
  for (const count of [1, 4]) {
    const bench = createDifferingBench();
    await bench.ensure();
    for (let at = 0; at < count; at++) bench.start();
    await bench.pass(20);
    bench.servers.trouble.frozen = frozen;
    bench.verdicts.push(...Array.from({ length: 12 }, () => 'retry' as const));
    bench.store('a');
    await bench.pass(1_800);
    assert.equal(bench.sent.length, 12);
    tookMs.push((bench.sent[11]?.at ?? 0) - (bench.sent[0]?.at ?? 0));
  }
  const [alone = 0, together = 0] = tookMs;
  assert.ok(together > alone * 0.7, `${tookMs}`);
});
