// A receiver on a disk whose n-th call fails, or every call from the n-th on: it goes on, says what is wrong, and stores again
// once the disk is well. Nothing that it acknowledged is lost.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '#receiver/core/journal/open-journal.ts';
import { createTestClock } from '#test/support/clock.ts';
import { type Counts, type Extent, everyCall } from '#test/support/disk/every-call.ts';
import type { FaultySystem } from '#test/support/disk/faulty-system.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { delivery, open, range, unfinished, worldWith } from './journal-tools.ts';

export async function tryDiskFaults(extent: Extent): Promise<Counts & { acknowledged: number }> {
  let acknowledged = 0;
  const scenario = async (faulty: FaultySystem) => {
    const parent = await mkdtemp(join(tmpdir(), 'wm-journal-faults-'));
    try {
      const stored = new Map<number, number>();
      const word = await receive(faulty, join(parent, 'deliveries'), stored);
      acknowledged += stored.size;
      return word;
    } finally {
      await rm(parent, { recursive: true });
    }
  };
  return { ...(await everyCall(scenario, extent)), acknowledged };
}

const options = { segmentBytes: 1000 };

async function receive(faulty: FaultySystem, folder: string, stored: Map<number, number>): Promise<string> {
  const clock = createTestClock();
  const world = {
    ...worldWith(faulty.system, clock),
    lock: createLock(process.platform, clock, faulty.system),
    randomBytes,
  };
  let word = 'all was stored';
  const marked = new Set<number>();
  const opened = await openJournal(world, folder, options).catch((error: unknown) => {
    assert.match(String(error), /ENOSPC|EIO/);
    return undefined;
  });
  if (!opened) {
    faulty.mend();
    const { journal } = await open(folder, options);
    assert.equal((await journal.append(delivery(1))).isDuplicate, false);
    await journal.close();
    return 'could not be opened';
  }
  const { journal } = opened;
  const store = async (numbers: readonly number[]) => {
    const results = await Promise.allSettled(numbers.map((number) => journal.append(delivery(number))));
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') stored.set(numbers[index] ?? 0, result.value.sequence);
      else {
        word = 'some were rejected';
        assert.match(String(result.reason), /ENOSPC|EIO/);
        assert.match(journal.state().fault ?? '', /ENOSPC|EIO/);
      }
    }
  };
  for (const start of [1, 4, 7, 10, 13]) {
    await store(range(start, start + 2));
    const sequence = stored.get(start);
    if (sequence === undefined) continue;
    journal.record(attempt(sequence));
    marked.add(sequence);
  }
  faulty.mend();
  // The sender tries again.
  await store(range(1, 16));
  assert.equal(stored.size, 16, 'all is stored once the disk is well');
  assert.equal(journal.state().fault, undefined);
  await journal.close();

  const next = await open(folder, options);
  const remaining = await unfinished(next.journal);
  const bodies = remaining.map(({ body }) => Buffer.from(body).toString());
  const expected = [...stored].filter(([, sequence]) => !marked.has(sequence)).map(([number]) => number);
  assert.deepEqual(bodies.toSorted(), expected.map((number) => String(delivery(number).body)).toSorted());
  for (const [number, sequence] of stored) {
    assert.deepEqual(Buffer.from((await next.journal.read(sequence))?.body ?? []), delivery(number).body);
    assert.deepEqual(await next.journal.append(delivery(number)), { sequence, isDuplicate: true });
  }
  await next.journal.close();
  return word;
}
