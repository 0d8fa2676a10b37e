// The steps of a bulk run: what ends it, what the journal says of each outcome, which rows of an earlier run it hands out, and
// how its rate limiter slows down.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from '#bulk/rate-limiter.ts';
import type { Outcome, Row } from '#bulk/row.ts';
import { createRowStates, rowState } from '#bulk/row-states.ts';
import { sendAll } from '#bulk/send-all.ts';
import { Failure } from '#failure.ts';
import { createTestClock } from '#test/support/clock.ts';

const rowAt = (line: number): Row<string> => ({ line, source: '', id: `T${line}`, update: '' });
const failure = new Failure('outcome_unknown', { message: 'no response' });

/** `outcomes`: by line, from 1. */
async function sendRows(
  rows: readonly Row<string>[],
  outcomes: readonly Outcome<string>[],
  { concurrency = 1, states = createRowStates(rows.length) } = {},
) {
  const clock = createTestClock();
  const stop = new AbortController();
  const entries: string[] = [];
  const earlierFailures: number[] = [];
  const reported: number[] = [];
  const nothing = async () => {};
  async function* batches() {
    for (let from = 0; from < rows.length; from += 2) yield rows.slice(from, from + 2);
  }
  const ended = await sendAll<string, string>({
    batches: batches(),
    send: async ({ line }) => outcomes[line - 1] ?? { kind: 'updated', record: '' },
    report: ({ row }) => void reported.push(row.line),
    onEarlierFailure: ({ line }) => void earlierFailures.push(line),
    journal: {
      clearToSend: () => undefined,
      sent: () => {},
      updated: (line) => void entries.push(`updated ${line}`),
      failed: (line, { message, code }) => void entries.push(`failed ${line} ${code}: ${message}`),
      invalid: (line, message) => void entries.push(`invalid ${line}: ${message}`),
      notSent: (line) => void entries.push(`not-sent ${line}`),
      reported: () => {},
      finished: () => {},
      isLost: false,
      write: nothing,
      sync: nothing,
      close: nothing,
    },
    states,
    rateLimiter: createRateLimiter(clock, { maxConcurrency: concurrency, stop: stop.signal }),
    concurrency,
    clock,
    stop,
    abandon: new AbortController().signal,
  });
  return { ended, entries, states, earlierFailures, reported };
}

test('ends the run after exactly ten unknown outcomes in a row; a response in between resets the count', async () => {
  const unknown = { kind: 'unknown', failure } as const;
  for (const [concurrency, most] of [
    [1, 10],
    [5, 10],
    [8, 16],
  ] as const) {
    const run = (outcomes: readonly Outcome<string>[]) =>
      sendRows(
        outcomes.map((_, index) => rowAt(index + 1)),
        outcomes,
        { concurrency },
      );
    const fewer: readonly Outcome<string>[] = Array.from({ length: most - 1 }, () => unknown);
    for (const between of [
      { kind: 'updated', record: '' },
      { kind: 'failed', failure },
    ] as const) {
      assert.equal((await run([...fewer, between, ...fewer])).ended, undefined);
      assert.equal((await run([...fewer, between, ...fewer, unknown])).ended, failure);
    }
    assert.equal((await run(fewer)).ended, undefined);
    assert.equal((await run([...fewer, unknown])).ended, failure);
  }
});

test('each outcome has its entry and state; only a fatal one ends the run', async () => {
  const rejected = new Failure('rejected', { message: 'm', why: 'w', errorCode: 'invalid_parameter' });
  const outcomes: readonly Outcome<string>[] = [
    { kind: 'updated', record: '' },
    { kind: 'failed', failure: rejected },
    { kind: 'invalid', failure: rejected },
    { kind: 'unknown', failure },
  ];
  const invalid: Row<string> = { line: 5, source: '', id: undefined, invalid: 'why' };
  const rows = [1, 2, 3, 4].map(rowAt);
  assert.equal((await sendRows([...rows, invalid], outcomes)).ended, undefined);
  const fatal: Outcome<string> = { kind: 'not-sent', failure, isFatal: true };
  const { ended, entries, states } = await sendRows(
    [...rows, invalid, rowAt(6), rowAt(7)],
    [...outcomes, fatal, fatal],
  );
  assert.equal(ended, failure);
  assert.deepEqual(entries, [
    'updated 1',
    'failed 2 invalid_parameter: m: w',
    'invalid 3: m: w',
    'invalid 5: why',
    'not-sent 6',
  ]);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((line) => states.get(line)),
    [
      rowState.updated,
      rowState.failed,
      rowState.invalid,
      rowState.sent,
      rowState.invalid,
      rowState.notSent,
      rowState.notSent,
    ],
  );
});

test('rows of an earlier run: skips the reported ones, and announces failures in order', async () => {
  const states = createRowStates(5);
  states.set(1, rowState.updated);
  states.setReported(1);
  states.set(2, rowState.failed);
  states.setReported(2);
  states.set(3, rowState.invalid);
  states.set(4, rowState.sent);
  const ran = await sendRows([1, 2, 3, 4, 5].map(rowAt), [], { states });
  assert.deepEqual(
    [ran.reported, ran.earlierFailures],
    [
      [3, 4, 5],
      [2, 3],
    ],
  );
  assert.deepEqual(ran.entries, ['updated 4', 'updated 5']);
});

test('after a rate limit, as many successes as the concurrency add one worker', () => {
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

test('a success resets the backoff: the next rate limit without a Retry-After waits a second', () => {
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
