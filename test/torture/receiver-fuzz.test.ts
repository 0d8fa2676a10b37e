// 100,000 random requests to the receiver; test/receiver/core/intake/handler/fuzz.deep.test.ts sends 5,000 in the deep suite. FUZZ_SEED repeats what an
// earlier run has printed.

import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fuzzReceiver } from '#test/receiver/core/intake/handler/fuzz-receiver.ts';
import { serveFuzzed } from '#test/receiver/core/intake/handler/fuzzed-receiver.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 32));

if (process.argv[2] === 'serve') await serveFuzzed(process.argv[3] ?? '');
else
  test(`100,000 random requests cause no 4xx except 408, no crash, no memory growth; FUZZ_SEED=${seed}`, (t) =>
    fuzzReceiver(t, fileURLToPath(import.meta.url), 100_000, seed));
