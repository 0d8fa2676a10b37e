// A data file on a disk that fails, in every way at every call.

import { test } from 'node:test';
import { faults } from '#test/support/disk/faulty-system.ts';
import { failEachCall } from './failing-disk.ts';

test('whichever file system call fails, no data is lost silently', (t) =>
  failEachCall(t, faults, [false, true]));
