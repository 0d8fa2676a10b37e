// Processes that stand still for 20 s under load, as a paused container does, and go on: a forwarder, a receiver, and the server that
// leads the stream. Others take over meanwhile, and the one that stood still must not do again what they have done.

import assert from 'node:assert/strict';
import { continueProcess, freezeFor, stopProcess } from '#test/support/process/stopped-process.ts';
import { test } from './bounded.ts';
import { leaderOf } from './nats-client.ts';
import { forwarderHeader, startLoad } from './sink-load.ts';
import { startTrial } from './trial.ts';

const freezeMs = 20_000;

test('a forwarder, a receiver and the leader freeze for 20 s each: nothing is lost, and the order stays', async (t) => {
  const trial = await startTrial(t);
  const receivers = [await trial.listen(), await trial.listen()];
  const ports = receivers.map(({ port }) => port);
  const load = await startLoad(ports, trial.said);
  t.after(() => load.close());
  const forwarders = [];
  for (const name of ['f0', 'f1', 'f2'])
    forwarders.push(await trial.forward(load.url, '--forward-header', `${forwarderHeader}: ${name}`));
  const freeze = async (...pids: readonly number[]) => {
    t.after(() => pids.forEach(continueProcess));
    for (const pid of pids) await stopProcess(pid);
    const frozen = freezeFor(freezeMs);
    // The others go on meanwhile. Nobody tells the service which receiver responds: every other attempt waits until it gives up.
    await load.goOn(20);
    await frozen;
    pids.forEach(continueProcess);
    await load.goOn(100);
  };
  load.start();
  await load.until('all forwarders work', () => ['f0', 'f1', 'f2'].every((name) => load.sentBy(name) > 0));
  await freeze(forwarders[0]?.pid ?? 0, receivers[0]?.pid ?? 0);
  const name = await leaderOf(t, trial.cluster.addresses);
  const leader = trial.cluster.nodes.find((node) => node.name === name);
  assert.ok(leader);
  await freeze(leader.pid());
  const counts = await load.finish();
  assert.equal(counts.lost, 0);
  assert.equal(counts.outOfOrder, 0);
  assert.equal(counts.unmarked, 0);
}, 300_000);
