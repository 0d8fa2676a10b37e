// Requests that are rejected leave notes, but not so many that a stranger could fill the disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '#receiver/core/intake/delivery-journal.ts';
import { readEntries } from '#receiver/core/journal/read-entries.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { journalFolder, open, worldWith } from './journal-tools.ts';

test('stores 61 notes for 1,000 rejections in a minute; the last counts the rest', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const world = worldWith(undefined, clock);
  const { journal } = await open(folder, {}, world);
  const reject = (time: number) => journal.record({ kind: 'rejected', time, reason: 'method', status: 503 });
  for (let count = 0; count < 1000; count += 1) reject(noon + count);
  clock.advance(60_000);
  reject(noon + 60_000);
  await journal.close();
  const rejections: Rejection[] = [];
  for await (const entry of readEntries(world, folder)) if (entry.kind === 'rejected') rejections.push(entry);
  assert.deepEqual(
    rejections.map(({ time }) => time - noon),
    [...Array(60).keys(), 999, 60_000],
  );
  assert.deepEqual(
    rejections.map(({ leftOut = 0 }) => leftOut).reduce((sum, count) => sum + count),
    1000 - 61,
  );
});
