// A journal that ends in the middle of what was written last, or is damaged, at every so many bytes.

import assert from 'node:assert/strict';
import { MemoryDisk } from '#test/support/disk/memory-disk.ts';
import { appendAll, delivery, range, unfinishedNumbers } from './journal-tools.ts';
import { folder as memoryFolder, startRun } from './power.ts';

const first = '0000000001.journal';

/** A journal of five deliveries, of which the last three were one batch; and where each of its frames begins. */
async function writeJournal() {
  const disk = new MemoryDisk();
  const { journal } = await startRun(disk).open({});
  const path = `${memoryFolder}/${first}`;
  const sizes: number[] = [];
  for (const numbers of [[1], [2], [3, 4, 5]]) {
    await appendAll(journal, numbers);
    sizes.push(journal.state().bytes);
  }
  const content = disk.content(path) ?? Buffer.alloc(0);
  return { content, path, sizes };
}

export async function tearAt(step: number): Promise<number> {
  const { content, path, sizes } = await writeJournal();
  const batch = sizes[1] ?? 0;
  let cuts = 0;
  for (const fill of ['nothing', 'zeros'] as const)
    for (let length = batch; length < content.length; length += step) {
      const disk = new MemoryDisk();
      const torn = content.subarray(0, length);
      const left = fill === 'zeros' ? Buffer.concat([torn, Buffer.alloc(content.length - length)]) : torn;
      disk.put(path, left);
      const { journal, report } = await startRun(disk).open({});
      const numbers = await unfinishedNumbers(journal);
      // Those of the batch that are whole may be there: nobody was told that they are not.
      assert.deepEqual(numbers, range(1, numbers.length), `${fill} after ${length} bytes`);
      assert.ok(numbers.length >= 2);
      const size = disk.content(path)?.length ?? 0;
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
        range(1, 6).map((number) => number <= numbers.length),
      );
      await journal.close();
      assert.deepEqual(
        [...disk.texts()].map(([name]) => name),
        [path],
      );
      const next = await startRun(disk).open({});
      assert.deepEqual(next.report.findings, []);
      assert.deepEqual(await unfinishedNumbers(next.journal), range(1, 6));
      cuts += 1;
    }
  return cuts;
}

export async function damageAt(step: number): Promise<number> {
  const { content, path } = await writeJournal();
  let damaged = 0;
  for (let at = 0; at < content.length; at += step) {
    const disk = new MemoryDisk();
    const changed = Buffer.from(content);
    changed[at] = (changed[at] ?? 0) ^ 0x55;
    disk.put(path, changed);
    const { journal, report } = await startRun(disk).open({});
    const numbers = await unfinishedNumbers(journal);
    assert.ok(numbers.length >= 4, `byte ${at}: ${numbers}`);
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
    assert.deepEqual(await unfinishedNumbers(next.journal), [...numbers, isLastFrame ? 5 : 6]);
    damaged += 1;
  }
  return damaged;
}
