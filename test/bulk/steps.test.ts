// The steps of a bulk run, each by itself: what ends a run, what waits for whom, and which rows are handed out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedQueue } from '../../src/bulk/keyed-queue.ts';
import { createOutage } from '../../src/bulk/outage.ts';
import type { Outcome } from '../../src/bulk/outcome.ts';
import { createRateLimiter } from '../../src/bulk/rate-limiter.ts';
import { createRecorder } from '../../src/bulk/recorder.ts';
import { createReporter } from '../../src/bulk/reporter.ts';
import type { NewResult } from '../../src/bulk/result.ts';
import { createRowStates, rowState } from '../../src/bulk/row-states.ts';
import { createRowSupply } from '../../src/bulk/row-supply.ts';
import { Failure } from '../../src/failure.ts';
import { createTestClock } from '../clock.ts';

const soon = () => new Promise(setImmediate);
const rowAt = (line: number) => ({ line, source: '', id: `T${line}`, update: '' });
const failure = new Failure('outcome_unknown', { message: 'no response' });

function recorderOf(concurrency: number) {
  const ended: Failure[] = [];
  const entries: string[] = [];
  const states = createRowStates(100);
  const recorder = createRecorder<string, string>({
    journal: {
      updated: (line) => void entries.push(`updated ${line}`),
      failed: (line, { message, code }) => void entries.push(`failed ${line} ${code}: ${message}`),
      invalid: (line, message) => void entries.push(`invalid ${line}: ${message}`),
      notSent: (line) => void entries.push(`not-sent ${line}`),
    },
    states,
    reporter: { add: () => undefined },
    concurrency,
    end: (one) => void ended.push(one),
  });
  let line = 0;
  const add = (outcome: Outcome<string>) => {
    line++;
    recorder.add({ row: rowAt(line), outcome });
  };
  return { add, recorder, ended, entries, states };
}

test('ten unknown outcomes one after the other end the run, and no fewer; a response between them starts anew', () => {
  const unknown = { kind: 'unknown', failure } as const;
  for (const [concurrency, most] of [
    [1, 10],
    [5, 10],
    [8, 16],
  ] as const) {
    for (const between of [
      { kind: 'updated', record: '' },
      { kind: 'failed', failure },
    ] as const) {
      const { add, ended } = recorderOf(concurrency);
      for (let i = 1; i < most; i++) add(unknown);
      add(between);
      for (let i = 1; i < most; i++) add(unknown);
      assert.equal(ended.length, 0);
      add(unknown);
      assert.deepEqual(ended, [failure]);
    }
    const first = recorderOf(concurrency);
    for (let i = 1; i < most; i++) first.add(unknown);
    assert.equal(first.ended.length, 0);
    first.add(unknown);
    assert.deepEqual(first.ended, [failure]);
  }
});

test('each outcome has its entry and its state; only a fatal one ends the run', () => {
  const { add, recorder, ended, entries, states } = recorderOf(8);
  const rejected = new Failure('rejected', { message: 'm', why: 'w', errorCode: 'invalid_parameter' });
  add({ kind: 'updated', record: '' });
  add({ kind: 'failed', failure: rejected });
  add({ kind: 'invalid', failure: rejected });
  add({ kind: 'unknown', failure });
  add({ kind: 'not-sent', failure, isFatal: false });
  recorder.add({ row: { line: 6, source: '', id: undefined, invalid: 'why' } });
  assert.equal(ended.length, 0);
  add({ kind: 'not-sent', failure, isFatal: true });
  assert.deepEqual(ended, [failure]);
  assert.deepEqual(entries, [
    'updated 1',
    'failed 2 invalid_parameter: m: w',
    'invalid 3: m: w',
    'not-sent 5',
    'invalid 6: why',
    'not-sent 6',
  ]);
  const { updated, failed, invalid, sent, notSent } = rowState;
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((line) => states.get(line)),
    [updated, failed, invalid, sent, notSent],
  );
});

