// Every decision about random requests, in each mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulatorModes } from '#contract/assumption.ts';
import { judgeRequests, judgeTokenErrors } from './random-decisions.ts';

const requests = 1_500;

for (const mode of emulatorModes)
  test(`${requests} random requests: no decision without a row, in ${mode} mode`, async (t) => {
    const rows = await judgeRequests(t, mode, requests);
    assert.ok(rows >= 25, `only ${rows} rows were needed`);
  });

test('each token endpoint error names its row', (t) => judgeTokenErrors(t, 300));
