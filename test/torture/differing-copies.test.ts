// The random runs of test/receiver/sink/, many more of them.

import { test } from 'node:test';
import { tryDifferingCopies } from '../receiver/sink/differing-runs.ts';

test('4,000 random runs on servers whose copies differ', async (t) => {
  t.diagnostic(await tryDifferingCopies(4_000));
});
