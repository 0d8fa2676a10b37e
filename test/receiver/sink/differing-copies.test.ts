// Servers whose copies of the stream differ, as after the loss of a leader or on a full disk: whatever a consumer leaves out is forwarded
// all the same, once and in order. No real server can be made to differ at will.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDifferingBench } from './differing-bench.ts';
import { tryDifferingCopies } from './differing-runs.ts';

const frozen = [true, true, true];
test('whatever a few copies lack and the network loses, each delivery is forwarded once and in order', async (t) => {
  t.diagnostic(await tryDifferingCopies(6));
});

test('the stream of progress is created again: nothing comes twice', async () => {
  for (const count of [1, 2]) {
    const bench = createDifferingBench();
    await bench.ensure();
    for (let at = 0; at < count; at++) bench.start();
    await bench.pass(20);
    for (const key of ['a', 'b', 'c']) {
      bench.store(key);
      await bench.pass(2);
    }
    bench.servers.recreate('progress');
    for (const key of ['d', 'e']) {
      bench.store(key);
      await bench.pass(2);
    }
    bench.store('f', { partition: 1 });
    await bench.pass(40);
    assert.equal(bench.keys(), 'a b c d e f');
  }
});

test('the stream of deliveries is created again while its consumers do nothing: nothing counts as settled', async () => {
  for (const isForTarget of [true, false]) {
    const bench = createDifferingBench();
    await bench.ensure();
    bench.start();
    await bench.pass(20);
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      bench.store(key);
      await bench.pass(1);
    }
    await bench.pass(20);
    bench.servers.recreate('deliveries');
    bench.servers.trouble.electionMs = 30_000;
    bench.servers.move(bench.consumer(0), 1);
    for (let at = 0; at < 70; at++) bench.store(`n${at}`, { isForTarget: at < 5 || isForTarget });
    await bench.pass(120);
    assert.equal(
      bench.sent
        .slice(5, 10)
        .map(({ key }) => key)
        .join(' '),
      'n0 n1 n2 n3 n4',
    );
  }
});

test('the stream has lost its end: what comes under those numbers is forwarded, and the rest not again', async () => {
  const bench = createDifferingBench();
  await bench.ensure();
  bench.start();
  await bench.pass(20);
  for (const key of ['a', 'b', 'c']) {
    bench.store(key);
    await bench.pass(1);
  }
  bench.servers.loseEnd(1);
  bench.store('n');
  bench.store('x', { partition: 1 });
  await bench.pass(60);
  assert.equal(bench.keys(), 'a b c x n');
  const before = bench.servers.reads();
  await bench.pass(60);
  assert.equal(bench.servers.reads() - before, 0);
});

test('a failed delivery keeps its place in a consumer whose next leader lacks it: it is forwarded without that', async () => {
  const bench = createDifferingBench();
  await bench.ensure();
  bench.servers.trouble.keepsInFlight = true;
  bench.start();
  await bench.pass(20);
  bench.verdicts.push('retry');
  bench.store('a', { copies: ['there', 'missing', 'missing'] });
  await bench.pass(0.5);
  bench.servers.move(bench.consumer(0), 1);
  bench.store('b');
  await bench.pass(600);
  assert.equal(bench.keys(), 'a a b');
});

test('a forwarder that starts while no consumer responds forwards all the same', async () => {
  const bench = createDifferingBench();
  await bench.ensure();
  bench.servers.trouble.frozen = frozen;
  bench.start();
  bench.store('a');
  await bench.pass(30);
  assert.equal(bench.keys(), 'a');
});

test('what a consumer left out before anything was claimed comes first', async () => {
  const bench = createDifferingBench();
  await bench.ensure();
  const first = bench.start();
  await bench.pass(12);
  bench.store('x', { isForTarget: false });
  bench.store('a', { copies: ['missing', 'there', 'there'] });
  bench.store('y', { partition: 1, isForTarget: false });
  await bench.pass(0.75);
  await first.stop();
  bench.start();
  await bench.pass(60);
  bench.store('b');
  await bench.pass(60);
  assert.equal(bench.keys(), 'a b');
});

test('a delivery takes a few reads, and partitions at rest take none', async () => {
  const bench = createDifferingBench();
  await bench.ensure();
  for (let at = 0; at < 4; at++) bench.start();
  const count = async (each: () => void) => {
    const before = bench.servers.reads();
    for (let at = 0; at < 50; at++) {
      each();
      await bench.pass(0.5);
    }
    return (bench.servers.reads() - before) / 50;
  };
  let number = 0;
  const busy = () => bench.store(`k${++number}`);
  await count(busy);
  const reads = await count(busy);
  assert.ok(reads < 8, `${reads}`);
  await bench.pass(30);
  assert.equal(await count(() => {}), 0);
});
