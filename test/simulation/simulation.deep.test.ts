// Each blow at each step, pairs of blows, and hundreds of seeds of each scenario. Of the long ones, each Nth blow and pair.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

for (const [scenario, seeds, every] of [
  ['apply', 250, 12],
  ['bulk', 500, 3],
  ['emulator', 200, 4],
  ['login', 500, 2],
  ['receiver', 100, 10],
  ['renewal', 500, 1],
  ['rotation', 100, 25],
  ['suspend', 500, 1],
  ['taskUndo', 120, 12],
  ['undo', 500, 5],
] as const)
  test(`${scenario}: blows at each step, pairs of them, and ${seeds} seeds`, async () => {
    const { status, output } = await simulate([
      scenario,
      '--singles',
      '--pairs',
      `--every=${every}`,
      `--seeds=${seeds}`,
    ]);
    assert.equal(status, 0, output);
  });