test('a slow reader is waited for: the next result comes only once it has taken the last one', async () => {
  const reported: number[] = [];
  let take = () => {};
  const reporter = createReporter<string, string>({
    journal: { sync: async () => {} },
    report({ row }) {
      reported.push(row.line);
      return new Promise((resolve) => {
        take = resolve;
      });
    },
    abandon: new AbortController().signal,
    onError: assert.fail,
  });
  const result = (line: number): NewResult<string, string> => ({
    row: rowAt(line),
    outcome: { kind: 'updated', record: '' },
  });
  for (const line of [1, 2]) reporter.add(result(line));
  await soon();
  assert.deepEqual(reported, [1]);
  take();
  await soon();
  assert.deepEqual(reported, [1, 2]);
  take();
  await reporter.drain();
});

test('rows of an earlier run: those that were reported are skipped, and failures are announced in order', async () => {
  const states = createRowStates(5);
  states.set(1, rowState.updated);
  states.setReported(1);
  states.set(2, rowState.failed);
  states.setReported(2);
  states.set(3, rowState.invalid);
  states.set(4, rowState.sent);
  const failed: number[] = [];
  async function* batches() {
    yield [1, 2].map(rowAt);
    yield [3, 4, 5].map(rowAt);
  }
  const supply = createRowSupply<string>({
    batches: batches(),
    states,
    onEarlierFailure: (row) => void failed.push(row.line),
  });
  const lines: number[] = [];
  do {
    for (let row = supply.next(); row; row = supply.next()) lines.push(row.line);
  } while (await supply.readMore());
  assert.deepEqual(
    [lines, failed],
    [
      [3, 4, 5],
      [2, 3],
    ],
  );
  assert.equal(await supply.readMore(), false);
});

test('a keyed queue hands a key on in order, and forgets it afterwards', async () => {
  const queue = createKeyedQueue();
  const order: number[] = [];
  assert.equal(queue.acquire('a'), undefined);
  assert.equal(queue.acquire('b'), undefined);
  const second = queue.acquire('a')?.then(() => order.push(2));
  const third = queue.acquire('a')?.then(() => order.push(3));
  await soon();
  assert.deepEqual(order, []);
  queue.release('a');
  await second;
  await soon();
  assert.deepEqual(order, [2]);
  queue.release('a');
  await third;
  queue.release('a');
  assert.equal(queue.acquire('a'), undefined);
});

test('after a rate limit, as many successes as may be in flight bring back one more', () => {
  const limiter = createRateLimiter(createTestClock(), {
    maxConcurrency: 4,
    stop: new AbortController().signal,
  });
  limiter.onRateLimit(limiter.generation, 1);
  assert.equal(limiter.concurrency, 2);
  const after = Array.from({ length: 6 }, () => {
    limiter.onSuccess();
    return limiter.concurrency;
  });
  assert.deepEqual(after, [2, 3, 3, 3, 4, 4]);
});

test('a success starts the backoff anew: the next rate limit without a time waits a second', () => {
  const clock = createTestClock();
  const limiter = createRateLimiter(clock, { maxConcurrency: 1, stop: new AbortController().signal });
  const next = () => {
    clock.advance(limiter.pauseLeftMs);
    limiter.onRateLimit(limiter.generation, undefined);
    return limiter.pauseLeftMs;
  };
  assert.deepEqual([next(), next(), next()], [1000, 2000, 4000]);
  limiter.onSuccess();
  assert.deepEqual([next(), next()], [1000, 2000]);
});

test('a retry that the end of the run interrupts still holds its slot, which its worker releases', async () => {
  let held = 1;
  const stop = new AbortController();
  const clock = createTestClock();
  const outage = createOutage<string, string>({
    send: async () => ({ kind: 'updated', record: '' }),
    rateLimiter: {
      acquire: async () => {
        stop.abort();
        return false;
      },
      forceAcquire: () => void held++,
      release: () => void held--,
      pause: () => {},
    },
    clock,
    stop: stop.signal,
  });
  const first = { kind: 'not-sent', failure, isFatal: false } as const;
  assert.deepEqual(await outage.retry(rowAt(1), first), first);
  assert.equal(held, 1);
  outage.end();
});
