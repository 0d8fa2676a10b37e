// What must hold when servers of a sink are cut off, full, or no longer let a receiver in.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from './bounded.ts';
import { leaderOf } from './nats-client.ts';
import { deliver, deliverUntil, startTarget, startTrial, store } from './trial.ts';

test('the leader is cut off: no 2xx without a quorum, and storing resumes by itself', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const name = await leaderOf(t, trial.cluster.addresses);
  const cut = trial.cluster.nodes.find((node) => node.name === name);
  assert.ok(cut);
  // Each chooses one of the servers. This one has chosen the leader.
  let receiver = await trial.listen();
  while ((await cut.clients()) === 0) receiver = await trial.listen();
  const statuses: number[] = [];
  const acknowledged: string[] = [];
  let number = 0;
  const sendUntil = async (expected: number): Promise<number> => {
    const start = performance.now();
    for (;;) {
      const key = `k${++number}`;
      const status = await deliver(receiver.port, { key });
      assert.ok(status === 200 || status === 503, `${status}`);
      statuses.push(status);
      if (status === 200) acknowledged.push(key);
      if (status === expected) return performance.now() - start;
    }
  };
  await sendUntil(200);
  cut.cutOff();
  // The two others choose a leader; whoever is connected to the one that was cut off has to leave it.
  const before = acknowledged.length;
  const start = performance.now();
  while (acknowledged.length < before + 20) await sendUntil(200);
  const recoveredMs = performance.now() - start;
  assert.ok(recoveredMs < 30_000, `${recoveredMs} ms`);
  // A program that starts meanwhile chooses one of the three, and finds the others once they have leaders for all streams.
  const check = (on: string) => trial.wm('webhook', 'sink', 'check', on);
  const others = trial.cluster.nodes.filter((node) => node !== cut).map(({ address }) => address);
  while ((await check(`nats://${others.join(',')}/TRIAL`)).status !== 0);
  const all = await Promise.all(Array.from({ length: 8 }, () => check(trial.sink)));
  const errors = all.map((ended) => ended.errors).join();
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [0], errors);
  cut.join();
  await trial.forward(target.url);
  await target.untilHas(acknowledged);
  process.stderr.write(
    `the leader cut off: ${acknowledged.length} acknowledged, ${statuses.length - acknowledged.length} times 503, 20 stored within ${Math.round(recoveredMs)} ms, 0 lost\n`,
  );
});

test('two of three are cut off: 503 within the time of a delivery, never a 2xx; then again by itself', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  await store(receiver.port, { key: 'before' });
  const [one, two] = trial.cluster.nodes;
  one?.cutOff();
  two?.cutOff();
  const start = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, at) => deliver(receiver.port, { key: `cut-${at}`, task: `T${at}` })),
  );
  const tookMs = performance.now() - start;
  assert.deepEqual([...new Set(statuses)], [503]);
  assert.ok(tookMs < 10_000, `${tookMs} ms`);
  await receiver.says(/Cannot store deliveries: .*(?:quorum|no connection).*503/);
  assert.equal(receiver.errors().match(/Cannot store deliveries/g)?.length, 1);
  one?.join();
  two?.join();
  const joined = performance.now();
  for (let at = 0; at < 20; at++) await deliverUntil(receiver.port, { key: `cut-${at}`, task: `T${at}` });
  const recoveredMs = performance.now() - joined;
  assert.ok(recoveredMs < 30_000, `${recoveredMs} ms`);
  await receiver.says(/can be stored again/);
  await trial.forward(target.url);
  await target.until(() => target.keys.length >= 21);
  assert.equal(new Set(target.keys).size, 21);
  assert.equal(target.keys.length, 21);
  process.stderr.write(
    `no quorum: 20 times 503 within ${Math.round(tookMs)} ms, stored ${Math.round(recoveredMs)} ms after it was back, each forwarded once\n`,
  );
});

test('a server whose disk is full: no acknowledged delivery is lost, the others get 503 and one line', async (t) => {
  // Its store is a disk of its own, which is soon full.
  let size = '12m';
  const trial = await startTrial(t, {
    command: (node, words) =>
      node === 0
        ? [
            'unshare',
            '--mount',
            'sh',
            '-c',
            `mkdir -p "$0/store" && mount -t tmpfs -o size=${size} tmpfs "$0/store" && exec nats-server "$@"`,
            dirname(words.at(-1) ?? ''),
            ...words,
          ]
        : ['nats-server', ...words],
  });
  const target = await startTarget(t);
  const receiver = await trial.listen();
  await trial.forward(target.url);
  const title = 'x'.repeat(50_000);
  const statuses = new Map<number | undefined, number>();
  const stored: string[] = [];
  for (let at = 0; at < 300; at++) {
    const status = await deliver(receiver.port, { key: `f${at}`, task: `T${at % 7}`, title });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) stored.push(`f${at}`);
  }
  // More than the disk holds.
  assert.ok(stored.length * title.length > 12 * 1024 * 1024);
  assert.ok([...statuses.keys()].every((status) => status === 200 || status === 503));
  // Each outage is one line, and there is none without it. The response may come before the line.
  if (statuses.has(503)) await receiver.says(/Cannot store deliveries/);
  const lines = receiver.errors().match(/Cannot store deliveries/g)?.length ?? 0;
  assert.ok(lines <= (statuses.get(503) ?? 0) && lines > 0 === statuses.has(503), receiver.errors());
  // It gets room, and starts again.
  await trial.cluster.nodes[0]?.kill();
  size = '200m';
  await trial.cluster.nodes[0]?.start();
  await target.untilHas(stored);
  process.stderr.write(`one disk full: ${JSON.stringify(Object.fromEntries(statuses))}, 0 lost\n`);
});

test('all disks full: 503 with the reason in one line, and no acknowledged delivery is lost', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '8', '--max-size', '64MB']);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  const title = 'x'.repeat(900_000);
  const stored: string[] = [];
  let status: number | undefined = 200;
  for (let at = 0; status === 200; at++) {
    status = await deliver(receiver.port, { key: `f${at}`, title });
    if (status === 200) stored.push(`f${at}`);
  }
  assert.equal(status, 503);
  assert.ok(stored.length > 60, `${stored.length} are stored\n${receiver.errors()}`);
  await receiver.says(/Cannot store deliveries: the stream TRIAL is full/);
  assert.equal(receiver.errors().match(/Cannot store deliveries/g)?.length, 1);
  await trial.forward(target.url);
  await target.untilHas(stored);
  assert.equal(target.keys.length, stored.length);
});
