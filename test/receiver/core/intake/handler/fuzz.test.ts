// 60 random requests to a receiver in this process; fuzz.deep.test.ts sends 5,000 to one of its own.

import { test } from 'node:test';
import { journalFolder } from '#test/receiver/core/journal/journal-tools.ts';
import { fuzz } from './fuzz-receiver.ts';
import { openFuzzed } from './fuzzed-receiver.ts';

test('60 random requests bring no 4xx but 408, and no crash', async (t) => {
  const folder = await journalFolder(t);
  const receiver = await openFuzzed(folder);
  await fuzz(t, { folder, receiver, count: 60, seed: Number(process.env['TEST_SEED']) });
});
