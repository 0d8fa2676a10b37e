// Order, at least once, and never again once that is marked: over random deliveries, failures and restarts. The torture does the
// same many more times.

import { test } from 'node:test';
import { tryRandomRuns } from './random-runs.ts';

test('random deliveries, failures and restarts', async (t) => {
  t.diagnostic(await tryRandomRuns(200));
});
