// A data file on a disk that fails, in every way at every call.

import { test } from 'node:test';
import { faults } from '#test/support/disk/faulty-system.ts';
import { failEachCall } from './failing-disk.ts';

test('for every call to the file system that fails: nothing is lost without a word', (t) =>
  failEachCall(t, faults, [false, true]));
