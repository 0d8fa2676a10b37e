// A journal that is moved while it is in use, and one whose disk has less room than it may take.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createFiles } from '#world/files.ts';
import { createSmallDisk } from '../core/journal/small-disk.ts';
import { deliver, listen } from './running-listener.ts';

test('a journal file moved while in use: 503, a line that names it, and a new file', async (context) => {
  const listener = await listen(context, '');
  const send = (taskId: string) => deliver(listener, [{ eventType: 'TaskCreated', taskId }]);
  assert.equal(await send('A1'), 200);
  const path = join(listener.folder, 'state', 'deliveries', '0000000001.journal');
  await rename(path, join(listener.folder, 'elsewhere'));
  assert.equal(await send('A2'), 503);
  await listener.prints(/0000000001\.journal was moved or removed .*; delivery #1, which was stored in it/);
  assert.equal(await send('A2'), 200);
  const { errors } = await listener.stop();
  assert.equal(errors.match(/was moved or removed/g)?.length, 1);
  const { output } = await listener.wm('webhook log');
  assert.match(output, /^2\t.*\tA2\t/);
});

test('a disk with less room than --max-size: warns at the start', async (context) => {
  const folder = await ownFolder(context);
  const system = createSmallDisk(folder, 100 * 1024 * 1024);
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, () => folder, system);
  const start = async (typed: string) =>
    (await (await listen(context, typed, { folder, world: { files } })).stop()).errors;
  const isSaid =
    /The disk of \S+ has only \d+\.\d MB free, and the journal may grow to 1073\.7 MB \(--max-size\)/;
  assert.match(await start(''), isSaid);
  assert.doesNotMatch(await start('--max-size 99MB'), /has only/);
});
