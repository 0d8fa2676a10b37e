// A kill at each change of a disk in memory, and then a power cut: what was accepted in between is there. The simulation does the same to
// the whole receiver.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryDisk } from '#test/support/disk/memory-disk.ts';
import { delivery, unfinishedNumbers } from './journal-tools.ts';
import { startRun } from './power.ts';

test('syncs the unsynced writes of a killed process before acknowledging a duplicate', async (context) => {
  let steps = 0;
  for (let last = 1; ; last += 1) {
    const disk = new MemoryDisk();
    const killed = startRun(disk, last);
    const storing = async () => (await killed.open({})).journal.append(delivery(1));
    await Promise.race([storing(), killed.failed]);
    // The machine goes on.
    const second = await startRun(disk).open({});
    const { sequence } = await second.journal.append(delivery(1));
    disk.crash('power cut, lost');
    const third = await startRun(disk).open({});
    assert.deepEqual(await unfinishedNumbers(third.journal), [sequence], `killed at ${killed.steps.at(-1)}`);
    steps += 1;
    if (!killed.isOff()) break;
  }
  context.diagnostic(`killed at each of ${steps - 1} steps`);
});
