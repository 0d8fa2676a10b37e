// The forwarder: what it sends when, in which order, and what it marks. The journal is one in memory, the targets do as the
// test says, and the clock is moved by hand, so that an hour and three days pass at once.

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

const sequences = (sent: readonly { readonly sequence: number }[]) => sent.map(({ sequence }) => sequence);

test('stored deliveries are forwarded at once, and the attempts recorded', async () => {
  const { clock, journal, activity, start, settle } = createBench();
  const target = createScriptedTarget(clock, () => forwarded('204'));
  journal.store('A');
  const forwarder = start([target]);
  await settle();
  journal.store('B');
  await settle();
  assert.deepEqual(sequences(target.sent), [1, 2]);
  const marked = (sequence: number) => ({
    kind: 'attempt',
    sequence,
    time: clock.now(),
    target: 'http://target/',
    attempt: 1,
    milliseconds: 1,
    outcome: '204',
    verdict: 'forwarded',
    finishes: true,
  });
  assert.deepEqual(journal.attempts, [marked(1), marked(2)]);
  assert.deepEqual(
    activity.map((reported) => reported.kind === 'attempt' && reported.delivery.sequence),
    [1, 2],
  );
  assert.deepEqual(forwarder.state(), {
    inFlight: 0,
    waiting: 0,
    targets: [
      {
        target: 'http://target/',
        inFlight: 0,
        waiting: 0,
        retrying: 0,
        fault: undefined,
        oldest: undefined,
        isBehind: false,
      },
    ],
  });
  await forwarder.stop();
});

test('a failure is recorded with one line of the response and the time of the next attempt; a success with neither', async () => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const detail = `no such\n  table\n${'x'.repeat(900)}`;
  const target = createScriptedTarget(clock, ({ attempt }) => ({
    ...(attempt < 3 ? failed() : forwarded()),
    detail,
  }));
  journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => journal.state().unfinished === 0);
  const line = `no such table ${'x'.repeat(186)}`;
  assert.deepEqual(
    journal.attempts.map((attempt) => [attempt.detail, attempt.delay]),
    [
      [line, 750],
      [line, 1500],
      [undefined, undefined],
    ],
  );
  // The terminal and the page get all of it.
  assert.deepEqual(
    activity.map((reported) => reported.kind === 'attempt' && reported.detail),
    [detail, detail, detail],
  );
  await forwarder.stop();
});

test('a delivery waits for earlier ones that share a subject, and for no others', async () => {
  const { clock, journal, start, settle } = createBench();
  let take = () => {};
  const target = createScriptedTarget(clock, ({ sequence }) =>
    sequence === 1 ? new Promise((resolve) => (take = () => resolve(forwarded()))) : forwarded(),
  );
  journal.store('A');
  journal.store('A', 'B');
  journal.store('B');
  journal.store('C');
  journal.storeBody('no JSON');
  journal.storeBody('[{"eventType":"TaskCreated"}]');
  const forwarder = start([target]);
  await settle();
  // 3 waits for 2, which waits for 1.
  assert.deepEqual(sequences(target.sent), [1, 4, 5, 6]);
  assert.deepEqual([forwarder.state().inFlight, forwarder.state().waiting], [1, 2]);
  take();
  await settle();
  assert.deepEqual(sequences(target.sent), [1, 4, 5, 6, 2, 3]);
  await forwarder.stop();
});

test('deliveries without a subject share one lane', async () => {
  const { clock, journal, start, settle } = createBench();
  const target = createScriptedTarget(clock, (_, signal) => untilAborted(signal));
  journal.storeBody('no JSON');
  journal.storeBody('[{"eventType":"TaskCreated"}]');
  journal.storeBody('[]');
  const forwarder = start([target]);
  await settle();
  assert.deepEqual(sequences(target.sent), [1]);
  await forwarder.stop();
});

test('limits the number of concurrent attempts for each target', async () => {
  const { clock, journal, start, settle } = createBench();
  const first = createScriptedTarget(clock, (_, signal) => untilAborted(signal), 'one');
  const two = createScriptedTarget(clock, () => forwarded(), 'two');
  for (let i = 0; i < 30; i++) journal.store(`T${i}`);
  const forwarder = start([first, two], { concurrency: 4 });
  await settle();
  assert.deepEqual([first.sent.length, two.sent.length], [4, 30]);
  assert.deepEqual(
    forwarder.state().targets.map(({ inFlight, waiting }) => [inFlight, waiting]),
    [
      [4, 26],
      [0, 0],
    ],
  );
  await forwarder.stop();
  // What a stop has ended is no attempt.
  assert.equal(journal.attempts.filter(({ target }) => target === 'one').length, 0);
});

