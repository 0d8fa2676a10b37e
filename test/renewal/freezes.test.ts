// A refresh around which the processes are frozen, once at each moment and in each way. `npm run torture` has 200 at random,
// and real ones.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Freeze, freezeEach, moments } from './freezes.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
beforeEach(() => stage.signInAnew());

for (const how of ['stopped process', 'machine asleep'] as const) {
  for (const moment of moments) {
    test(`${how}, ${moment}: frozen for 40 s, the sign-in is kept, and one request was sent`, async () => {
      const freezes = [0, 0.3, 0.6, 0.9].map(
        (part): Freeze => ({
          moment,
          how,
          who: 'both',
          beforeMs: 20_000,
          freezeMs: 40_000,
          afterMs: 20_000,
          part,
        }),
      );
      const { lost, inWindow } = await freezeEach(
        service,
        stage,
        moment === 'any turn' ? freezes : freezes.slice(1, 2),
      );
      assert.deepEqual([lost, inWindow], [0, 0]);
    });
  }
}

test('a response that does not come within 25 s after the freeze is the window that nobody can close', async () => {
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
