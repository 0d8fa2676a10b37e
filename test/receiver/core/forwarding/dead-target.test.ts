// A target that is down holds up no other: neither with a long backlog, nor with an earlier delivery of the same task.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBench, createScriptedTarget, forwarded, unavailable } from './scripted.ts';

const window = 20;

function benchWithDeadTarget() {
  const bench = createBench();
  const { clock, journal } = bench;
  let isDown = true;
  const dead = createScriptedTarget(clock, () => (isDown ? unavailable : forwarded()), 'dead');
  const living = createScriptedTarget(clock, () => forwarded(), 'living');
  return {
    ...bench,
    dead,
    living,
    recover: () => {
      isDown = false;
    },
    store: (eventType: string, taskId: string) => journal.storeBody(JSON.stringify([{ eventType, taskId }])),
    /** `Dead` and `Living` go to one of them, anything else to both. */
    startBoth: (more: Parameters<typeof bench.start>[1] = {}) =>
      bench.start([dead, living], {
        window,
        chooseTargets: ({ events: [event] }) =>
          event?.eventType === 'Dead' ? [dead] : event?.eventType === 'Living' ? [living] : [dead, living],
        ...more,
      }),
  };
}

const sequences = (sent: readonly { readonly sequence: number }[]) => sent.map(({ sequence }) => sequence);

test('a target gets its deliveries at once, however many wait for another one', async () => {
  const { clock, journal, dead, living, recover, store, startBoth, settle, runUntil } = benchWithDeadTarget();
  const forwarder = startBoth();
  const meant: number[] = [];
  const taskOf = new Map<number, string>();
  for (let index = 0; index < 10 * window; index += 1) {
    taskOf.set(store('Dead', `T${index % 7}`), `T${index % 7}`);
    if (index % 3 === 0) meant.push(store('Living', `T${index % 7}`));
  }
  await settle();
  await settle();
  assert.deepEqual(sequences(living.sent), meant);
  assert.equal(journal.state().unfinished, 10 * window);
  // No more than the window is in memory.
  assert.equal(forwarder.state().waiting, window);
  meant.push(store('Living', 'T0'));
  await settle();
  assert.deepEqual(sequences(living.sent), meant, 'what comes later, too');
  // Once it is back, it gets all of them, those of a task in order.
  recover();
  await runUntil(() => journal.state().unfinished === 0);
  const taken = journal.attempts.filter(({ target }) => target === 'dead');
  assert.equal(taken.length, 10 * window);
  for (let task = 0; task < 7; task += 1) {
    const own = sequences(taken).filter((sequence) => taskOf.get(sequence) === `T${task}`);
    assert.ok(own.length > window);
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    );
  }
  // It has caught up.
  const before = clock.monotonic();
  const last = store('Dead', 'T0');
  await settle();
  assert.deepEqual([dead.sent.at(-1)?.sequence, dead.sent.at(-1)?.at], [last, before]);
  await forwarder.stop();
});

test('a delivery for two targets is finished once, by the slower target; neither gets it twice', async () => {
  const { journal, dead, living, recover, store, startBoth, settle, runUntil } = benchWithDeadTarget();
  const first = startBoth();
  const count = 5 * window;
  for (let index = 0; index < count; index += 1) store('Both', `T${index % 3}`);
  for (let turn = 0; turn < 40; turn += 1) await settle();
  assert.equal(living.sent.length, count);
  assert.equal(journal.state().unfinished, count);
  // Also over a restart: what was taken is not sent again, and what was not taken is.
  await first.stop();
  const second = startBoth();
  for (let turn = 0; turn < 40; turn += 1) await settle();
  recover();
  await runUntil(() => journal.state().unfinished === 0);
  assert.equal(living.sent.length, count, 'each once');
  const finished = journal.attempts.filter(({ finishes }) => finishes);
  assert.deepEqual(
    finished.map(({ target }) => target).filter((name) => name !== 'dead'),
    [],
  );
  assert.deepEqual(
    sequences(finished).toSorted((a, b) => a - b),
    Array.from({ length: count }, (_, index) => index + 1),
  );
  for (let task = 0; task < 3; task += 1) {
    const ofTask = sequences(finished).filter((sequence) => (sequence - 1) % 3 === task);
    assert.deepEqual(
      ofTask,
      ofTask.toSorted((a, b) => a - b),
    );
  }
  assert.ok(dead.sent.length >= count);
  await second.stop();
});

test('a delivery without a target is finished once, even while a target is full', async () => {
  const { journal, dead, store, startBoth, settle } = benchWithDeadTarget();
  const forwarder = startBoth({
    chooseTargets: ({ events: [event] }) => (event?.eventType === 'Dead' ? [dead] : []),
  });
  for (let index = 0; index < 2 * window; index += 1) store('Dead', `T${index}`);
  const last = store('Ignored', 'A');
  for (let turn = 0; turn < 10; turn += 1) await settle();
  assert.deepEqual(
    journal.attempts.map(({ sequence, outcome }) => [sequence, outcome]),
    [[last, 'no-target']],
  );
  await forwarder.stop();
});

test('a waiting delivery for one target does not hold up a later one of the same task for another target', async () => {
  const { living, store, startBoth, settle } = benchWithDeadTarget();
  const forwarder = startBoth();
  store('Dead', 'A');
  const second = store('Both', 'A');
  const third = store('Living', 'A');
  await settle();
  assert.deepEqual(sequences(living.sent), [second, third]);
  await forwarder.stop();
});

test('the lag of each target is that of its own oldest delivery, even while it is behind', async () => {
  const { clock, living, store, startBoth, settle } = benchWithDeadTarget();
  const forwarder = startBoth();
  const from = clock.now();
  for (let index = 0; index < 3 * window; index += 1) {
    store('Both', `T${index}`);
    if (index === 0) clock.advance(500);
  }
  for (let turn = 0; turn < 20; turn += 1) await settle();
  assert.equal(living.sent.length, 3 * window);
  assert.deepEqual(
    forwarder.state().targets.map(({ target, oldest }) => [target, oldest]),
    [
      ['dead', from],
      ['living', undefined],
    ],
  );
  await forwarder.stop();
});

test('a drain does not wait for a target that is down and behind', async () => {
  const { clock, journal, store, startBoth, settle, runUntil } = benchWithDeadTarget();
  const forwarder = startBoth();
  for (let index = 0; index < 3 * window; index += 1) store('Both', `T${index}`);
  const from = clock.monotonic();
  await runUntil(() => clock.monotonic() - from > 600_000);
  await settle();
  const last = store('Living', 'Z');
  await forwarder.drain(10_000);
  assert.equal(journal.state().unfinished, 3 * window);
  assert.ok(journal.isFinished(last));
});

test('deliveries behind an earlier delivery of their task count as waiting', async () => {
  const { store, startBoth, settle } = benchWithDeadTarget();
  const forwarder = startBoth();
  for (let index = 0; index < 3; index += 1) store('Dead', 'T1');
  store('Dead', 'T2');
  await settle();
  const [dead] = forwarder.state().targets;
  assert.ok(dead);
  assert.equal(dead.inFlight + dead.retrying + dead.waiting, 4);
  await forwarder.stop();
});
