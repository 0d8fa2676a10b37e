// Random deliveries over few subjects, targets that take them, fail, hang or are not there, and a process that is stopped or cut
// off in between and started again. Checks, at each attempt and at the end, what the forwarder promises.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Target } from '#receiver/core/forwarding/target.ts';
import type { ForwarderJournal } from './memory-journal.ts';
import { createBench, failed, forwarded, unavailable } from './scripted.ts';

const concurrency = 3;
const maxAttempts = 4;
const retryForMs = 90_000;

const behaviour = fc.constantFrom(
  'takes',
  'takes',
  'takes',
  'takes later',
  'fails',
  'fails',
  'hangs',
  'is not there',
  'takes, and says nothing',
);
const delivery = fc.record({
  /** None: a body that cannot be read. */
  subjects: fc.subarray(['A', 'B', 'C'], { maxLength: 3 }),
  targets: fc.subarray(['one', 'two']),
  /** Seconds after the one before. */
  after: fc.constantFrom(0, 0, 0, 1, 40),
});
const plan = fc.record({
  deliveries: fc.array(delivery, { minLength: 1, maxLength: 25 }),
  behaviours: fc.array(behaviour, { maxLength: 120 }),
  /** From and to which second a target fails whatever it is sent. */
  stall: fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(0, 30, 400)),
  /** Seconds of a run, and how many of the last marks are lost; stopped in order if undefined. */
  runs: fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.option(fc.integer({ min: 0, max: 4 }))), {
    maxLength: 6,
  }),
});

interface Counts {
  runs: number;
  deliveries: number;
  attempts: number;
  dead: number;
  restarts: number;
}

/** Rejects at the first broken promise; what was tried, for people. */
export async function tryRandomRuns(numRuns: number): Promise<string> {
  const counts: Counts = { runs: 0, deliveries: 0, attempts: 0, dead: 0, restarts: 0 };
  await fc.assert(
    fc.asyncProperty(plan, (randomPlan) => tryRun(randomPlan, counts)),
    { numRuns },
  );
  const { runs, deliveries, restarts, attempts, dead } = counts;
  return `${runs} runs, ${deliveries} deliveries, ${restarts} restarts, ${attempts} attempts, dead letters: ${dead}; 0 out of order, 0 lost, 0 sent again`;
}

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

