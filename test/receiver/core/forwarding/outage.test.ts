// What happens while nothing reaches a target: one delivery tries, nothing is counted, and after three days it is over.

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

const day = 86_400_000;

test('only deliveries for the target that is down wait, even those for both', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  let isDown = true;
  const one = createScriptedTarget(clock, () => (isDown ? unavailable : forwarded()), 'one');
  const two = createScriptedTarget(clock, () => forwarded(), 'two');
  const forwarder = start([one, two], {
    chooseTargets: ({ events: [event] }) =>
      event?.subjectId === 'both' ? [one, two] : [event?.subjectId === 'one' ? one : two],
  });
  for (const subject of ['both', 'one', 'two', 'both', 'two']) journal.store(subject);
  await settle();
  assert.deepEqual(
    two.sent.map(({ sequence }) => sequence),
    [1, 3, 4, 5],
  );
  assert.deepEqual(
    forwarder.state().targets.map(({ target, waiting, fault }) => [target, waiting, fault]),
    [
      ['one', 3, 'connect ECONNREFUSED'],
      ['two', 0, undefined],
    ],
  );
  isDown = false;
  await runUntil(() => journal.state().unfinished === 0);
  // What has taken it is not sent it again.
  assert.deepEqual(
    two.sent.map(({ sequence }) => sequence),
    [1, 3, 4, 5],
  );
  await forwarder.stop();
});

test('a target does not get a delivery twice after a restart, and the attempt count continues', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  const one = createScriptedTarget(clock, () => forwarded(), 'one');
  const two = createScriptedTarget(clock, ({ attempt }) => (attempt < 4 ? failed() : forwarded()), 'two');
  journal.store('A');
  const first = start([one, two]);
  await runUntil(() => journal.attempts.filter(({ target }) => target === 'two').length === 2);
  await first.stop();
  const second = start([one, two]);
  await runUntil(() => journal.state().unfinished === 0);
  assert.equal(one.sent.length, 1);
  assert.deepEqual(
    two.sent.map(({ attempt }) => attempt),
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    journal.attempts.map(({ target, verdict, finishes }) => [target, verdict, finishes]),
    [
      ['one', 'forwarded', false],
      ['two', 'retry', false],
      ['two', 'retry', false],
      ['two', 'retry', false],
      ['two', 'forwarded', true],
    ],
  );
  await second.stop();
  // The target that was open is no longer there: nothing is left to send.
  const { settle: settleOther, ...other } = createBench();
  other.journal.store('A');
  const before = other.start([
    one,
    createScriptedTarget(other.clock, (_, signal) => untilAborted(signal), 'gone'),
  ]);
  await settleOther();
  await before.stop();
  const after = other.start([one]);
  await settleOther();
  assert.deepEqual(
    other.journal.attempts.map(({ target, outcome, finishes }) => [target, outcome, finishes]),
    [
      ['one', '200', false],
      ['one', 'no-target', true],
    ],
  );
  await after.stop();
  await settle();
});

test('a delivery that its only target gave up stays a dead letter', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  const one = createScriptedTarget(clock, () => failed(), 'one');
  const two = createScriptedTarget(clock, (_, signal) => untilAborted(signal), 'two');
  journal.store('A');
  const first = start([one, two], { maxAttempts: 1 });
  await runUntil(() => journal.attempts.length === 1);
  await first.stop();
  const second = start([one]);
  await settle();
  assert.deepEqual(
    journal.attempts.map(({ verdict, outcome, finishes }) => [verdict, outcome, finishes]),
    [
      ['dead', '500', false],
      ['dead', 'no-target', true],
    ],
  );
  await second.stop();
});

test('finishes a delivery without a target, and says so', async () => {
  const { journal, activity, start, settle } = createBench();
  journal.store('A');
  const forwarder = start([]);
  await settle();
  const [attempt] = journal.attempts;
  assert.deepEqual([attempt?.target, attempt?.outcome, attempt?.finishes], ['', 'no-target', true]);
  assert.equal(activity.length, 1);
  await forwarder.stop();
});

test('a dead letter of one target is still sent to the other', async () => {
  const { clock, journal, start, runUntil } = createBench();
  const one = createScriptedTarget(clock, () => failed(), 'one');
  const two = createScriptedTarget(clock, ({ attempt }) => (attempt < 3 ? failed() : forwarded()), 'two');
  journal.store('A');
  const forwarder = start([one, two], { maxAttempts: 3 });
  await runUntil(() => journal.state().unfinished === 0);
  const ends = journal.attempts.filter(({ verdict }) => verdict !== 'retry');
  assert.deepEqual(
    ends.map(({ target, verdict, finishes }) => `${target} ${verdict} ${finishes}`).toSorted(),
    ['one dead false', 'two forwarded true'],
  );
  await forwarder.stop();
});

