// A file that grows, on a disk that loses what was not synced when the power is cut.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { MemoryDisk, userOf } from '#test/support/disk/memory-disk.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createFiles } from '#world/files.ts';

test('a synced new file survives a power cut with its content at that time', async () => {
  const disk = new MemoryDisk();
  const system = disk.systemOf(userOf());
  const files = createFiles({ WM_CONFIG_DIR: '/config' }, 'linux', '/', () => '/home', system);
  const path = '/config/runs/bulk.journal';
  const file = await files.append(path, { mode: 0o600 });
  file.write('one\n');
  await file.sync();
  file.write('two\n');
  disk.crash('power cut, lost');
  assert.deepEqual([...disk.texts()], [[path, 'one\n']]);

  // What comes to a file that is already there needs its content synced, and no more.
  const again = await files.append(path, { mode: 0o600 });
  assert.equal(again.size, 4);
  again.write('three\n');
  await again.sync();
  disk.crash('power cut, lost');
  assert.deepEqual([...disk.texts()], [[path, 'one\nthree\n']]);
});

/** A disk that is full after three more bytes. */
function nearlyFull(): FileSystem {
  const { system } = createFaultySystem();
  let room = 3;
  return {
    ...system,
    writeSync(descriptor, bytes, at) {
      if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const written = fs.writeSync(descriptor, bytes, at, room);
      room = 0;
      return written;
    },
  };
}

for (const [name, isShared, expected] of [
  ['what the disk took of a line is removed', false, 'one\n'],
  ['what another process has appended meanwhile stays', true, 'one\nother\ntwo'],
] as const) {
  test(`a full disk: ${name}`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'wm-append-'));
    context.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'log.ndjson');
    const real = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
    const first = await real.append(path, { mode: 0o600 });
    first.write('one\n');
    const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, '/', () => '/', nearlyFull());
    const file = await files.append(path, { mode: 0o600 });
    if (isShared) first.write('other\n');
    assert.throws(() => file.write('two\n'), /ENOSPC/);
    assert.equal(fs.readFileSync(path, 'utf8'), expected);
    await Promise.all([first.close(), file.close()]);
  });
}
