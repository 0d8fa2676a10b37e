// The disk fails at its n-th call, in every way; all of them in the torture, here a part of them. Then a full disk and a folder
// that is read-only, as they really are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryDiskFaults } from './disk-faults.ts';

test('the disk fails at any call: nothing acknowledged is lost', async (context) => {
  const { runs, struck, violations, ended, acknowledged } = await tryDiskFaults({ step: 7 });
  assert.deepEqual(violations, []);
  assert.ok(struck > 20);
  context.diagnostic(
    `${runs} runs, a call failed in ${struck}: 0 of ${acknowledged} acknowledged deliveries lost; ${JSON.stringify(ended)}`,
  );
});
