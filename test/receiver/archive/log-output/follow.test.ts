// `wm webhook log --follow` while a listener writes: a line for each delivery and for each attempt, across segments, and of replays.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sampleTarget as target } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';
import { objectsIn, rowsOf } from '#test/support/program/cells.ts';
import { textsOf } from '#test/support/program/json-messages.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import type { Ran } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { Interruption } from '#world/world.ts';
import { attempt, dead, failed, received, writtenJournal } from '../deliveries/written-journal.ts';
import { showOutput } from './shown-output.ts';

/** A journal with three deliveries, and `wm webhook log --follow`, which has not started yet. */
async function following(context: TestContext, typed = '', columns?: number) {
  const written = await writtenJournal(context);
  const journal = await written.open({ segmentBytes: 4096 });
  const append = (eventType: string, taskId: string) => journal.append(received(eventType, taskId));
  await append('TaskCreated', 'A1');
  await append('TaskCreated', 'A2');
  journal.record(attempt(1));
  journal.record({ kind: 'rejected', time: noon, reason: 'method', status: 503 });
  await append('TaskCreated', 'A3');
  const shown = showOutput(columns);
  const signals = handSignals();
  const { clock } = createWorld();
  let isOver = false;
  const world = {
    streams: shown.streams,
    process: { ...signals.process, self: ['node'] as const },
    // What is abandoned waits for ever, and ends with the process.
    clock: {
      ...clock,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        isOver ? new Promise<void>(() => {}) : clock.sleep(milliseconds, signal),
    },
  };
  let ended: Promise<Ran> | undefined;
  return {
    ...written,
    journal,
    append,
    shown,
    /** Until it has shown this delivery. */
    async start(last = 'A3') {
      ended = written.wm(`webhook log --follow ${typed}`, { world });
      await shown.until(last);
    },
    async appended(eventType: string, taskId: string) {
      await append(eventType, taskId);
      await shown.until(taskId);
    },
    /** Its exit status. */
    async end(signal?: Interruption) {
      isOver = true;
      signals.interrupt(signal);
      return (await ended)?.status;
    },
  };
}

const stateLines = (text: string) =>
  rowsOf(text).map(([sequence, , events, ids, , , , duplicates, state, , outcome, attempts]) =>
    [sequence, events, ids, duplicates, state, outcome, attempts].join(' '),
  );

test('the stored deliveries, then a line for each change, until Ctrl-C', async (context) => {
  const { journal, appended, shown, start, end } = await following(context);
  await start();
  await appended('CommentAdded', 'A4');
  journal.record(attempt(4, failed));
  await appended('CommentAdded', 'A5');
  journal.record(attempt(4, { attempt: 2 }));
  journal.record({ kind: 'duplicate', sequence: 4, time: noon });
  journal.record({ kind: 'rejected', time: noon, reason: 'bad-signature', status: 503 });
  await appended('CommentAdded', 'A6');
  assert.equal(await end(), 130);
  assert.deepEqual(stateLines(shown.text()), [
    '1 TaskCreated A1 0 forwarded 200 1',
    '2 TaskCreated A2 0 waiting  0',
    '3 TaskCreated A3 0 waiting  0',
    '4 CommentAdded A4 0 waiting  0',
    '4 CommentAdded A4 0 retrying 500 1',
    '5 CommentAdded A5 0 waiting  0',
    '4 CommentAdded A4 0 forwarded 200 2',
    '4 CommentAdded A4 1 forwarded 200 2',
    '6 CommentAdded A6 0 waiting  0',
  ]);
  assert.match(shown.errors(), /^1 request was not stored: 1 not a POST/);
  assert.match(
    shown.errors(),
    /^2026-01-0[56] \d\d:\d\d:00 \(UTC[+-]\d\d:\d\d\) {2}not stored: bad-signature, response 503$/m,
  );
});

test('every delivery once, across many segments', async (context) => {
  const { append, shown, start, end, wm } = await following(context, '--last 1');
  await start();
  const count = 80;
  for (let at = 0; at < count; at++) await append('TaskCreated', `B${at}`);
  await shown.until(`B${count - 1}`);
  await end();
  const ids = rowsOf(shown.text()).map((row) => row[3]);
  assert.deepEqual(ids, ['A3', ...Array.from({ length: count }, (_, at) => `B${at}`)]);
  assert.equal(rowsOf((await wm('webhook log')).output).length, count + 3);
});

