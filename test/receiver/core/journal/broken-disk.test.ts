// What the journal does where the disk gives up: a folder that nobody may write to, a full disk, a read that fails, a delivery that
// became unreadable.

import assert from 'node:assert/strict';
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { toFailure } from '#failure.ts';
import type { Attempt } from '#receiver/core/intake/delivery-journal.ts';
import { readEntries } from '#receiver/core/journal/read-entries.ts';
import { createHurriedClock, createTestClock } from '#test/support/clock.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import type { FileSystem } from '#world/file-system.ts';
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

const error = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });

/** The real disk, where writing or reading fails for as long as a test says. */
function failingDisk() {
  const { system } = createFaultySystem();
  const disk = { writes: true, reads: true, syncs: true, cuts: true, beforeSync: () => Promise.resolve() };
  const failing: FileSystem = {
    ...system,
    promises: {
      ...system.promises,
      async open(path, flags, mode) {
        const file = await system.promises.open(path, flags, mode);
        return {
          ...file,
          read: (...parameters) =>
            disk.reads ? file.read(...parameters) : Promise.reject(error('EIO', 'read')),
          async datasync() {
            await disk.beforeSync();
            if (!disk.syncs) throw error('EIO', 'fdatasync');
            await file.datasync();
          },
        };
      },
    },
    ftruncateSync(descriptor, length) {
      if (!disk.cuts) throw error('EIO', 'ftruncate');
      system.ftruncateSync(descriptor, length);
    },
    writeSync(descriptor, bytes, offset, length, position) {
      if (!disk.writes) throw error('ENOSPC', 'write');
      return system.writeSync(descriptor, bytes, offset, length, position);
    },
  };
  return { disk, system: failing };
}

test('a full disk: rejects deliveries, says why, loses no notes, and continues when there is room', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const { disk, system } = failingDisk();
  const { journal } = await open(folder, {}, worldWith(system, clock));
  await appendAll(journal, [1, 2, 3]);
  disk.writes = false;
  await assert.rejects(journal.append(delivery(4)), { code: 'ENOSPC' });
  assert.match(journal.state().fault ?? '', /^Cannot write .*: no space is left on the disk \(ENOSPC\)$/);
  journal.record(attempt(1));
  assert.deepEqual(await journal.append(delivery(2)), { sequence: 2, isDuplicate: true });
  await assert.rejects(journal.append(delivery(4)), { code: 'ENOSPC' });
  disk.writes = true;
  // The number is used for what is really stored.
  assert.deepEqual(await journal.append(delivery(4)), { sequence: 4, isDuplicate: false });
  assert.equal(journal.state().fault, undefined);
  await journal.close();
  const next = await open(folder);
  assert.deepEqual(await unfinishedNumbers(next.journal), [2, 3, 4]);
  const notes: Attempt[] = [];
  for await (const entry of readEntries(worldWith(), folder)) if (entry.kind === 'attempt') notes.push(entry);
  assert.deepEqual(notes, [attempt(1)]);
  await next.journal.close();
});

test('while the disk stays full, drops notes, but not what they finish', async (context) => {
  const folder = await journalFolder(context);
  const clock = createTestClock();
  const { disk, system } = failingDisk();
  const options = { segmentBytes: 50_000 };
  const { journal } = await open(folder, options, worldWith(system, clock));
  await appendAll(journal, range(1, 100));
  disk.writes = false;
  const outcome = 'x'.repeat(50_000);
  for (const sequence of range(1, 99)) journal.record(attempt(sequence, { outcome }));
  await assert.rejects(journal.append(delivery(101)), { code: 'ENOSPC' });
  disk.writes = true;
  await journal.append(delivery(101));
  await journal.close();
  const next = await open(folder);
  assert.deepEqual(await unfinishedNumbers(next.journal), [100, 101]);
  await next.journal.close();
});

test('after a failed sync, the file gets no further writes', async (context) => {
  const folder = await journalFolder(context);
  const { disk, system } = failingDisk();
  const { journal } = await open(folder, {}, worldWith(system));
  await appendAll(journal, [1]);
  const first = join(folder, '0000000001.journal');
  const before = await readFile(first);
  disk.syncs = false;
  const [appended, duplicate] = await Promise.allSettled([
    journal.append(delivery(2)),
    journal.append(delivery(2)),
  ]);
  assert.deepEqual([appended.status, duplicate.status], ['rejected', 'rejected']);
  assert.match(journal.state().fault ?? '', /EIO/);
  disk.syncs = true;
  assert.deepEqual(await journal.append(delivery(2)), { sequence: 2, isDuplicate: false });
  assert.deepEqual(await readFile(first), before);
  await journal.close();
  const next = await open(folder);
  assert.deepEqual(next.report.findings, []);
  assert.deepEqual(await unfinishedNumbers(next.journal), [1, 2]);
  await next.journal.close();
});

