// A description of a million characters arrives whole, however it is given.

import { test } from 'node:test';
import { giveDescription } from './long-values.ts';

test('from a file, through a pipe, and in a row', { timeout: 120_000 }, (context) =>
  giveDescription(context, 1_000_000),
);
