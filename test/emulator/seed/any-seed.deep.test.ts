// Seeds of any contents, many times, and one that is very long.

import { test } from 'node:test';
import { assertOwnIds, testAnySeed } from './any-seed.ts';

testAnySeed({ valid: 60, any: 2_000 });

test('200,000 tasks have their own ids, the same at each start', () => assertOwnIds(200_000));
