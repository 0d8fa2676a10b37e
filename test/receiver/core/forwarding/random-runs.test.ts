// Order, at least once, and never again once that is marked: a few runs of random-runs.deep.test.ts.

import { test } from 'node:test';
import { tryRandomRuns } from './random-runs.ts';

test('a few random deliveries, failures and restarts', async (t) => {
  t.diagnostic(await tryRandomRuns(12));
});
