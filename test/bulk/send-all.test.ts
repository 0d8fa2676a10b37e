// The slots, where a whole command would take too long to see it: a network that is lost for good, and one that comes back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJournal, type JournalOptions } from '#bulk/journal.ts';
import { createRateLimiter } from '#bulk/rate-limiter.ts';
import type { Outcome, ValidRow } from '#bulk/row.ts';
import { createRowStates, rowState } from '#bulk/row-states.ts';
import { sendAll } from '#bulk/send-all.ts';
import { Failure } from '#failure.ts';
import { createHurriedClock, createTestClock, type TestClock } from '#test/support/clock.ts';
import { gate } from '#test/support/gate.ts';
import type { AppendFile, Clock } from '#world/world.ts';

type Answer = (
  row: ValidRow<string>,
  now: number,
  journal: string,
  clock: TestClock,
) => Outcome<string> | Promise<Outcome<string>>;

async function send(
  rows: number,
  slots: number,
  answer: Answer,
  idOf = (row: number) => `T${row}`,
  {
    leave = new AbortController().signal,
    taken = async () => {},
    mayWrite = () => true,
    syncNow = async () => {},
    sleepForSync,
    perMinute,
    ...options
  }: JournalOptions & {
    leave?: AbortSignal;
    taken?: (row: number) => Promise<void>;
    mayWrite?: (text: string) => boolean;
    syncNow?: () => Promise<void>;
    sleepForSync?: Clock['sleep'];
    perMinute?: number;
  } = {},
) {
  const clock = createHurriedClock();
  const stop = new AbortController();
  const states = createRowStates(rows);
  let journal = '';
  const append: AppendFile = {
    size: 0,
    write(text) {
      if (!mayWrite(String(text))) throw new Error('ENOSPC');
      journal += String(text);
    },
    findLoss: () => undefined,
    truncate() {},
    sync: syncNow,
    close: async () => {},
  };
  const file = createJournal(append, { waitForWrites: () => clock.nextTurn(), ...options });
  async function* items() {
    yield Array.from({ length: rows }, (_, index) => ({
      line: index + 1,
      source: '',
      id: idOf(index + 1),
      update: '',
    }));
  }
  const began = clock.now();
  const reported: number[] = [];
  const outcomes: string[] = [];
  const ended = await sendAll<string, string>({
    batches: items(),
    send: async (row) => answer(row, clock.now() - began, journal, clock),
    report({ row, outcome }) {
      reported.push(row.line);
      outcomes.push(`${row.line} ${outcome?.kind}`);
      return taken(row.line);
    },
    onEarlierFailure: () => {},
    journal: file,
    states,
    rateLimiter: createRateLimiter(clock, {
      maxConcurrency: slots,
      stop: stop.signal,
      ...(perMinute === undefined ? {} : { perMinute }),
    }),
    concurrency: slots,
    clock: sleepForSync ? { ...clock, sleep: sleepForSync } : clock,
    stop,
    abandon: leave,
  });
  return { ended, states, journal, reported, outcomes, took: clock.now() - began };
}

const networkFailure = new Failure('network', { message: 'Connection refused' });

test('a network that is down for a minute ends the run, and no row counts as sent', async () => {
  const { ended, states, journal, took } = await send(100, 4, (row) =>
    row.line <= 10
      ? { kind: 'updated', record: '' }
      : { kind: 'not-sent', failure: networkFailure, isFatal: false },
  );
  assert.equal(ended, networkFailure);
  assert.ok(took >= 60_000 && took < 120_000, `${took} ms`);
  assert.equal(states.counts().updated, 10);
  assert.equal(states.counts().unknown, 0);
  assert.match(journal, /\{"not-sent":\d+\}/);
});

