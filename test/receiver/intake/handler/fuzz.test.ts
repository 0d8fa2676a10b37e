// 60 random requests to the receiver; fuzz.deep.test.ts sends 5,000.

import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fuzzReceiver } from './fuzz-receiver.ts';
import { serveFuzzed } from './fuzzed-receiver.ts';

if (process.argv[2] === 'serve') await serveFuzzed(process.argv[3] ?? '');
else
  test('60 random requests bring no 4xx but 408, and no crash', (t) =>
    fuzzReceiver(t, fileURLToPath(import.meta.url), 60, Number(process.env['TEST_SEED'])));
