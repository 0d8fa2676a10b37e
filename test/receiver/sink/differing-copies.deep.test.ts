// Servers whose copies of the stream differ: many random runs of what differing-copies.test.ts tries.

import { test } from 'node:test';
import { tryDifferingCopies } from './differing-runs.ts';

test('whatever the copies lack and the network loses, each delivery is forwarded once and in order', async (t) => {
  t.diagnostic(await tryDifferingCopies(40));
});
