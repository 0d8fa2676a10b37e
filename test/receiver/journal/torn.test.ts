// A journal that ends in the middle of what was written last, or is damaged before its end: what was whole stays, and the rest is
// reported and left as it is.

import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMemoryDisk } from '../../memory-disk.ts';
import { sampleAttempt as attempt } from '../samples.ts';
import { appendAll, delivery, journalFolder, open, range, unfinishedNumbers } from './journal-tools.ts';
import { folder as memoryFolder, startRun } from './power.ts';

const first = '0000000001.journal';

/** A journal of five deliveries, of which the last three were one batch; and where each of its frames begins. */
async function writeJournal() {
  const disk = createMemoryDisk();
  const { journal } = await startRun(disk).open({});
  const path = `${memoryFolder}/${first}`;
  const sizes: number[] = [];
  for (const numbers of [[1], [2], [3, 4, 5]]) {
    await appendAll(journal, numbers);
    sizes.push(journal.state().bytes);
  }
  const content = disk.content(path);
  return { content, path, sizes };
}

test('torn at every byte of its last batch, and so of its last frame', async (context) => {
  const { content, path, sizes } = await writeJournal();
  const batch = sizes[1] ?? 0;
  let cuts = 0;
  for (const fill of ['nothing', 'zeros'] as const)
    for (let length = batch; length < content.length; length += 1) {
      const disk = createMemoryDisk();
      const torn = content.subarray(0, length);
      const left = fill === 'zeros' ? Buffer.concat([torn, Buffer.alloc(content.length - length)]) : torn;
      disk.put(path, left);
      const { journal, report } = await startRun(disk).open({});
      const found = await unfinishedNumbers(journal);
      // Those of the batch that are whole may be there: nobody was told that they are not.
      assert.deepEqual(found, range(1, found.length), `${fill} after ${length} bytes`);
      assert.ok(found.length >= 2);
      const size = disk.content(path).length;
      const findings =
        size === left.length ? [] : [{ kind: 'torn', file: first, offset: size, bytes: left.length - size }];
      assert.deepEqual(report.findings, findings, `${fill} after ${length} bytes`);
      // What is sent again is stored after it, in the same file.
      const again = await Promise.all(range(1, 6).map((number) => journal.append(delivery(number))));
      assert.deepEqual(
        again.map(({ sequence }) => sequence),
        range(1, 6),
      );
      assert.deepEqual(
        again.map(({ isDuplicate }) => isDuplicate),
        range(1, 6).map((number) => number <= found.length),
      );
      await journal.close();
      assert.deepEqual([...disk.files().keys()], [path]);
      const next = await startRun(disk).open({});
      assert.deepEqual(next.report.findings, []);
      assert.deepEqual(await unfinishedNumbers(next.journal), range(1, 6));
      cuts += 1;
    }
  context.diagnostic(`torn in ${cuts} ways`);
});

test('damaged at every byte: only what is damaged is lost, and the file stays as it is', async (context) => {
  const { content, path } = await writeJournal();
  let damaged = 0;
  for (let at = 0; at < content.length; at += 1) {
    const disk = createMemoryDisk();
    const changed = Buffer.from(content);
    changed[at] = (changed[at] ?? 0) ^ 0x55;
    disk.put(path, changed);
    const { journal, report } = await startRun(disk).open({});
    const found = await unfinishedNumbers(journal);
    assert.ok(found.length >= 4, `byte ${at}: ${found}`);
    assert.equal(report.findings.length, 1, `byte ${at}`);
    const { kind, offset, bytes } = report.findings[0] ?? { kind: '', offset: 0, bytes: 0 };
    assert.ok(offset <= at && at < offset + bytes, `byte ${at}`);
    const isLastFrame = offset + bytes === content.length;
    // Only a length that leads beyond the end looks as if the frame had not been written whole.
    const isInLength = offset + 12 <= at && at < offset + 16;
    const kinds = isLastFrame ? ['damaged-end', ...(isInLength ? ['torn'] : [])] : ['damaged'];
    assert.ok(kinds.includes(kind), `byte ${at}: ${kind}`);
    assert.deepEqual(await appendAll(journal, [7]), [isLastFrame ? 5 : 6]);
    await journal.close();
    if (kind !== 'torn') assert.deepEqual(disk.content(path), changed, 'left as it is');
    const next = await startRun(disk).open({});
    assert.deepEqual(await unfinishedNumbers(next.journal), [...found, isLastFrame ? 5 : 6]);
    damaged += 1;
  }
  context.diagnostic(`damaged in ${damaged} ways`);
});

