// What a user can have retried at once: deliveries that wait after a failure, and a target that cannot be reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBench, createScriptedTarget, failed, forwarded, unavailable } from './scripted.ts';

const sequences = (sent: readonly { readonly sequence: number }[]) => sent.map(({ sequence }) => sequence);

test('deliveries that wait after a failure are sent at once, oldest first, even if the target asked to wait', async () => {
  const { clock, journal, start, settle } = createBench();
  let isLocked = true;
  const target = createScriptedTarget(clock, () =>
    isLocked ? { ...failed('503'), retryAfterMs: 200_000 } : forwarded(),
  );
  for (const task of ['A', 'B', 'A', 'B']) journal.store(task);
  const forwarder = start([target]);
  await settle();
  assert.deepEqual(sequences(target.sent), [1, 2]);
  isLocked = false;
  assert.equal(forwarder.retryNow(), 4);
  await settle();
  assert.deepEqual(sequences(target.sent), [1, 2, 1, 2, 3, 4]);
  assert.equal(journal.state().unfinished, 0);
  // Nothing is left to become due.
  clock.advance(600_000);
  await settle();
  assert.equal(target.sent.length, 6);
  assert.equal(forwarder.retryNow(), 0);
  await forwarder.stop();
});

test('an extra attempt uses up one of the 12; a wait that was cut short counts only its actual length', async () => {
  const { clock, journal, start, settle } = createBench();
  const target = createScriptedTarget(clock, () => ({ ...failed(), retryAfterMs: 300_000 }));
  journal.store('A');
  const forwarder = start([target], { retryForMs: 60_000 });
  await settle();
  for (let retries = 0; retries < 20; retries += 1) {
    clock.advance(2000);
    forwarder.retryNow();
    await settle();
  }
  assert.deepEqual([journal.state().unfinished, target.sent.at(-1)?.attempt], [1, 21]);
  assert.equal(journal.attempts.at(-1)?.stalledMs, 40_000 + 21);
  await forwarder.stop();
});

test('an unreachable target is tried at once, by one delivery', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  let isDown = true;
  const target = createScriptedTarget(clock, () => (isDown ? unavailable : forwarded()));
  for (const task of ['A', 'B', 'C']) journal.store(task);
  const forwarder = start([target]);
  await runUntil(() => target.sent.length === 12);
  forwarder.retryNow();
  await settle();
  assert.equal(target.sent.length, 13);
  isDown = false;
  forwarder.retryNow();
  await settle();
  assert.equal(journal.state().unfinished, 0);
  await forwarder.stop();
  forwarder.retryNow();
  journal.store('D');
  await settle();
  assert.equal(target.sent.length, 16);
});
