// The random runs of test/receiver/core/forwarding/, many more of them.

import { test } from 'node:test';
import { tryRandomRuns } from '#test/receiver/core/forwarding/random-runs.ts';

test('random deliveries, failures and restarts', async (t) => {
  t.diagnostic(await tryRandomRuns(10_000));
});