test('an attempt at a delivery before the shown ones; a filter; JSON lines', async (context) => {
  const typed = '--json --event TaskCreated --last 1';
  const { journal, append, appended, shown, start, end } = await following(context, typed);
  for (let at = 0; at < 300; at++) await append('TaskTitleChanged', 'A9');
  await append('TaskCreated', 'A7');
  await start('A7');
  journal.record(attempt(2, { attempt: 5 }));
  journal.record({ kind: 'duplicate', sequence: 1, time: noon });
  journal.record(attempt(10));
  await append('TaskTitleChanged', 'A8');
  await appended('TaskCreated', 'A10');
  await end();
  assert.deepEqual(
    objectsIn(shown.text()).map(({ sequence, state, duplicates }) => [sequence, state, duplicates]),
    [
      [304, 'waiting', 0],
      [2, 'forwarded', 0],
      [1, 'forwarded', 1],
      [306, 'waiting', 0],
    ],
  );
});

test('only deliveries that enter the selected state', async (context) => {
  const { journal, append, shown, start, end } = await following(context, '--dead-letters');
  await append('TaskCreated', 'A4');
  journal.record(attempt(2, dead));
  await start('A2');
  journal.record(attempt(3));
  journal.record(attempt(4, dead));
  await shown.until('A4');
  await end();
  assert.deepEqual(stateLines(shown.text()), [
    '2 TaskCreated A2 0 dead 500 12',
    '4 TaskCreated A4 0 dead 500 12',
  ]);
});

test('a replay: the dead letter is shown as replayed', async (context) => {
  const { journal, append, folder, shown, start, end } = await following(context);
  journal.record(attempt(2, dead));
  await append('TaskCreated', 'A4');
  await start('A4');
  const replay = { sequence: 2, time: noon, target, outcome: '204', milliseconds: 7, verdict: 'forwarded' };
  await appendFile(join(folder, 'replays.ndjson'), `${JSON.stringify(replay)}\n`);
  await shown.until('replayed');
  await end();
  assert.equal(stateLines(shown.text()).at(-1), '2 TaskCreated A2 0 replayed 204 13');
});

test('on a terminal: one sentence each', async (context) => {
  const { appended, shown, start, end } = await following(context, '--last 1', 100);
  await start();
  await appended('CommentAdded', 'A4');
  await end();
  assert.match(
    shown.text(),
    /\n4 {2}2026-01-0[56] \d\d:\d\d:00 {2}CommentAdded {2}A4 {2}valid {2}waiting {2}0 attempts\n$/,
  );
});

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  test(`${signal} ends it: no error, and status ${status}`, async (context) => {
    for (const [flags, last] of [
      ['', 'Ended.\n'],
      ['--json', 'Ended.\n'],
      ['--quiet', ''],
    ] as const) {
      const { appended, shown, start, end } = await following(context, flags);
      await start();
      await appended('CommentAdded', 'A4');
      const before = shown.errors();
      assert.equal(await end(signal), status);
      assert.equal(textsOf(shown.errors().slice(before.length)), last);
    }
  });

test('changes known when a delivery was listed are counted once', async (context) => {
  const { journal, append, appended, shown, start, end } = await following(context);
  journal.record({ kind: 'duplicate', sequence: 2, time: noon });
  journal.record(attempt(2, failed));
  await append('TaskCreated', 'A4');
  await start('A4');
  journal.record({ kind: 'duplicate', sequence: 2, time: noon });
  journal.record(attempt(2, { attempt: 2 }));
  await appended('TaskCreated', 'A5');
  await end();
  assert.deepEqual(
    stateLines(shown.text()).filter((line) => line.startsWith('2 ')),
    [
      '2 TaskCreated A2 1 retrying 500 1',
      '2 TaskCreated A2 2 retrying 500 1',
      '2 TaskCreated A2 2 forwarded 200 2',
    ],
  );
});