/** A journal with one delivery; of a second one the sync has failed, and so has the cut. */
async function withFailedSyncAndCut(context: TestContext) {
  const folder = await journalFolder(context);
  const { disk, system } = failingDisk();
  const { journal } = await open(folder, {}, worldWith(system));
  await appendAll(journal, [1]);
  disk.syncs = false;
  disk.cuts = false;
  await assert.rejects(journal.append(delivery(2)), { code: 'EIO' });
  return { folder, disk, journal };
}

test('bytes that a failed sync left in the file are not read as stored, and their keys are unknown', async (context) => {
  const { folder, disk, journal } = await withFailedSyncAndCut(context);
  disk.syncs = true;
  assert.deepEqual(await appendAll(journal, [3]), [3], 'another number');
  await journal.close();
  await rm(join(folder, '0000000001.keys'));
  const next = await open(folder);
  assert.deepEqual(await unfinishedNumbers(next.journal), [1, 3]);
  const entries: string[] = [];
  for await (const entry of readEntries(worldWith(), folder))
    entries.push(entry.kind === 'delivery' ? `#${entry.delivery.sequence}` : entry.kind);
  assert.deepEqual(entries, ['#1', '#3']);
  assert.deepEqual(await next.journal.append(delivery(2)), { sequence: 4, isDuplicate: false });
  await next.journal.close();
});

test('an entry whose sync failed, and that could not be cut off, is written anew before its repetition is accepted', async (context) => {
  const { folder, journal } = await withFailedSyncAndCut(context);
  await journal.close();
  const path = join(folder, '0000000001.journal');
  const before = await readFile(path);
  const { calls, system: next } = createFaultySystem();
  const { journal: second } = await open(folder, {}, worldWith(next));
  const changes = calls.filter((call) => call.endsWith(path)).map((call) => call.split(' ')[0]);
  assert.match(changes.join(' '), /write truncate sync close/);
  assert.deepEqual(await readFile(path), before);
  assert.deepEqual(await second.append(delivery(2)), { sequence: 2, isDuplicate: true });
  await second.close();
});

test('a failed read is retried and reported; the delivery does not count as damaged', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder);
  await appendAll(first.journal, [1]);
  await first.journal.close();
  const { disk, system } = failingDisk();
  const clock = createTestClock(() => {
    assert.match(second.journal.state().fault ?? '', /EIO/);
    disk.reads = true;
    clock.advance(1000);
  });
  const second = await open(folder, {}, worldWith(system, clock));
  disk.reads = false;
  assert.deepEqual(await unfinishedNumbers(second.journal), [1]);
  assert.equal(second.journal.state().fault, undefined);
  await second.journal.close();
});

test('skips an unfinished delivery that became unreadable, and makes it a dead letter', async (context) => {
  const folder = await journalFolder(context);
  const first = await open(folder, { segmentBytes: 500 });
  for (const number of range(1, 4)) await appendAll(first.journal, [number]);
  await first.journal.close();
  const path = join(folder, '0000000001.journal');
  const content = await readFile(path);
  content[content.indexOf('key-1')] = 0;
  await writeFile(path, content);
  const second = await open(folder);
  const stop = new AbortController();
  const numbers: number[] = [];
  for await (const { sequence } of second.journal.unfinished(stop.signal)) {
    numbers.push(sequence);
    if (sequence === 4) stop.abort();
  }
  assert.deepEqual(numbers, [2, 3, 4]);
  assert.equal(second.journal.state().unfinished, 3);
  await second.journal.close();
  const entries: string[] = [];
  for await (const entry of readEntries({ ...worldWith(), clock: createHurriedClock() }, folder))
    entries.push(
      entry.kind === 'attempt' ? `${entry.sequence} ${entry.outcome} ${entry.verdict}` : entry.kind,
    );
  assert.deepEqual(entries, ['damage', 'delivery', 'delivery', 'delivery', '1 damaged dead']);
});

const isRoot = process.getuid?.() === 0 || process.platform === 'win32';

test('a read-only folder is an error that says so', {
  skip: isRoot && 'root may write everywhere',
}, async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o500);
  const thrown = await open(folder).catch((reason: unknown) => toFailure(reason));
  assert.match(String(thrown), /permission denied|Cannot open/);
  await chmod(folder, 0o700);
  const { journal } = await open(folder);
  await appendAll(journal, [1]);
  // What is open stays open, so this is noticed only where a new segment is due.
  await chmod(folder, 0o500);
  await assert.rejects(journal.append(delivery(2, { body: Buffer.alloc(17 * 1024 * 1024) })), {
    code: 'EACCES',
  });
  assert.match(journal.state().fault ?? '', /permission denied/);
  await chmod(folder, 0o700);
  await appendAll(journal, [2]);
  await journal.close();
});

test('a folder that is removed or replaced while open: acknowledges nothing more, and says so', async (context) => {
  for (const [about, lose] of [
    ['removed', (folder: string) => rm(folder, { recursive: true })],
    ['moved', (folder: string) => rename(folder, `${folder}.old`)],
    ['its lock removed', (folder: string) => rm(join(folder, 'lock'))],
  ] as const) {
    const folder = await journalFolder(context);
    const { journal } = await open(folder);
    await appendAll(journal, [1]);
    await lose(folder);
    for (const number of [2, 3])
      await assert.rejects(journal.append(delivery(number)), /was removed or replaced/, about);
    assert.match(journal.state().fault ?? '', /start wm webhook listen again/);
    await journal.close().catch(() => {});
  }
});

