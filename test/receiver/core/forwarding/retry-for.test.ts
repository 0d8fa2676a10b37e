// How long a failed delivery is retried: for a day while nothing gets through to its target, otherwise for 12 attempts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBench, createScriptedTarget, failed, forwarded, type Sent, unavailable } from './scripted.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const endOf = ({ journal }: ReturnType<typeof createBench>, sequence: number) =>
  journal.attempts.find((attempt) => attempt.sequence === sequence && attempt.verdict !== 'retry');

test('a target that fails for 20 minutes: no dead letter, and the deliveries of a task stay in order', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const from = clock.monotonic();
  const passed = () => clock.monotonic() - from;
  const isLocked = () => passed() >= minute && passed() < 21 * minute;
  const target = createScriptedTarget(clock, () => (isLocked() ? failed() : forwarded()));
  const forwarder = start([target]);
  // Some come before, most meanwhile.
  for (let index = 0; index < 60; index += 1)
    clock.after(index * 30_000, () => journal.store(`T${index % 20}`));
  await runUntil(() => passed() > 30 * minute && journal.state().unfinished === 0);
  const taken = journal.attempts.filter(({ verdict }) => verdict === 'forwarded');
  assert.deepEqual(
    [taken.length, journal.attempts.filter(({ verdict }) => verdict === 'dead').length],
    [60, 0],
  );
  for (let task = 0; task < 20; task += 1) {
    const own = taken.map(({ sequence }) => sequence).filter((sequence) => (sequence - 1) % 20 === task);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
  assert.ok(target.sent.some(({ attempt }) => attempt > 12));
  await forwarder.stop();
});

test('once another delivery gets through, a delivery with 12 or more failures gets no further retry', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const target = createScriptedTarget(clock, ({ sequence }) => (sequence === 1 ? failed() : forwarded()));
  journal.store('poisoned');
  const forwarder = start([target]);
  await runUntil(() => journal.attempts.length === 30);
  journal.store('other');
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual([endOf(bench, 1)?.verdict, endOf(bench, 1)?.attempt], ['dead', 31]);
  await forwarder.stop();
});

test('successes before the first failure, or at another target, do not count', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const failsFirst = ({ sequence }: Sent) => (sequence === 2 ? failed() : forwarded());
  const target = createScriptedTarget(clock, failsFirst, 'one');
  const other = createScriptedTarget(clock, () => forwarded(), 'two');
  const forwarder = start([target, other], {
    concurrency: 1,
    chooseTargets: ({ events: [event] }) => [event?.subjectId === 'other' ? other : target],
  });
  // Both are read at once, and sent one after the other.
  journal.store('before');
  journal.store('A');
  for (let index = 1; index < 30; index += 1) clock.after(index * minute, () => journal.store('other'));
  await runUntil(() => journal.attempts.filter(({ target }) => target === 'one').length > 20);
  assert.equal(endOf(bench, 2), undefined);
  await forwarder.stop();
});

test('while nothing gets through, a dead letter takes a day, not less', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const from = clock.monotonic();
  const target = createScriptedTarget(clock, () => failed());
  journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => journal.state().unfinished === 0, 15_000);
  const passed = clock.monotonic() - from;
  assert.ok(passed >= day && passed < day + 6 * minute, String(passed / hour));
  assert.ok((endOf(bench, 1)?.attempt ?? 0) > 250);
  await forwarder.stop();
});

test('attempts and waits add up over restarts; time without a receiver and outages do not count', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil, settle } = bench;
  let isThere = true;
  const target = createScriptedTarget(clock, () => (isThere ? failed() : unavailable));
  const runFor = async (milliseconds: number) => {
    const forwarder = start([target], { retryForMs: hour });
    const from = clock.monotonic();
    await runUntil(() => clock.monotonic() - from >= milliseconds || journal.state().unfinished === 0);
    await forwarder.stop();
    return clock.monotonic() - from;
  };
  journal.store('A');
  await runFor(40 * minute);
  clock.advance(3 * day);
  await runFor(minute);
  isThere = false;
  await runFor(2 * hour);
  isThere = true;
  assert.equal(endOf(bench, 1), undefined);
  const last = await runFor(day);
  await settle();
  assert.equal(endOf(bench, 1)?.verdict, 'dead');
  assert.ok(last >= 15 * minute && last <= 30 * minute, String(last / minute));
});

test('a success before a restart still counts after it', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const target = createScriptedTarget(clock, ({ sequence }) => (sequence === 1 ? failed() : forwarded()));
  journal.store('poisoned');
  const first = start([target]);
  await runUntil(() => journal.attempts.length === 3);
  journal.store('other');
  await runUntil(() => journal.attempts.length === 5);
  await first.stop();
  const second = start([target]);
  await runUntil(() => journal.state().unfinished === 0);
  assert.equal(endOf(bench, 1)?.attempt, 12);
  await second.stop();
});

test('an explicit number of attempts applies, whatever gets through', async () => {
  const bench = createBench();
  const { clock, journal, start, runUntil } = bench;
  const target = createScriptedTarget(clock, () => failed());
  journal.store('A');
  const forwarder = start([target], { maxAttempts: 5 });
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual([endOf(bench, 1)?.verdict, endOf(bench, 1)?.attempt], ['dead', 5]);
  await forwarder.stop();
});
