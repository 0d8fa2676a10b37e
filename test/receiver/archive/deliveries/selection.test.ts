// What `wm webhook log` selects, whatever the journal: the same as a plain filter on the list of everything. And how little it decodes
// and reads for it.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { open, worldWith } from '#test/receiver/core/journal/journal-tools.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { rowsOf } from '#test/support/program/cells.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';
import { testSelection } from './any-selection.ts';
import { attempt, dead, failed, received, writtenJournal } from './written-journal.ts';

const second = 1000;

const anHourLater = clockAt(noon + 3600 * second);

const secondAt = (at: number) => `${new Date(noon + at * second).toISOString().slice(0, 19)}Z`;

testSelection(1);

/** Deliveries a second apart; those given are dead letters, after an attempt that failed, and all others are forwarded. */
async function finished(context: TestContext, count: number, deadOnes: readonly number[]) {
  const written = await writtenJournal(context);
  const clock = createTestClock();
  const { journal } = await open(written.folder, { segmentBytes: 8 * 1024 }, worldWith(undefined, clock));
  for (let from = 1; from <= count; from += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => from + index);
    await Promise.all(
      numbers.map((number) =>
        journal.append(received('TaskCreated', `A${number}`, { receivedAt: noon + number * second })),
      ),
    );
    for (const number of numbers) {
      if (deadOnes.includes(number)) journal.record(attempt(number, failed));
      journal.record(attempt(number, deadOnes.includes(number) ? { ...dead, attempt: 2 } : {}));
    }
    await journal.flush();
    clock.advance(50 * second);
  }
  await journal.close();
  return written;
}

const self = ['node'] as const;

/** How often a body becomes text, which is the first step to read its events. */
async function countDecoded(read: () => Promise<unknown>): Promise<number> {
  const decode = mock.method(TextDecoder.prototype, 'decode').mock;
  await read().finally(() => decode.restore());
  return decode.callCount();
}

test('decodes only what may be selected: dead letters, waiting deliveries, a time, a range', async (context) => {
  const count = 500;
  const { wm, folder } = await finished(context, count, [40, 400]);
  await writeFile(join(folder, 'replays.ndjson'), '');
  const list = (typed: string) =>
    countDecoded(async () => {
      const { status, errors } = await wm(`webhook ${typed}`, { world: { clock: anHourLater } });
      assert.equal(status, 0, errors);
    });
  assert.ok((await list('log')) >= count, 'decoding is not counted');
  for (const [typed, most] of [
    ['log --dead-letters', 2],
    ['log --state dead,retrying', 2],
    ['log --state waiting', 0],
    ['log --stuck', 2],
    [`log --since ${secondAt(490)}`, 11],
    [`log --until ${secondAt(10)}`, 10],
    [`log --last 3 --until ${secondAt(490)}`, 190],
    ['replay --dead-letters --forward-to http://127.0.0.1:9/ --dry-run', 2],
  ] as const) {
    const decoded = await list(typed);
    // Some for other files.
    assert.ok(decoded <= most + 50, `${typed}: ${decoded} decoded, ${most} expected`);
  }
});

test('attempts and duplicates count, however many deliveries came before them', async (context) => {
  const { wm, open, folder } = await writtenJournal(context);
  const journal = await open();
  const count = 400;
  for (let number = 1; number <= count; number++) void journal.append(received('TaskCreated', `A${number}`));
  await journal.flush();
  await journal.append(received('TaskCreated', 'last'));
  for (const number of [1, 2, 200, 350]) journal.record(attempt(number, { ...failed, detail: 'at first' }));
  journal.record({ kind: 'duplicate', sequence: 2, time: noon });
  for (const number of [1, 350]) journal.record(attempt(number, { ...dead, attempt: 2 }));
  journal.record(attempt(2, { attempt: 2 }));
  journal.record({ kind: 'duplicate', sequence: 2, time: noon });
  await journal.flush();
  await writeFile(join(folder, 'replays.ndjson'), '');
  const list = async (typed = '') => {
    const { output } = await wm(`webhook log ${typed} --json`);
    const parsed: { sequence: number; state: string; duplicates: number; attempts: { attempt: number }[] }[] =
      JSON.parse(output);
    return parsed
      .filter(({ state }) => state !== 'waiting')
      .map(({ sequence, state, duplicates, attempts }) => [sequence, state, duplicates, attempts.length]);
  };
  const deadOnes = [
    [1, 'dead', 0, 2],
    [350, 'dead', 0, 2],
  ];
  assert.deepEqual(await list(), [
    [1, 'dead', 0, 2],
    [2, 'forwarded', 2, 2],
    [200, 'retrying', 0, 1],
    [350, 'dead', 0, 2],
  ]);
  assert.deepEqual(await list('--dead-letters'), deadOnes);
  assert.deepEqual(await list('--state retrying'), [[200, 'retrying', 0, 1]]);
  const { output } = await wm('webhook log --stuck');
  assert.deepEqual(
    rowsOf(output).map((row) => row.slice(1, 5).join(' ')),
    ['0 1 2 200', `${count - 3} 0 0 3`],
  );
});

test('--follow decodes each listed delivery once', async (context) => {
  const count = 250;
  const { wm } = await finished(context, count, [40, 200]);
  for (const [typed, most] of [
    ['', count],
    ['--dead-letters', 2 + 2],
  ] as const) {
    const signals = handSignals();
    // The journal has been read to its end.
    const sleep = async (milliseconds: number) => {
      if (milliseconds === 200) signals.interrupt();
      return new Promise<void>(() => {});
    };
    const decoded = await countDecoded(async () => {
      const world = { clock: { ...anHourLater, sleep }, process: { ...signals.process, self } };
      const { status, errors } = await wm(`webhook log --follow ${typed}`, { world });
      assert.equal(status, 130, errors);
    });
    assert.ok(decoded <= most + 50, `${typed}: ${decoded} decoded, ${most} expected`);
  }
});

test('does not read what comes before the last few, before a date or before a range', async (context) => {
  const count = 700;
  const { wm, home } = await finished(context, count, []);
  const read = async (typed = '') => {
    const files = createFiles({ WM_CONFIG_DIR: home }, process.platform);
    const opened = new Set<string>();
    const openForReading: Files['openForReading'] = (path) => {
      if (path.endsWith('.journal')) opened.add(basename(path));
      return files.openForReading(path);
    };
    const world = { clock: anHourLater, files: { ...files, openForReading } };
    const { status, errors } = await wm(`webhook log ${typed}`, { world });
    assert.equal(status, 0, errors);
    return opened;
  };
  const all = (await read()).size;
  assert.ok(all >= 10, `${all} segments`);
  for (const typed of [
    '--last 3',
    `--since ${secondAt(680)}`,
    `--since ${secondAt(680)} --state forwarded`,
    '680-690',
    '1-640 --last 3 --state forwarded',
  ]) {
    const opened = await read(typed);
    assert.ok(opened.size <= all / 2, `${typed}: ${opened.size} of ${all} segments`);
  }
});
