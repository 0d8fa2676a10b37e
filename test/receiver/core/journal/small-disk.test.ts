// A disk that is smaller than the limit of the journal: what is finished makes room, and what is not stays.

import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { delivery, journalFolder, open, range, unfinishedNumbers, worldWith } from './journal-tools.ts';
import { createSmallDisk } from './small-disk.ts';

const body = Buffer.alloc(3_000, 'x');
const options = { segmentBytes: 16_000 };

test('finished segments make room, down to the current one; their keys stay known', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  const system = createSmallDisk(folder, 100_000);
  const { journal } = await open(folder, options, worldWith(system));
  for (const number of range(1, 50)) {
    const { sequence } = await journal.append(delivery(number, { body }));
    assert.equal(sequence, number);
    journal.record(attempt(sequence));
  }
  assert.equal(journal.state().fault, undefined);
  await journal.close();
  const next = await open(folder, options, worldWith(system));
  assert.deepEqual(next.report.findings, []);
  assert.deepEqual(await unfinishedNumbers(next.journal), []);
  assert.deepEqual(await next.journal.append(delivery(1, { body })), { sequence: 1, isDuplicate: true });
  // Of a delivery as large as the disk, nothing is left but the segment that is written.
  await assert.rejects(next.journal.append(delivery(51, { body: Buffer.alloc(100_000) })), {
    code: 'ENOSPC',
  });
  assert.equal((await readdir(folder)).filter((name) => name.endsWith('.journal')).length, 1);
  await next.journal.append(delivery(51, { body }));
  await next.journal.close();
});

test('unfinished deliveries stay: 503 until some are finished', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  const system = createSmallDisk(folder, 100_000);
  const { journal } = await open(folder, options, worldWith(system));
  let stored = 0;
  const store = () => journal.append(delivery(stored + 1, { body }));
  for (; ; stored += 1) {
    const error = await store().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) continue;
    assert.match(String(error), /ENOSPC/);
    break;
  }
  assert.ok(stored > 20);
  await assert.rejects(store(), { code: 'ENOSPC' });
  assert.match(journal.state().fault ?? '', /no space is left on the disk/);
  for (const sequence of range(1, 6)) journal.record(attempt(sequence));
  assert.deepEqual(await store(), { sequence: stored + 1, isDuplicate: false });
  assert.equal(journal.state().fault, undefined);
  await journal.close();
  const next = await open(folder, options, worldWith(system));
  assert.deepEqual(await unfinishedNumbers(next.journal), range(7, stored + 1));
  await next.journal.close();
});

test('a finished segment that is already gone counts as dropped; one that cannot be removed is skipped', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  const system = createSmallDisk(folder, 100_000);
  const held = join(folder, '0000000002.journal');
  const promises: typeof system.promises = {
    ...system.promises,
    async unlink(path) {
      if (path === held)
        throw Object.assign(new Error('EPERM: unlink'), { code: 'EPERM', syscall: 'unlink' });
      await system.promises.unlink(path);
    },
  };
  const { journal } = await open(folder, options, worldWith({ ...system, promises }));
  for (const number of range(1, 50)) {
    const { sequence } = await journal.append(delivery(number, { body }));
    journal.record(attempt(sequence));
    if (number === 20) await rm(join(folder, '0000000001.journal'));
  }
  assert.equal(journal.state().fault, undefined);
  await journal.close();
  assert.ok((await readdir(folder)).includes('0000000002.journal'));
});

test('on a disk smaller than a segment, seals segments in time to make room', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  const system = createSmallDisk(folder, 1_000_000);
  const large = Buffer.alloc(50_000, 'x');
  const store = async (numbers: readonly number[]) => {
    const { journal } = await open(folder, {}, worldWith(system));
    for (const number of numbers) {
      const { sequence } = await journal.append(delivery(number, { body: large }));
      journal.record(attempt(sequence));
    }
    assert.equal(journal.state().fault, undefined);
    await journal.close();
  };
  await store(range(1, 40));
  // What the journal has itself is no lack of room.
  await store(range(41, 80));
});