test('a segment moved, removed or cut while open: its delivery is rejected, and the next one gets a new segment', async (context) => {
  for (const [about, change, why] of [
    ['removed', (path: string) => rm(path), 'was moved or removed'],
    ['moved', (path: string) => rename(path, `${path}.old`), 'was moved or removed'],
    [
      'removed, and linked elsewhere',
      (path: string) => link(path, `${path}.backup`).then(() => rm(path)),
      'was moved or removed',
    ],
    [
      'replaced by a copy',
      (path: string) => copyFile(path, `${path}.copy`).then(() => rename(`${path}.copy`, path)),
      'was moved or removed',
    ],
    ['emptied', (path: string) => truncate(path, 0), 'was cut'],
    ['cut', (path: string) => truncate(path, 700), 'was cut'],
  ] as const) {
    const folder = await journalFolder(context);
    const { journal } = await open(folder);
    await appendAll(journal, [1, 2, 3]);
    await change(join(folder, '0000000001.journal'));
    await assert.rejects(journal.append(delivery(4)), new RegExp(`0000000001\\.journal ${why}`), about);
    assert.match(journal.state().fault ?? '', new RegExp(why), about);
    const { sequence, isDuplicate } = await journal.append(delivery(4));
    assert.equal(isDuplicate, false, about);
    assert.equal(journal.state().fault, undefined);
    await journal.close();
    const next = await open(folder);
    assert.equal(next.journal.hasUnfinished(sequence), true, about);
    assert.equal(next.journal.hasUnfinished(sequence + 1), false, about);
    const stored = await next.journal.read(sequence);
    assert.deepEqual(Buffer.from(stored?.body ?? []), delivery(4).body, about);
    assert.equal((await next.journal.append(delivery(4))).isDuplicate, true, about);
    await next.journal.close();
  }
});

test('a segment cut during its sync: deliveries before the cut stay, and nothing replaces the others', async (context) => {
  for (const [about, cut, syncs, remaining] of [
    ['the new one is cut off', 3, true, [1, 2, 3]],
    ['and the sync fails', 3, false, [1, 2, 3]],
    ['older ones are cut off too', 2, true, [1, 2]],
  ] as const) {
    const folder = await journalFolder(context);
    const path = join(folder, '0000000001.journal');
    const { disk, system } = failingDisk();
    const { journal } = await open(folder, {}, worldWith(system));
    const sizes = [0];
    for (const number of range(1, 3)) {
      await appendAll(journal, [number]);
      sizes.push((await stat(path)).size);
    }
    disk.beforeSync = () => truncate(path, sizes[cut]);
    disk.syncs = syncs;
    await assert.rejects(journal.append(delivery(4)), syncs ? /was cut/ : { code: 'EIO' }, about);
    disk.beforeSync = () => Promise.resolve();
    disk.syncs = true;
    assert.equal((await stat(path)).size, sizes[cut], about);
    const { sequence } = await journal.append(delivery(4));
    await journal.close();
    const entries: number[] = [];
    for await (const entry of readEntries(worldWith(), folder))
      if (entry.kind === 'delivery') entries.push(entry.delivery.sequence);
    assert.deepEqual(entries, [...remaining, sequence], about);
  }
});

test('writes nothing to a segment that was cut earlier', async (context) => {
  const folder = await journalFolder(context);
  const path = join(folder, '0000000001.journal');
  const { journal } = await open(folder);
  await appendAll(journal, [1, 2]);
  await truncate(path, 100);
  journal.record(attempt(1));
  await assert.rejects(journal.append(delivery(3)), /was cut/);
  assert.equal((await stat(path)).size, 100);
  assert.deepEqual(await journal.append(delivery(3)), { sequence: 3, isDuplicate: false });
  await journal.close();
  const notes: Attempt[] = [];
  for await (const entry of readEntries(worldWith(), folder)) if (entry.kind === 'attempt') notes.push(entry);
  assert.deepEqual(notes, [attempt(1)]);
});

test('a segment that lost its beginning: says which deliveries are lost', async (context) => {
  const folder = await journalFolder(context);
  const { journal } = await open(folder);
  await appendAll(journal, range(1, 4));
  await journal.close();
  const path = join(folder, '0000000001.journal');
  const content = await readFile(path);
  await writeFile(path, content.subarray(content.lastIndexOf('wmj1')));
  const next = await open(folder);
  assert.deepEqual(next.report.findings, [
    { kind: 'cut', file: '0000000001.journal', offset: 0, bytes: 0, lost: { from: 1, to: 3 } },
  ]);
  assert.deepEqual(await unfinishedNumbers(next.journal), [4]);
  await next.journal.close();
});
