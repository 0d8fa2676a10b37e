// A million hostile characters.

import { test } from 'node:test';
import { readHostile } from './hostile-html.ts';

test('a million hostile characters are read in one go', () => readHostile(1_000_000));
