// What must hold when servers of a sink are cut off, full, or no longer let a receiver in.

import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from './bounded.ts';
import { leaderOf } from './nats-client.ts';
import { deliver, deliverUntil, startTarget, startTrial, startWholeTrial, store } from './trial.ts';

test('the leader is cut off: no 2xx without a quorum, and storing resumes automatically', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const name = await leaderOf(t, trial.cluster.addresses);
  const cut = trial.cluster.nodes.find((node) => node.name === name);
  assert.ok(cut);
  // Each chooses one of the servers. This one has chosen the leader.
  let receiver = await trial.listen();
  while ((await cut.clients()) === 0) receiver = await trial.listen();
  const acknowledged: string[] = [];
  const sendUntil = async (count: number) => {
    for (let number = 1; acknowledged.length < count; number++) {
      const key = `k${count}-${number}`;
      const status = await deliver(receiver.port, { key });
      assert.ok(status === 200 || status === 503, `${status}`);
      if (status === 200) acknowledged.push(key);
    }
  };
  await sendUntil(1);
  cut.cutOff();
  // The two others choose a leader; whoever is connected to the one that was cut off has to leave it.
  const start = performance.now();
  await sendUntil(21);
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
});

test('two of three servers are cut off: 503 in time, never a 2xx; then it recovers automatically', async (t) => {
  const { trial, target, receiver } = await startWholeTrial(t);
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
});

test('a server with a full disk: no acknowledged delivery is lost; the others get 503 and one line', async (t) => {
  // Its store is a disk of its own, which is soon full.
  let size = '12m';
  const { trial, target, receiver } = await startWholeTrial(t, {
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
  await trial.forward(target.url);
  const title = 'x'.repeat(50_000);
  const stored: string[] = [];
  let rejected = 0;
  for (let at = 0; at < 300; at++) {
    const status = await deliver(receiver.port, { key: `f${at}`, task: `T${at % 7}`, title });
    assert.ok(status === 200 || status === 503, `${status}`);
    if (status === 200) stored.push(`f${at}`);
    else rejected++;
  }
  // More than the disk holds.
  assert.ok(stored.length * title.length > 12 * 1024 * 1024);
  // Each outage is one line, and there is none without it. The response may come before the line.
  if (rejected > 0) await receiver.says(/Cannot store deliveries/);
  const lines = receiver.errors().match(/Cannot store deliveries/g)?.length ?? 0;
  assert.ok(lines <= rejected && lines > 0 === rejected > 0, receiver.errors());
  // It gets room, and starts again.
  await trial.cluster.nodes[0]?.kill();
  size = '200m';
  await trial.cluster.nodes[0]?.start();
  await target.untilHas(stored);
});

test('all disks full: 503 with the reason in one line, and no acknowledged delivery is lost', async (t) => {
  const limited = ['--partitions', '8', '--max-size', '64MB'];
  const { trial, target, receiver } = await startWholeTrial(t, { count: 1 }, limited);
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
