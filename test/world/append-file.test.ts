// A file that grows, on a disk that loses what was not synced when the power is cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFiles } from '../../src/world/files.ts';
import { createMemoryDisk } from '../memory-disk.ts';

test('once it is synced, a new file is there after a power cut, with what was in it then', async () => {
  const disk = createMemoryDisk();
  const system = disk.systemWith(async () => {});
  const files = createFiles({ WM_CONFIG_DIR: '/config' }, 'linux', '/', () => '/home', system);
  const path = '/config/runs/bulk.journal';
  const file = await files.append(path, { mode: 0o600 });
  file.write('one\n');
  await file.sync();
  file.write('two\n');
  disk.restart('dropped');
  assert.deepEqual([...disk.files()], [[path, 'one\n']]);

  // What comes to a file that is already there needs its content synced, and no more.
  const again = await files.append(path, { mode: 0o600 });
  assert.equal(again.size, 4);
  again.write('three\n');
  await again.sync();
  disk.restart('dropped');
  assert.deepEqual([...disk.files()], [[path, 'one\nthree\n']]);
});
