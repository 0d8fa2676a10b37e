// On a full disk some finished segments cannot be removed, or are gone already. The simulation fills the disk of a whole receiver.

import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleAttempt as attempt } from '../intake/samples.ts';
import { delivery, journalFolder, open, range, worldWith } from './journal-tools.ts';
import { createSmallDisk } from './small-disk.ts';

const body = Buffer.alloc(3_000, 'x');
const options = { segmentBytes: 16_000 };

test('a finished segment that is already gone counts as dropped; one that cannot be removed is skipped', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder, { recursive: true });
  const system = createSmallDisk(folder, 100_000);
  const held = join(folder, '0000000002.journal');
  const promises: typeof system.promises = {
    ...system.promises,
    async unlink(path) {
      if (path === held)
        throw Object.assign(new Error('EPERM: unlink'), { code: 'EPERM', syscall: 'unlink' });
      await system.promises.unlink(path);
    },
  };
  const { journal } = await open(folder, options, worldWith({ ...system, promises }));
  for (const number of range(1, 50)) {
    const { sequence } = await journal.append(delivery(number, { body }));
    journal.record(attempt(sequence));
    if (number === 20) await rm(join(folder, '0000000001.journal'));
  }
  assert.equal(journal.state().fault, undefined);
  await journal.close();
  assert.ok((await readdir(folder)).includes('0000000002.journal'));
});
