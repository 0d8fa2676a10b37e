// Which segments are dropped, and what stays known of them.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { type Journal, JournalFull } from '#receiver/core/intake/delivery-journal.ts';
import { type JournalEntry, readEntries } from '#receiver/core/journal/read-entries.ts';
import { chooseDropped, trustedTime } from '#receiver/core/journal/retention.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import {
  appendAll,
  delivery,
  journalFolder,
  open,
  range,
  unfinishedNumbers,
  worldWith,
} from './journal-tools.ts';

const dayMs = 24 * 60 * 60 * 1000;

const segmentsIn = async (folder: string) =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.journal'))
    .map((name) => Number.parseInt(name, 10));
const keysIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.keys')).map((name) => Number.parseInt(name, 10));

async function store(journal: Journal, clock: TestClock, number: number, isFinished = true) {
  const appended = await journal.append(delivery(number, { receivedAt: clock.now() }));
  if (isFinished && !appended.isDuplicate) journal.record(attempt(appended.sequence));
  return appended;
}

test('at the size limit drops the oldest finished segments, never one with an unfinished delivery', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const world = worldWith(undefined, clock);
  const options = { segmentBytes: 1500, maxBytes: 8000 };
  const first = await open(folder, options, world);
  for (const number of range(1, 60)) await store(first.journal, clock, number, number !== 7);
  await first.journal.close();
  const remaining = await segmentsIn(folder);
  assert.ok(remaining.length <= 6, String(remaining));
  const second = await open(folder, options, world);
  assert.deepEqual(await unfinishedNumbers(second.journal), [7]);
  assert.equal((await second.journal.read(7))?.path, '/hook?n=7');
  assert.equal(await second.journal.read(1), undefined);
  // Duplicates are recognised for seven days, whatever was dropped.
  for (const number of range(1, 60))
    assert.deepEqual(await store(second.journal, clock, number), { sequence: number, isDuplicate: true });
  const entries: JournalEntry[] = [];
  for await (const entry of readEntries(world, folder)) entries.push(entry);
  const [dropped] = entries;
  assert.ok(dropped?.kind === 'dropped');
  const deliveries = entries.filter(({ kind }) => kind === 'delivery').length;
  assert.equal(dropped.deliveries + deliveries, 60);
  assert.equal(dropped.segments, Math.max(...remaining) - remaining.length);
  await second.journal.close();
});

test('stores nothing more when full of unfinished deliveries, and continues when one segment is finished', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const { journal } = await open(folder, { segmentBytes: 1500, maxBytes: 6000 }, worldWith(undefined, clock));
  let count = 0;
  const fill = async () => {
    for (;;) {
      try {
        await journal.append(delivery(count + 1));
        count += 1;
      } catch (error) {
        return error;
      }
    }
  };
  assert.ok((await fill()) instanceof JournalFull);
  assert.match(journal.state().fault ?? '', /limit of 6000 bytes/);
  assert.equal(journal.state().unfinished, count);
  assert.deepEqual(await unfinishedNumbers(journal), range(1, count));
  // Duplicates of what is stored are still acknowledged.
  assert.deepEqual(await journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
  const before = count;
  for (const sequence of range(1, before)) journal.record(attempt(sequence));
  assert.ok((await journal.append(delivery(before + 1))).sequence > before);
  count += 1;
  assert.equal(journal.state().fault, undefined);
  assert.ok((await fill()) instanceof JournalFull);
  assert.ok(count > before + 5);
  await journal.close();
  const next = await open(folder);
  assert.deepEqual(await unfinishedNumbers(next.journal), range(before + 1, count));
  await next.journal.close();
});

test('drops segments by age, and keys after seven days, across restarts', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const world = worldWith(undefined, clock);
  const options = { keepDays: 2 };
  // A segment is sealed after a day, however small it is.
  for (const day of range(1, 12)) {
    const { journal } = await open(folder, options, world);
    await store(journal, clock, day, day !== 3);
    for (const number of range(1, day)) {
      const { sequence, isDuplicate } = await journal.append(delivery(number));
      assert.ok(isDuplicate || day - number > 7, `day ${day}: ${number}`);
      if (!isDuplicate) journal.record(attempt(sequence));
    }
    await journal.close();
    clock.advance(dayMs + 1);
    if (day !== 8) continue;
    // Some were dropped; that of the third day holds an unfinished delivery.
    const remaining = await segmentsIn(folder);
    assert.ok(remaining.includes(3) && !remaining.includes(1) && !remaining.includes(2), String(remaining));
    assert.deepEqual(await keysIn(folder), range(1, 7));
  }
  const { journal } = await open(folder, options, world);
  assert.ok((await unfinishedNumbers(journal)).includes(3));
  await journal.close();
  assert.ok(!(await keysIn(folder)).includes(1));
});

test('a wrong clock drops nothing and keeps the order', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  let wrong = 0;
  const world = { ...worldWith(undefined, clock), clock: { ...clock, now: () => clock.now() + wrong } };
  const { journal } = await open(folder, { keepDays: 30 }, world);
  for (const [index, error] of [0, 3650 * dayMs, 0, -3650 * dayMs, 0].entries()) {
    wrong = error;
    await journal.append(delivery(index + 1, { receivedAt: world.clock.now() }));
    journal.record(attempt(index + 1));
    clock.advance(dayMs + 1);
  }
  await appendAll(journal, [6]);
  await journal.close();
  const next = await open(folder);
  for (const number of range(1, 6)) {
    assert.equal((await next.journal.read(number))?.path, `/hook?n=${number}`);
    assert.deepEqual(await next.journal.append(delivery(number)), { sequence: number, isDuplicate: true });
  }
  await next.journal.close();
});

test('age is judged by the earlier of the current clock and the start of the last segment', () => {
  assert.equal(trustedTime(5, 3), 3);
  assert.equal(trustedTime(3, 5), 3);
  assert.deepEqual(chooseDropped([], { maxBytes: 10, keepDays: 1 }, 0, 11), undefined);
  assert.deepEqual(chooseDropped([], { maxBytes: 10, keepDays: 1 }, 0, 10), []);
});
