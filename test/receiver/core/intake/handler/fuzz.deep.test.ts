// 5,000 random requests to the receiver; test/torture/receiver-fuzz.test.ts sends 100,000. FUZZ_SEED repeats what an earlier
// run has printed.

import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fuzzReceiver } from './fuzz-receiver.ts';
import { serveFuzzed } from './fuzzed-receiver.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? process.env['TEST_SEED']);

if (process.argv[2] === 'serve') await serveFuzzed(process.argv[3] ?? '');
else
  test(`5,000 random requests bring no 4xx but 408, no crash, no growing memory; FUZZ_SEED=${seed}`, (t) =>
    fuzzReceiver(t, fileURLToPath(import.meta.url), 5_000, seed));
