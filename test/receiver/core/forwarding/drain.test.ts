// The end of a run: what is still forwarded within the limit, and what stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createBench,
  createScriptedTarget,
  failed,
  forwarded,
  unavailable,
  untilAborted,
} from './scripted.ts';

test('a drain forwards what is waiting, in order, and ends before its limit', async () => {
  const { clock, journal, start } = createBench();
  const target = createScriptedTarget(clock, () => forwarded());
  const forwarder = start([target]);
  for (let i = 0; i < 200; i++) journal.store(`T${i % 3}`);
  await forwarder.drain(10_000);
  assert.equal(journal.state().unfinished, 0);
  assert.equal(target.sent.length, 200);
});

test('sends the next delivery of a subject once the end of the previous one is written; a drain waits for that', async () => {
  const { clock, journal, start, settle } = createBench();
  const writes: (() => void)[] = [];
  const written = () => new Promise<void>((resolve) => writes.push(resolve));
  const target = createScriptedTarget(clock, () => forwarded());
  const forwarder = start([target], { journal: { ...journal, flush: written } });
  for (const subject of ['A', 'A', 'B']) journal.store(subject);
  const draining = forwarder.drain(10_000);
  await settle();
  assert.deepEqual(
    target.sent.map(({ sequence }) => sequence),
    [1, 3],
  );
  const { inFlight, waiting, targets } = forwarder.state();
  assert.deepEqual([inFlight, waiting], [2, 1]);
  assert.deepEqual([targets[0]?.inFlight, targets[0]?.waiting], [2, 1]);
  for (let write = writes.shift(); write; write = writes.shift()) {
    write();
    await settle();
  }
  await draining;
  assert.equal(journal.state().unfinished, 0);
  assert.equal(target.sent.length, 3);
});

test('at its limit a drain aborts the attempts in flight; their deliveries stay, and no attempt is counted', async () => {
  const { clock, journal, start, settle } = createBench();
  const target = createScriptedTarget(clock, ({ sequence }, signal) =>
    sequence === 1 ? untilAborted(signal) : forwarded(),
  );
  const forwarder = start([target]);
  for (const subject of ['A', 'B', 'A']) journal.store(subject);
  const draining = forwarder.drain(10_000);
  await settle();
  clock.advance(9999);
  await settle();
  assert.equal(forwarder.state().inFlight, 1);
  clock.advance(1);
  await draining;
  assert.equal(journal.state().unfinished, 2);
  assert.deepEqual(
    journal.attempts.map(({ sequence }) => sequence),
    [2],
  );
});

test('waits for a backoff that ends within the limit, but not for a longer one', async () => {
  const { clock, journal, start, settle } = createBench();
  const target = createScriptedTarget(clock, ({ sequence, attempt }) =>
    sequence === 1 && attempt === 3 ? forwarded() : failed(),
  );
  const forwarder = start([target], { maxAttempts: 12 });
  for (const subject of ['A', 'B']) journal.store(subject);
  // 750 ms, 1.5 s, 3 s, 6 s: the fourth would be too late.
  const draining = forwarder.drain(10_000);
  for (const wait of [750, 1500, 3000]) {
    await settle();
    clock.advance(wait);
  }
  await draining;
  assert.equal(journal.state().unfinished, 1);
  assert.deepEqual(
    target.sent.map(({ sequence, attempt }) => `${sequence}:${attempt}`),
    ['1:1', '2:1', '1:2', '2:2', '1:3', '2:3', '2:4'],
  );
});

test('does not wait for a target that stays down longer', async () => {
  const { clock, journal, start, runUntil } = createBench();
  const target = createScriptedTarget(clock, () => unavailable);
  const from = clock.monotonic();
  journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => clock.monotonic() - from > 600_000);
  await forwarder.drain(10_000);
  assert.equal(journal.state().unfinished, 1);
});

test('an attempt that the target accepts while it is being aborted counts', async () => {
  const { clock, journal, start, settle } = createBench();
  const target = createScriptedTarget(clock, (_, signal) => untilAborted(signal).then(() => forwarded()));
  journal.store('A');
  journal.store('A');
  const forwarder = start([target]);
  await settle();
  await forwarder.stop();
  assert.deepEqual([journal.attempts.length, journal.state().unfinished, target.sent.length], [1, 1, 1]);
});

test('a stop ends the backoffs and the probes; nothing is sent afterwards', async () => {
  const { clock, journal, start, settle } = createBench();
  const first = createScriptedTarget(clock, () => failed(), 'one');
  const two = createScriptedTarget(clock, () => unavailable, 'two');
  journal.store('A');
  const forwarder = start([first, two]);
  await settle();
  await forwarder.stop();
  journal.store('B');
  clock.advance(3_600_000);
  await settle();
  assert.deepEqual([first.sent.length, two.sent.length], [1, 1]);
});