async function tryRun({ deliveries, behaviours, stall, runs }: Plan, counts: Counts): Promise<void> {
  const bench = createBench();
  const { clock, journal } = bench;
  const from = clock.monotonic();
  const isStalled = () => {
    const second = (clock.monotonic() - from) / 1000;
    return second >= stall[0] && second < stall[0] + stall[1];
  };
  const startedAt: number[] = [];
  /** What each target has taken, whatever the journal knows of it. */
  const taken = new Set<string>();
  let inFlight = { one: 0, two: 0 };
  let next = 0;
  counts.runs += 1;

  const lanesOf = (sequence: number) => deliveries[sequence - 1]?.subjects ?? [];
  const shareLane = (a: number, b: number) => {
    const [one, other] = [lanesOf(a), lanesOf(b)];
    return one.length === 0 ? other.length === 0 : one.some((subject) => other.includes(subject));
  };
  const targetsOf = (sequence: number): readonly string[] =>
    lanesOf(sequence).length === 0 ? ['one'] : (deliveries[sequence - 1]?.targets ?? []);
  const isSettled = (sequence: number, name: string) =>
    journal.attempts.some(
      (attempt) => attempt.sequence === sequence && attempt.target === name && attempt.verdict !== 'retry',
    );
  const targetOf = (name: 'one' | 'two'): Target => ({
    name,
    async send({ sequence }, attempt, signal) {
      counts.attempts += 1;
      for (let before = 1; before < sequence; before++)
        assert.ok(
          !shareLane(before, sequence) || !targetsOf(before).includes(name) || isSettled(before, name),
          `#${sequence} is sent to ${name} before #${before} is settled there`,
        );
      const earlier = journal.attempts.filter(
        (attempt) => attempt.sequence === sequence && attempt.target === name,
      );
      assert.ok(
        earlier.every(({ verdict }) => verdict === 'retry'),
        `#${sequence} is sent to ${name} after its end`,
      );
      assert.equal(attempt, earlier.length + 1);
      const counted = inFlight;
      counted[name] += 1;
      assert.ok(counted[name] <= concurrency);
      const act = name === 'one' && isStalled() ? 'fails' : (behaviours[next++] ?? 'takes');
      if (act.startsWith('takes')) taken.add(`${sequence} ${name}`);
      const result = await new Promise<ReturnType<typeof failed>>((resolve) => {
        if (act === 'takes') resolve(forwarded());
        else if (act === 'fails') resolve(failed());
        else if (act === 'is not there') resolve(unavailable);
        else {
          const later = act === 'takes later' ? forwarded() : failed('timeout');
          clock.after(act === 'takes later' ? 5000 : 30_000, () => resolve(later));
          signal.addEventListener('abort', () => resolve(failed('aborted')));
        }
      });
      counted[name] -= 1;
      return result;
    },
  });
  const targets = [targetOf('one'), targetOf('two')];
  const start = (current: ForwarderJournal) => {
    startedAt.push(clock.now());
    return bench.start(targets, {
      journal: current,
      concurrency,
      maxAttempts,
      retryForMs,
      window: 3,
      chooseTargets: ({ events: [first] }) => {
        const chosen = (first?.title ?? 'one').split(',');
        return targets.filter(({ name }) => chosen.includes(name));
      },
    });
  };

  /** A dead letter has had its attempts, or its time while nothing got through. No attempt too many, as far as a restart shows. */
  const checkRetries = (sequence: number, name: string) => {
    const own = journal.attempts.filter((made) => made.sequence === sequence && made.target === name);
    const [first, last] = [own.at(0), own.at(-1)];
    assert.ok(first && last);
    const after = journal.attempts.slice(journal.attempts.indexOf(first));
    const through = after.filter(({ target, verdict }) => target === name && verdict === 'forwarded');
    const isTimeOver = last.time - first.time >= retryForMs;
    assert.ok(isTimeOver || (through.length > 0 && own.length >= maxAttempts), `#${sequence} ended early`);
    for (const made of own.slice(maxAttempts - 1, -1))
      for (const { time } of through.filter((other) => after.indexOf(other) < after.indexOf(made)))
        assert.ok(
          startedAt.some((start) => start >= time && start <= made.time),
          `#${sequence} should have ended with attempt ${made.attempt}`,
        );
  };

  // Deliveries come while it runs.
  let at = 0;
  for (const { subjects, targets: chosen, after } of deliveries) {
    at += after;
    const events = subjects.map((taskId) => ({
      eventType: 'TaskCreated',
      taskId,
      // Stands for what routes depend on.
      title: chosen.join(','),
    }));
    clock.after(at * 1000, () =>
      journal.storeBody(subjects.length === 0 ? 'unreadable' : JSON.stringify(events)),
    );
  }
  counts.deliveries += deliveries.length;

  let current = journal.cut(0);
  for (const [seconds, lostNotes] of runs) {
    const forwarder = start(current);
    for (let second = 0; second < seconds; second++) {
      await bench.settle();
      clock.advance(1000);
    }
    counts.restarts += 1;
    if (lostNotes !== null) current = journal.cut(lostNotes);
    await forwarder.stop();
    inFlight = { one: 0, two: 0 };
  }
  const forwarder = start(current);
  await bench.runUntil(() => journal.isFinished(deliveries.length) && journal.state().unfinished === 0);
  assert.deepEqual([forwarder.state().inFlight, forwarder.state().waiting], [0, 0]);
  await forwarder.stop();

  for (const [index, { subjects, targets: chosen }] of deliveries.entries())
    for (const name of subjects.length === 0 ? ['one'] : chosen) {
      const all = journal.attempts.filter(
        (attempt) => attempt.sequence === index + 1 && attempt.target === name,
      );
      const last = all.at(-1);
      if (last?.verdict === 'dead') {
        counts.dead += 1;
        checkRetries(index + 1, name);
      } else {
        assert.equal(last?.verdict, 'forwarded');
        assert.ok(taken.has(`${index + 1} ${name}`));
      }
    }
}
