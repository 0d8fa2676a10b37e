// Reading a journal that another process writes to: from a place on, the last few, and what comes.

import assert from 'node:assert/strict';
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type JournalEntry, type ReadOptions, readEntries } from '#receiver/core/journal/read-entries.ts';
import { createHurriedClock, createTestClock } from '#test/support/clock.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { appendAll, delivery, journalFolder, open, range, worldWith } from './journal-tools.ts';

const name = (entry: JournalEntry) =>
  entry.kind === 'delivery'
    ? `#${entry.delivery.sequence}`
    : entry.kind === 'attempt'
      ? `attempt ${entry.sequence}`
      : entry.kind;

async function read(folder: string, options: ReadOptions = {}): Promise<readonly string[]> {
  const entries: string[] = [];
  for await (const entry of readEntries(worldWith(), folder, options)) entries.push(name(entry));
  return entries;
}

test('all entries, or those starting at a delivery, across segments', async (context) => {
  const folder = await journalFolder(context);
  assert.deepEqual(await read(folder), []);
  const clock = createTestClock();
  const { journal } = await open(folder, { segmentBytes: 1000 }, worldWith(undefined, clock));
  for (const number of range(1, 9)) {
    await journal.append(delivery(number, { receivedAt: clock.now() }));
    journal.record(attempt(number, { time: clock.now() + 1 }));
    clock.advance(1000);
  }
  await journal.close();
  const all = range(1, 9).flatMap((number) => [`#${number}`, `attempt ${number}`]);
  assert.deepEqual(await read(folder), all);
  for (const number of range(1, 9)) {
    const expected = all.slice(2 * number - 2);
    assert.deepEqual(await read(folder, { from: number }), expected);
  }
  assert.deepEqual(await read(folder, { from: 10 }), []);
});

test('an incomplete last frame is not an entry yet; earlier damage is', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder);
  await appendAll(first.journal, [1, 2, 3]);
  const path = join(folder, '0000000001.journal');
  const content = await readFile(path);
  await appendFile(path, content.subarray(content.length - 100, content.length - 10));
  assert.deepEqual(await read(folder), ['#1', '#2', '#3']);
  await truncate(path, content.length - 1);
  assert.deepEqual(await read(folder), ['#1', '#2']);
  const damaged = Buffer.from(content);
  const at = damaged.indexOf('T2');
  damaged[at] = 0;
  await writeFile(path, damaged);
  assert.deepEqual(await read(folder), ['#1', 'damage', '#3']);
  await first.journal.close();
  await rm(path);
  assert.deepEqual(await read(folder), []);
});

test('follow waits for more entries, for new segments, and for a journal that does not exist yet', async (context) => {
  const folder = await journalFolder(context);
  const stop = new AbortController();
  const entries: string[] = [];
  const caughtUpAfter: number[] = [];
  const world = { ...worldWith(), clock: createHurriedClock() };
  let reached = () => {};
  const reading = (async () => {
    for await (const entry of readEntries(world, folder, { follow: stop.signal })) {
      if (entry.kind === 'caught-up') caughtUpAfter.push(entries.length);
      else entries.push(name(entry));
      reached();
    }
  })();
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      reached = () => entries.length >= count && resolve();
      reached();
    });
  const { journal } = await open(folder, { segmentBytes: 1500 });
  for (const number of range(1, 20)) {
    await appendAll(journal, [number]);
    await until(2 * number - 1);
    journal.record(attempt(number));
    await until(2 * number);
  }
  stop.abort();
  await reading;
  await journal.close();
  assert.deepEqual(
    entries,
    range(1, 20).flatMap((number) => [`#${number}`, `attempt ${number}`]),
  );
  assert.deepEqual(caughtUpAfter, [0], 'nothing was there at the start');
});
