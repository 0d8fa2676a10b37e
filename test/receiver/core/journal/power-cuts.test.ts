// What was acknowledged survives a kill and a power cut at any change of the disk. power-cuts.deep.test.ts has many more runs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDisk } from '#test/support/disk/memory-disk.ts';
import { delivery, unfinishedNumbers } from './journal-tools.ts';
import { startRun } from './power.ts';
import { tryPowerCuts } from './power-cuts.ts';

test('a few receivers are killed, or lose power, at any step', async () => {
  const { acknowledged } = await tryPowerCuts(12);
  assert.ok(acknowledged > 0);
});

test('syncs the unsynced writes of a killed process before acknowledging a duplicate', async (context) => {
  let steps = 0;
  for (let last = 1; ; last += 1) {
    const disk = createMemoryDisk();
    const killed = startRun(disk, last);
    const storing = async () => (await killed.open({})).journal.append(delivery(1));
    await Promise.race([storing(), killed.failed]);
    // The machine goes on.
    const second = await startRun(disk).open({});
    const { sequence } = await second.journal.append(delivery(1));
    disk.restart('dropped');
    const third = await startRun(disk).open({});
    assert.deepEqual(await unfinishedNumbers(third.journal), [sequence], `killed at ${killed.steps.at(-1)}`);
    steps += 1;
    if (!killed.isOff()) break;
  }
  context.diagnostic(`killed at each of ${steps - 1} steps`);
});
