// The journal of the receiver: each call to the disk fails once, in each way; and 20,000 random receivers that are killed, or
// whose power fails, at a random step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryDiskFaults } from '#test/receiver/core/journal/disk-faults.ts';
import { tryPowerCuts } from '#test/receiver/core/journal/power-cuts.ts';

test('each disk call fails', async (context) => {
  const { runs, struck, violations, acknowledged } = await tryDiskFaults({});
  assert.deepEqual(violations, []);
  context.diagnostic(`${runs} runs, a call failed in ${struck}: 0 of ${acknowledged} deliveries lost`);
});

test('kills and power cuts', async (context) => {
  const counts = await tryPowerCuts(Number(process.env['TEST_RUNS'] ?? 20_000));
  context.diagnostic(
    `${counts.runs} runs, ${counts.cuts} power cuts, ${counts.kills} kills: 0 of ${counts.acknowledged} deliveries lost`,
  );
});
