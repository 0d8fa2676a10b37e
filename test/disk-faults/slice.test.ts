// A part of what `npm run torture` does with a disk that fails, the same in every run: each kind of fault, at every so many
// calls, through a refresh, a sign-in, a bulk run and an undo.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForAll } from '../login/stage.ts';
import { stageForAll } from '../renewal/stage.ts';
import { everyCall } from './every-call.ts';
import { scenes } from './scenes.ts';

const { service, stage } = await stageForAll();
const auth = await serviceForAll();
const step = 11;

for (const [name, scene] of Object.entries(scenes)) {
  test(`${name} on a disk that fails: nothing is lost, and what is said is so`, async (context) => {
    const scenario = await scene(context, { service, stage, auth });
    const counts = await everyCall(scenario, { step });
    context.diagnostic(JSON.stringify(counts));
    assert.deepEqual(counts.violations, []);
    assert.ok(counts.struck > 5, JSON.stringify(counts));
  });
}