test('retries a failed attempt after a delay that doubles up to 5 minutes', async () => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const target = createScriptedTarget(clock, ({ attempt }) => (attempt < 12 ? failed() : forwarded()));
  journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => journal.state().unfinished === 0);
  // Half of each delay is random, and random is 0.5 here: 3/4.
  assert.deepEqual(
    activity.map((reported) => reported.kind === 'attempt' && reported.delay),
    [750, 1500, 3000, 6000, 12_000, 24_000, 48_000, 96_000, 192_000, 225_000, 225_000, undefined],
  );
  // The test moves the clock by whole seconds.
  const waits = target.sent.slice(1).map(({ at }, before) => at - (target.sent[before]?.at ?? 0));
  assert.deepEqual(waits.slice(2), [3000, 6000, 12_000, 24_000, 48_000, 96_000, 192_000, 225_000, 225_000]);
  assert.deepEqual(
    journal.attempts.map(({ attempt, verdict }) => `${attempt} ${verdict}`),
    [...Array.from({ length: 11 }, (_, i) => `${i + 1} retry`), '12 forwarded'],
  );
  await forwarder.stop();
});

test('Retry-After lengthens the delay, up to 5 minutes, and never shortens it', async () => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const asks = [60_000, 3_600_000, 0];
  const target = createScriptedTarget(clock, ({ attempt }) => {
    const retryAfterMs = asks[attempt - 1];
    return retryAfterMs === undefined ? forwarded() : { ...failed('503'), retryAfterMs };
  });
  journal.store('A');
  const forwarder = start([target]);
  await runUntil(() => journal.state().unfinished === 0);
  assert.deepEqual(
    activity.map((reported) => reported.kind === 'attempt' && reported.delay),
    [60_000, 300_000, 3000, undefined],
  );
  await forwarder.stop();
});

test('poison: a delivery that always fails holds up its own subject, and becomes a dead letter after 12 attempts', async () => {
  const { clock, journal, start, settle, runUntil } = createBench();
  const target = createScriptedTarget(clock, ({ sequence }) => (sequence === 3 ? failed() : forwarded()));
  for (let i = 0; i < 100; i++) journal.store(`T${i % 10}`);
  const forwarder = start([target]);
  await settle();
  const others = journal.attempts.filter(({ sequence }) => sequence % 10 !== 3);
  assert.equal(others.filter(({ verdict }) => verdict === 'forwarded').length, 90);
  assert.deepEqual(journal.attempts.filter(({ sequence }) => sequence % 10 === 3).length, 1);
  await runUntil(() => journal.state().unfinished === 0);
  const dead = journal.attempts.filter(({ verdict }) => verdict === 'dead');
  assert.deepEqual(
    dead.map(({ sequence, attempt, outcome, finishes }) => [sequence, attempt, outcome, finishes]),
    [[3, 12, '500', true]],
  );
  assert.deepEqual(
    sequences(target.sent).filter((sequence) => sequence % 10 === 3),
    [...Array.from({ length: 12 }, () => 3), 13, 23, 33, 43, 53, 63, 73, 83, 93],
  );
  await forwarder.stop();
});

test('a target that is down for an hour: all are forwarded afterwards, in order, without dead letters', async (t) => {
  const { clock, journal, activity, start, runUntil } = createBench();
  const from = clock.monotonic();
  const isDown = () => clock.monotonic() - from < 3_600_000;
  const target = createScriptedTarget(clock, () => (isDown() ? unavailable : forwarded()));
  const forwarder = start([target]);
  for (let i = 0; i < 100; i++) journal.store(`T${i % 7}`);
  await runUntil(() => !isDown());
  for (let i = 0; i < 100; i++) journal.store(`T${i % 7}`);
  await runUntil(() => journal.state().unfinished === 0);
  const inVain = target.sent.filter(({ at }) => at - from < 3_600_000);
  t.diagnostic(`${inVain.length} attempts in an hour, ${journal.attempts.length} deliveries forwarded`);
  // The first ones at the same time; then one, half a minute apart at most, and at least 15 seconds at length.
  assert.ok(inVain.length >= 120 && inVain.length <= 10 + 6 + 3600 / 15, String(inVain.length));
  assert.equal(inVain.slice(10).length, new Set(inVain.slice(10).map(({ at }) => at)).size);
  assert.equal(journal.attempts.length, 200);
  assert.ok(journal.attempts.every(({ verdict, attempt }) => verdict === 'forwarded' && attempt === 1));
  for (let subject = 0; subject < 7; subject++) {
    const own = journal.attempts.filter(({ sequence }) => ((sequence - 1) % 100) % 7 === subject);
    assert.deepEqual(
      sequences(own),
      sequences(own).toSorted((a, b) => a - b),
    );
  }
  assert.deepEqual(
    activity.filter(({ kind }) => kind === 'target'),
    [
      { kind: 'target', target: 'http://target/', fault: 'connect ECONNREFUSED' },
      { kind: 'target', target: 'http://target/', fault: undefined },
    ],
  );
  await forwarder.stop();
});