test('a network that recovers within the minute costs no row', async () => {
  const { ended, states, reported } = await send(50, 4, (_, now) =>
    now < 30_000
      ? { kind: 'not-sent', failure: networkFailure, isFatal: false }
      : { kind: 'updated', record: '' },
  );
  assert.equal(ended, undefined);
  assert.equal(states.counts().updated, 50);
  assert.deepEqual(
    reported.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test('frozen for ten minutes while offline: the minute starts again, and no row is lost', async () => {
  let isFrozen = false;
  const { ended, states } = await send(50, 4, (_row, now, _journal, clock) => {
    if (!isFrozen && now > 5000) {
      isFrozen = true;
      clock.stop(600_000);
    }
    return now < 630_000
      ? { kind: 'not-sent', failure: networkFailure, isFatal: false }
      : { kind: 'updated', record: '' };
  });
  assert.ok(isFrozen);
  assert.equal(ended, undefined);
  assert.equal(states.counts().updated, 50);
});

test('a service that never responds ends the run after a few rows, which keep their unknown outcome', async () => {
  const unknown = new Failure('outcome_unknown', { message: 'no answer' });
  const { ended, states, reported } = await send(1000, 4, () => ({ kind: 'unknown', failure: unknown }));
  assert.equal(ended, unknown);
  assert.ok(reported.length < 20, `${reported.length} rows`);
  assert.equal(states.counts().unknown, reported.length);
});

test('ten unknown outcomes in a row end the run, or two for each worker; a response in between resets the count', async () => {
  const unknown = new Failure('outcome_unknown', { message: 'no answer' });
  for (const [slots, most] of [
    [1, 10],
    [5, 10],
    [8, 16],
  ] as const) {
    const endOf = async (rows: number, answered?: number) => {
      const { ended } = await send(rows, slots, ({ line }) =>
        line === answered ? { kind: 'updated', record: '' } : { kind: 'unknown', failure: unknown },
      );
      return ended;
    };
    assert.equal(await endOf(most - 1), undefined);
    assert.equal(await endOf(most), unknown);
    assert.equal(await endOf(2 * most - 1, most), undefined);
    assert.equal(await endOf(2 * most, most), unknown);
  }
});

test('each outcome has its entry in the journal, and its state', async () => {
  const failure = new Failure('rejected', { message: 'm', why: 'w', errorCode: 'invalid_parameter' });
  const outcomes: readonly Outcome<string>[] = [
    { kind: 'updated', record: '' },
    { kind: 'failed', failure },
    { kind: 'invalid', failure },
    { kind: 'unknown', failure },
    { kind: 'not-sent', failure, isFatal: true },
  ];
  const { ended, journal, states } = await send(5, 1, ({ line }) => outcomes[line - 1] ?? assert.fail());
  assert.equal(ended, failure);
  const entries = journal.split('\n').filter((line) => line !== '' && !/^\{"(?:sent|may-send)"/.test(line));
  assert.deepEqual(entries, [
    '{"updated":1}',
    '{"failed":2,"message":"m: w","code":"invalid_parameter"}',
    '{"invalid":3,"message":"m: w"}',
    '{"not-sent":5}',
  ]);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((line) => states.get(line)),
    [rowState.updated, rowState.failed, rowState.invalid, rowState.sent, rowState.notSent],
  );
});

test('after a fatal failure of one row, the others are not tried', async () => {
  const signedOut = new Failure('sign_in_needed', { message: '401' });
  const { ended, states, reported } = await send(1000, 4, () => ({
    kind: 'not-sent',
    failure: signedOut,
    isFatal: true,
  }));
  assert.equal(ended, signedOut);
  assert.ok(reported.length <= 4);
  assert.equal(states.counts().notSent, 1000);
});

test('sends a row only after it is in the journal together with the last response of its worker', async () => {
  const slots = 4;
  let answered = 0;
  const { reported } = await send(100, slots, async ({ line: number }, _, journal) => {
    const [sent, done] = ['sent', 'updated'].map((word) => journal.split(`"${word}"`).length - 1);
    assert.ok(journal.includes(`{"sent":${number}}\n`), `row ${number}`);
    // What a slot has just answered is the only one that may be under way.
    assert.ok(answered - (done ?? 0) < slots, `${answered} answered, ${done} on record`);
    assert.ok((sent ?? 0) - (done ?? 0) <= slots, `${sent} sent, ${done} on record`);
    await new Promise(setImmediate);
    answered++;
    return { kind: 'updated', record: '' };
  });
  assert.equal(reported.length, 100);
});

test('sends rows with the same id one after another in input order, in parallel with others', async () => {
  const underWay = new Set<string>();
  const order: number[] = [];
  let maxUnderWay = 0;
  const idOf = (row: number) => (row % 2 === 0 ? 'even' : `T${row}`);
  const { reported } = await send(
    40,
    8,
    async ({ id, line: number }) => {
      assert.ok(!underWay.has(id), `${id} twice at once`);
      underWay.add(id);
      maxUnderWay = Math.max(maxUnderWay, underWay.size);
      if (id === 'even') order.push(number);
      // The earlier ones take longer.
      for (let turns = 40 - number; turns > 0; turns--) await new Promise(setImmediate);
      underWay.delete(id);
      return { kind: 'updated', record: '' };
    },
    idOf,
  );
  assert.equal(reported.length, 40);
  assert.deepEqual(
    order,
    Array.from({ length: 20 }, (_, index) => 2 * index + 2),
  );
  assert.ok(maxUnderWay > 1);
});

test('a row that waits for another row of its id is released when the run ends', async () => {
  const signedOut = new Failure('sign_in_needed', { message: '401' });
  const { ended, reported } = await send(
    20,
    4,
    async () => {
      await new Promise(setImmediate);
      return { kind: 'not-sent', failure: signedOut, isFatal: true };
    },
    () => 'T',
  );
  assert.equal(ended, signedOut);
  assert.equal(reported.length, 1);
});

test('reports the last rows without waiting for others to join their sync', async () => {
  // It stands still: whoever waits for others would wait for ever.
  const clock = createTestClock();
  const { reported } = await send(5, 2, () => ({ kind: 'updated', record: '' }), undefined, {
    sleepForSync: clock.sleep,
  });
  assert.equal(reported.length, 5);
  assert.deepEqual(clock.waits, [50]);
});

test('one sync reports all results that came while it waited for more', async () => {
  const clock = createTestClock();
  let isWaiting = false;
  let syncs = 0;
  const { reported } = await send(
    20,
    2,
    ({ line }) => {
      // The first result begins the wait, and nine more join it.
      if (line === 11) {
        assert.ok(isWaiting);
        clock.advance(50);
      }
      return { kind: 'updated', record: '' };
    },
    undefined,
    {
      sleepForSync: (milliseconds, signal) => {
        isWaiting = true;
        return clock.sleep(milliseconds, signal);
      },
      async syncNow() {
        syncs++;
      },
    },
  );
  assert.equal(reported.length, 20);
  // The first one clears the rows to be sent.
  assert.equal(syncs, 3);
});

test('a fast service never waits for a sync that waits for more results', { timeout: 30_000 }, async () => {
  // It stands still: a sync begins only once enough results wait.
  const clock = createTestClock();
  let longest = 0;
  let sent = 0;
  const { reported } = await send(
    5000,
    8,
    () => {
      sent++;
      return { kind: 'updated', record: '' };
    },
    undefined,
    {
      sleepForSync: clock.sleep,
      async taken(row) {
        longest = Math.max(longest, sent - row);
      },
    },
  );
  assert.equal(reported.length, 5000);
  assert.ok(longest >= 1000 && longest < 2000, `${longest}`);
});

test('an aborted run reports the rows with a response, and the rest once, with an unknown outcome', async () => {
  const leaving = new AbortController();
  // It stands still: the answer that came waits for its sync until somebody leaves.
  const clock = createTestClock();
  const { outcomes, states, journal } = await send(
    3,
    3,
    async ({ line: number }) => {
      if (number === 2) await new Promise(() => {});
      // Its answer comes too late.
      if (number === 3)
        await new Promise((answer) => {
          leaving.signal.addEventListener('abort', answer);
          setImmediate(() => leaving.abort());
        });
      return { kind: 'updated', record: '' };
    },
    undefined,
    { sleepForSync: clock.sleep, leave: leaving.signal },
  );
  assert.deepEqual(outcomes, ['1 updated', '2 unknown', '3 unknown']);
  assert.equal(states.counts().unknown, 2);
  assert.doesNotMatch(journal, /"updated":3/);
});

test('leaving does not wait for a reader that has stopped reading', { timeout: 30_000 }, async () => {
  const leaving = new AbortController();
  const taken = (row: number) => {
    if (row === 1) setImmediate(() => leaving.abort());
    return new Promise<void>(() => {});
  };
  const { reported } = await send(5, 2, () => ({ kind: 'updated', record: '' }), undefined, {
    leave: leaving.signal,
    taken,
  });
  assert.equal(reported.length, 5);
});

for (const [description, mayWrite] of [
  ['for good', (text: string) => !/"sent":(?:2\d|[3-9]\d)/.test(text)],
  ['once', firstTimeOnly(/"sent":2\d/)],
] as const) {
  test(`a journal that cannot be written, ${description}: sends nothing more and reports the responses received`, async () => {
    const answered: number[] = [];
    const { ended, reported, outcomes, journal } = await send(
      1000,
      4,
      ({ line }, _, sofar) => {
        assert.ok(sofar.includes(`{"sent":${line}}\n`), `row ${line} is not on record`);
        answered.push(line);
        return { kind: 'updated', record: '' };
      },
      undefined,
      { mayWrite },
    );
    assert.match(ended?.message ?? '', /ENOSPC/);
    assert.ok(answered.length >= 16 && answered.length < 30, `${answered.length} rows`);
    assert.deepEqual(
      reported.toSorted((a, b) => a - b),
      answered.toSorted((a, b) => a - b),
    );
    assert.ok(outcomes.every((outcome) => outcome.endsWith(' updated')));
    // What could be written in the end, was.
    if (description === 'once')
      for (const line of answered) assert.ok(journal.includes(`{"updated":${line}}\n`));
  });
}

function firstTimeOnly(pattern: RegExp): (text: string) => boolean {
  let isOver = false;
  return (text) => {
    if (isOver || !pattern.test(text)) return true;
    isOver = true;
    return false;
  };
}

test('a journal that cannot be synced: sends nothing more and reports the responses received', async () => {
  let syncs = 0;
  const syncNow = async () => {
    if (++syncs > 2) throw new Error('EIO');
  };
  let answered = 0;
  const { ended, reported } = await send(
    1000,
    4,
    () => {
      answered++;
      return { kind: 'updated', record: '' };
    },
    undefined,
    { syncNow },
  );
  assert.match(ended?.message ?? '', /EIO/);
  assert.equal(reported.length, answered);
  assert.ok(answered < 1000, `${answered} rows`);
});

test('a failed report does not hold back the others, and nothing more is sent', async () => {
  const { ended, reported } = await send(1000, 4, () => ({ kind: 'updated', record: '' }), undefined, {
    taken: (row) => (row === 2 ? Promise.reject(new Error('a fault')) : Promise.resolve()),
  });
  assert.equal(ended?.code, 'internal');
  assert.ok(reported.length >= 4 && reported.length < 1000, `${reported.length} rows`);
});

test('--rate limits the rows per minute, and every row is sent', async () => {
  const { reported, took } = await send(30, 4, () => ({ kind: 'updated', record: '' }), undefined, {
    perMinute: 60,
  });
  assert.equal(reported.length, 30);
  assert.ok(took >= 29_000 && took < 60_000, `${took} ms`);
});

test('a row that waits for the network is released when the run ends, and is not sent', async () => {
  const signedOut = new Failure('sign_in_needed', { message: '401' });
  let attempts = 0;
  const triedTwice = gate();
  const { ended, outcomes, states } = await send(2, 2, async ({ line }) => {
    if (line === 1) {
      if (++attempts === 2) triedTwice.open();
      return { kind: 'not-sent', failure: networkFailure, isFatal: false };
    }
    await triedTwice.opened;
    return { kind: 'not-sent', failure: signedOut, isFatal: true };
  });
  assert.equal(attempts, 2);
  assert.equal(ended, signedOut);
  assert.deepEqual(outcomes.toSorted(), ['1 not-sent', '2 not-sent']);
  assert.equal(states.counts().notSent, 2);
});

test('a reader that has stopped reading pauses sending once 2,048 results are waiting', async () => {
  let sent = 0;
  const isTaken = gate();
  let held = 0;
  const taken = async (row: number) => {
    if (row !== 1) return;
    // Turns in which nothing more is sent: every worker waits.
    for (let before = -1; before !== sent; ) {
      before = sent;
      for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    }
    held = sent;
    isTaken.open();
    await isTaken.opened;
  };
  const { reported } = await send(
    4000,
    2,
    () => {
      sent++;
      return { kind: 'updated', record: '' };
    },
    undefined,
    { taken },
  );
  assert.equal(reported.length, 4000);
  assert.ok(held > 2048 && held < 2100, `${held}`);
});
