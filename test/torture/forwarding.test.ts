// The random runs of test/receiver/forwarding/, many more of them.

import { test } from 'node:test';
import { tryRandomRuns } from '../receiver/forwarding/random-runs.ts';

test('random deliveries, failures and restarts', async (t) => {
  t.diagnostic(await tryRandomRuns(10_000));
});
