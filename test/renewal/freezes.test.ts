// A refresh around which the processes are frozen, once at each moment and in each way. freezes.deep.test.ts has more turns, and
// `npm run torture` has 200 at random, and real ones.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Freeze, freezeEach, moments, testFreezes } from './freezes.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
beforeEach(() => stage.signInAnew());

testFreezes(service, stage, moments, [0.3]);

test('a response later than 25 s after the freeze is the one window that cannot be closed', async () => {
  const freeze: Freeze = {
    moment: 'rotated',
    how: 'stopped process',
    who: 'both',
    beforeMs: 5000,
    freezeMs: 40_000,
    afterMs: 31_000,
    part: 0,
  };
  assert.equal((await freezeEach(service, stage, [freeze])).inWindow, 1);
});
