// Decisions about a hundred random requests, in each mode. decisions.deep.test.ts has thousands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulatorModes } from '#contract/assumption.ts';
import { judgeRequests, judgeTokenErrors } from './random-decisions.ts';

for (const mode of emulatorModes)
  test(`random requests: no decision without a row, in ${mode} mode`, async (t) => {
    const rows = await judgeRequests(t, mode, 100);
    assert.ok(rows >= 10, `only ${rows} rows were needed`);
  });

test('each token endpoint error names its row, in some requests', (t) => judgeTokenErrors(t, 30));
