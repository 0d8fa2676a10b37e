// A journal that ends in the middle of what was written last, or is damaged before its end: what was whole stays, and the rest is
// reported and left as it is.

import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { appendAll, delivery, journalFolder, open, range, unfinishedNumbers } from './journal-tools.ts';
import { damageAt, tearAt } from './torn-journal.ts';

const first = '0000000001.journal';

test('torn at some bytes of its last batch', async () => {
  assert.ok((await tearAt(61)) > 5);
});

test('damaged at some bytes: loses only the damaged part, and leaves the file as it is', async () => {
  assert.ok((await damageAt(97)) > 5);
});

test('a body that looks like a frame is not mistaken for one, even after damage', async (context) => {
  const folder = await journalFolder(context);
  const opened = await open(folder);
  await appendAll(opened.journal, [1, 2]);
  await opened.journal.close();
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
  journal.record(attempt(2));
  await journal.close();
  return { folder, last: join(folder, '0000000003.journal'), count: number };
}

for (const [about, cutOff] of [
  ['empty', () => Buffer.alloc(0)],
  ['zeros', (content: Buffer) => Buffer.alloc(content.length)],
  ['torn in its first frame', (content: Buffer) => content.subarray(0, 60)],
] as const)
  test(`a fresh segment that is ${about}: start-up begins at the one before it`, async (context) => {
    const { folder, last, count } = await threeSegments(context);
    const content = cutOff(await readFile(last));
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

test('a segment whose first frame is damaged: the rest of it is read', async (context) => {
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

test('reports a missing segment that had unfinished deliveries, and ignores one that had none', async (context) => {
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

test('rebuilds a missing or damaged key table from its segment', async (context) => {
  const { folder } = await threeSegments(context);
  const keys = join(folder, '0000000001.keys');
  const complete = await readFile(keys);
  for (const damage of [
    undefined,
    complete.subarray(0, 20),
    complete.subarray(0, -1),
    complete.fill(9, 100, 101),
    Buffer.alloc(complete.length),
  ]) {
    await (damage ? writeFile(keys, damage) : rm(keys));
    const { journal } = await open(folder);
    assert.deepEqual(await journal.append(delivery(1)), { sequence: 1, isDuplicate: true });
    await journal.close();
    assert.ok((await stat(keys)).size > 100);
  }
});