test('a body that looks like a frame is not taken for one, not even after damage', async (context) => {
  const folder = await journalFolder(context);
  const one = await open(folder);
  await appendAll(one.journal, [1, 2]);
  await one.journal.close();
  // The very bytes of another journal, in a body.
  const forged = await readFile(join(folder, first));
  await rm(join(folder, first));
  const two = await open(folder);
  await two.journal.append(delivery(1));
  await two.journal.append(delivery(2, { body: forged }));
  await two.journal.append(delivery(3));
  await two.journal.close();
  const content = await readFile(join(folder, first));
  content[content.indexOf('key-2')] = 0;
  await writeFile(join(folder, first), content);
  const three = await open(folder);
  assert.deepEqual(
    three.report.findings.map(({ kind }) => kind),
    ['damaged'],
  );
  assert.deepEqual(await unfinishedNumbers(three.journal), [1, 3]);
  await three.journal.close();
});

/** Three segments; the last one is being begun. */
async function threeSegments(context: TestContext) {
  const folder = await journalFolder(context);
  const { journal } = await open(folder, { segmentBytes: 1000 });
  let number = 0;
  while (!(await readdir(folder)).includes('0000000003.journal')) await appendAll(journal, [++number]);
  journal.mark(attempt(2));
  await journal.close();
  return { folder, last: join(folder, '0000000003.journal'), count: number };
}

for (const [what, left] of [
  ['empty', () => Buffer.alloc(0)],
  ['zeros', (content: Buffer) => Buffer.alloc(content.length)],
  ['torn in its first frame', (content: Buffer) => content.subarray(0, 60)],
] as const)
  test(`a fresh segment that is ${what}: the one before it is where start-up begins`, async (context) => {
    const { folder, last, count } = await threeSegments(context);
    const content = left(await readFile(last));
    await writeFile(last, content);
    const { journal, report } = await open(folder, { segmentBytes: 1000 });
    const file = '0000000003.journal';
    assert.deepEqual(report.findings, [{ kind: 'unreadable', file, offset: 0, bytes: content.length }]);
    assert.deepEqual(await readFile(last), content, 'it is left as it is');
    const expected = range(1, count - 1);
    assert.deepEqual(await unfinishedNumbers(journal), expected, 'the mark was in the last segment');
    assert.deepEqual(await appendAll(journal, [count]), [count]);
    await journal.close();
    const next = await open(folder);
    assert.deepEqual(await unfinishedNumbers(next.journal), range(1, count));
    await next.journal.close();
  });

test('a segment whose first frame is damaged: what follows in it is read', async (context) => {
  const { folder, last, count } = await threeSegments(context);
  const content = await readFile(last);
  content[30] = 255;
  await writeFile(last, content);
  const { journal, report } = await open(folder, { segmentBytes: 1000 });
  assert.deepEqual(
    report.findings.map(({ kind, offset }) => [kind, offset]),
    [['damaged', 0]],
  );
  const expected = range(1, count).filter((number) => number !== 2);
  assert.deepEqual(await unfinishedNumbers(journal), expected);
  assert.equal((await journal.append(delivery(count))).isDuplicate, true);
  await journal.close();
});

test('a segment with unfinished deliveries that is gone is reported; one without is not missed', async (context) => {
  const { folder } = await threeSegments(context);
  await rm(join(folder, first));
  const { journal, report } = await open(folder);
  assert.deepEqual(
    report.findings.map(({ kind, file }) => [kind, file]),
    [['missing', first]],
  );
  // Its keys are still known.
  assert.deepEqual(await journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
  assert.equal(await journal.read(1), undefined);
  await journal.close();
});

test('a table of keys that is missing or damaged is made again from its segment', async (context) => {
  const { folder } = await threeSegments(context);
  const keys = join(folder, '0000000001.keys');
  const whole = await readFile(keys);
  for (const damage of [
    undefined,
    whole.subarray(0, 20),
    whole.subarray(0, -1),
    whole.fill(9, 100, 101),
    Buffer.alloc(whole.length),
  ]) {
    await (damage ? writeFile(keys, damage) : rm(keys));
    const { journal } = await open(folder);
    assert.deepEqual(await journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
    await journal.close();
    assert.ok((await stat(keys)).size > 100);
  }
});