test('after three days of an outage, only deliveries that are three days old are dead letters', async () => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const from = clock.monotonic();
  const target = createScriptedTarget(clock, () => unavailable);
  for (let i = 0; i < 20; i++) journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => clock.monotonic() - from >= day, 60_000);
  journal.store('A');
  await runUntil(() => clock.monotonic() - from >= 3 * day - 60_000, 60_000);
  assert.equal(journal.attempts.length, 0);
  await runUntil(() => clock.monotonic() - from >= 3 * day + 60_000, 60_000);
  assert.deepEqual(
    journal.attempts.map(({ sequence, verdict, outcome, attempt }) => [sequence, verdict, outcome, attempt]),
    Array.from({ length: 20 }, (_, i) => [i + 1, 'dead', 'connection-refused', 1]),
  );
  assert.equal(
    activity.filter((reported) => reported.kind === 'attempt' && reported.verdict === 'dead').length,
    20,
  );
  assert.equal(journal.state().unfinished, 1);
  await forwarder.stop();
});

test('after all were given up, a new delivery is still tried', async () => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const { detail: _, ...without } = unavailable;
  let isDown = true;
  const target = createScriptedTarget(clock, () => (isDown ? without : forwarded()));
  journal.store('A');
  const forwarder = start([target], { giveUpAfterMs: 60_000 });
  await runUntil(() => journal.state().unfinished === 0);
  const from = clock.monotonic();
  await runUntil(() => clock.monotonic() - from > 120_000);
  const inVain = target.sent.length;
  journal.store('A');
  await runUntil(() => target.sent.length > inVain);
  isDown = false;
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual(
    journal.attempts.map(({ verdict }) => verdict),
    ['dead', 'forwarded'],
  );
  assert.deepEqual(
    activity.flatMap((reported) => (reported.kind === 'target' ? [reported.fault] : [])),
    ['connection-refused', undefined],
  );
  await forwarder.stop();
});

test('a clock that is set forward, or a start days later, gives up nothing', async () => {
  const { clock, journal, start, runUntil } = createBench();
  const from = clock.monotonic();
  const isDown = () => clock.monotonic() - from < 3_600_000;
  journal.storeBody('[]', clock.now() - 30 * day);
  const target = createScriptedTarget(clock, () => (isDown() ? unavailable : forwarded()));
  const forwarder = start([target]);
  await runUntil(() => clock.monotonic() - from > 1_800_000);
  clock.sleepMachine(30 * day);
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual(
    journal.attempts.map(({ verdict }) => verdict),
    ['forwarded'],
  );
  await forwarder.stop();
});

test('rotates the delivery that probes, so that one that can never start does not block the others', async () => {
  const { clock, journal, start, runUntil } = createBench();
  const target = createScriptedTarget(clock, ({ sequence }) => (sequence === 1 ? unavailable : forwarded()));
  for (let i = 0; i < 40; i++) journal.store(`T${i}`);
  const forwarder = start([target]);
  await runUntil(() => journal.state().unfinished === 1);
  await forwarder.stop();
});

test('at the end of an outage all deliveries continue, the oldest first', async () => {
  const { clock, journal, start, runUntil } = createBench();
  let isDown = true;
  const target = createScriptedTarget(clock, () => (isDown ? unavailable : forwarded()));
  for (let i = 0; i < 50; i++) journal.store(`T${i}`);
  const forwarder = start([target], { concurrency: 1 });
  await runUntil(() => target.sent.length === 5);
  isDown = false;
  await runUntil(() => journal.state().unfinished === 0);
  // The first is the one that was trying.
  const [, ...order] = target.sent.slice(5).map(({ sequence }) => sequence);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  await forwarder.stop();
});

test('a late response to an attempt from before the outage neither ends the outage nor starts another', async () => {
  const { clock, journal, activity, start, settle, runUntil } = createBench();
  const late: (() => void)[] = [];
  let isDown = true;
  const target = createScriptedTarget(clock, ({ sequence, attempt }) => {
    const held = target.sent.filter((attempt) => attempt.sequence === sequence).length === 1;
    if (sequence === 1 && held) return new Promise((resolve) => late.push(() => resolve(forwarded())));
    if (sequence === 2 && held) return new Promise((resolve) => late.push(() => resolve(unavailable)));
    assert.equal(attempt, 1);
    return isDown ? unavailable : forwarded();
  });
  for (const subject of ['A', 'B', 'C']) journal.store(subject);
  const forwarder = start([target]);
  await settle();
  const faults = () =>
    activity.flatMap((reported) => (reported.kind === 'target' ? [reported.fault !== undefined] : []));
  assert.deepEqual(faults(), [true]);
  late[0]?.();
  await settle();
  assert.deepEqual(faults(), [true]);
  isDown = false;
  await runUntil(() => journal.state().unfinished === 1);
  assert.deepEqual(faults(), [true, false]);
  late[1]?.();
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual(faults(), [true, false]);
  await forwarder.stop();
});
