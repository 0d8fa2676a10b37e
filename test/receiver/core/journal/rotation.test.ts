// What passes from one segment to the next, and what happens where the next one cannot be begun.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { JournalFull } from '#receiver/core/intake/delivery-journal.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import {
  appendAll,
  delivery,
  journalFolder,
  open,
  range,
  unfinished,
  unfinishedNumbers,
  worldWith,
} from './journal-tools.ts';

test('remembers attempts at unfinished deliveries across later segments, and not those at finished ones', async (context) => {
  const folder = await journalFolder(context);
  const options = { segmentBytes: 1200 };
  const first = await open(folder, options);
  await appendAll(first.journal, [1, 2]);
  for (const sequence of [1, 2])
    first.journal.record(
      attempt(sequence, { target: 'exec', attempt: 3, verdict: 'retry', finishes: false }),
    );
  for (const number of range(3, 12)) await appendAll(first.journal, [number]);
  first.journal.record(attempt(2));
  // Too late: it changes nothing.
  first.journal.record(attempt(2, { target: 'print', finishes: false }));
  await first.journal.close();
  const second = await open(folder, options);
  const [remaining, next] = await unfinished(second.journal);
  assert.deepEqual(second.journal.lastAttempts(remaining?.sequence ?? 0), [
    { target: 'exec', attempt: 3, verdict: 'retry' },
  ]);
  assert.equal(next?.sequence, 3);
  await second.journal.close();
});

test('a large unread backlog comes from disk, in order', async (context) => {
  const { journal } = await open(await journalFolder(context));
  const stop = new AbortController();
  const reading = journal.unfinished(stop.signal)[Symbol.asyncIterator]();
  await appendAll(journal, [1]);
  assert.equal((await reading.next()).value?.sequence, 1);
  const body = Buffer.alloc(300_000, 'x');
  for (const number of range(2, 40)) await journal.append(delivery(number, { body }));
  for (const number of range(2, 40)) assert.equal((await reading.next()).value?.sequence, number);
  stop.abort();
  assert.equal((await reading.next()).done, true);
  await journal.close();
  await assert.rejects(journal.append(delivery(41)));
});

test('rejects a delivery larger than the maximum frame, and nothing else', async (context) => {
  const { journal } = await open(await journalFolder(context));
  const huge = delivery(1, { body: Buffer.alloc(64 * 1024 * 1024) });
  const [rejected, stored] = await Promise.allSettled([journal.append(huge), journal.append(delivery(2))]);
  assert.match(String(rejected.status === 'rejected' && rejected.reason), /too large/);
  assert.equal(stored.status, 'fulfilled');
  await journal.close();
});

test('at the limit still writes notes, and drops the current segment too if it is finished', async (context) => {
  const folder = await journalFolder(context);
  const options = { segmentBytes: 1500, maxBytes: 6000 };
  const { journal } = await open(folder, options);
  let stored = 0;
  for (;;) {
    const appended = await journal.append(delivery(stored + 1)).catch((error: unknown) => error);
    if (appended instanceof JournalFull) break;
    stored += 1;
  }
  // Only those of the segment that is being written: the others keep one each.
  const all = await unfinishedNumbers(journal);
  for (const sequence of all.slice(3)) if (sequence > stored - 5) journal.record(attempt(sequence));
  await journal.close();
  const again = await open(folder, options);
  assert.deepEqual(
    await unfinishedNumbers(again.journal),
    all.filter((sequence) => sequence <= stored - 5),
  );
  const { sequence } = await again.journal.append(delivery(stored + 1));
  assert.equal(sequence, stored + 1);
  assert.deepEqual(await again.journal.append(delivery(stored)), { sequence: stored, isDuplicate: true });
  await again.journal.close();
});

test('if a segment due only by age cannot be created, continues with the old one', async (context) => {
  const folder = await journalFolder(context);
  const { system } = createFaultySystem();
  let isFailing = false;
  const failing = {
    ...system,
    promises: {
      ...system.promises,
      async open(path: string, flags: string, mode?: number) {
        if (isFailing && path.endsWith('.journal'))
          throw Object.assign(new Error('EMFILE'), { code: 'EMFILE', syscall: 'open' });
        return system.promises.open(path, flags, mode);
      },
    },
  };
  const clock = createTestClock();
  const { journal } = await open(folder, {}, worldWith(failing, clock));
  await appendAll(journal, [1]);
  clock.advance(25 * 60 * 60 * 1000);
  isFailing = true;
  await appendAll(journal, [2]);
  assert.equal(journal.state().fault, undefined);
  isFailing = false;
  await appendAll(journal, [3]);
  await journal.close();
  const names = (await readdir(folder)).filter((name) => name.endsWith('.journal'));
  assert.equal(names.length, 2);
  assert.equal(journal.state().oldestUnfinished, delivery(1).receivedAt);
});

test('a journal of a newer version is not touched', async (context) => {
  const folder = await journalFolder(context);
  const { journal } = await open(folder);
  await appendAll(journal, [1]);
  await journal.close();
  const path = join(folder, '0000000001.journal');
  const content = await readFile(path);
  // The version is the first number of the checkpoint; its checksum is made right again.
  content.writeDoubleLE(2, 20);
  const end = 20 + content.readUInt32LE(12);
  content.writeUInt32LE(crc32(content.subarray(12, end), content.readUInt32LE(4)), 8);
  await writeFile(path, content);
  await assert.rejects(open(folder), { why: 'it was written by a newer version of wm' });
  assert.deepEqual(await readFile(path), content);
});
