// Pairs of blows, and hundreds of seeds of each scenario.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

for (const [scenario, seeds] of [
  ['bulk', 500],
  ['login', 500],
  ['emulator', 200],
  ['receiver', 100],
  ['renewal', 500],
  ['suspend', 500],
] as const)
  test(`${scenario}: pairs of blows, and ${seeds} seeds`, async () => {
    const { status, output } = await simulate([scenario, '--pairs', `--seeds=${seeds}`]);
    assert.equal(status, 0, output);
  });
