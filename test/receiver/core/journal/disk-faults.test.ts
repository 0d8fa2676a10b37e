// The disk fails at its n-th call: a few times. disk-faults.deep.test.ts tries many more, and the torture all of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryDiskFaults } from './disk-faults.ts';

test('the disk fails at a call, once or for good: nothing acknowledged is lost', async () => {
  const { struck, violations } = await tryDiskFaults({ faults: ['ENOSPC', 'ENOSPC for good'], step: 150 });
  assert.deepEqual(violations, []);
  assert.ok(struck >= 2);
});
