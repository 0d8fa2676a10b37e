// Where the journal is, and where deliveries went last.

import assert from 'node:assert/strict';
import { rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { journalFolder, readLastTarget, storeLastTarget } from '#cli/journal-folder.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { createFiles } from '#world/files.ts';
import { createSmallDisk } from '../core/journal/small-disk.ts';
import { deliver, listen } from './running-listener.ts';

test('the folder is in the state folder, or the given one, relative to the current folder', () => {
  const files = createFiles({ WM_CONFIG_DIR: '/wm' }, 'linux', '/here');
  assert.equal(journalFolder({ files }, undefined), join(files.stateFolder, 'deliveries'));
  assert.equal(journalFolder({ files }, 'hooks'), '/here/hooks');
  assert.equal(journalFolder({ files }, '/var/hooks'), '/var/hooks');
});

test('the last target can be read again, by its user only; a damaged file counts as none', async (context) => {
  const folder = await ownFolder(context);
  const world = { files: createFiles({}, process.platform) };
  assert.deepEqual(await readLastTarget(world, folder), {});
  const target = {
    forwardTo: 'http://127.0.0.1:3000/hook',
    routes: [{ events: ['TaskCreated'], url: 'http://127.0.0.1:3001/' }],
  };
  await storeLastTarget(world, folder, target);
  assert.deepEqual(await readLastTarget(world, folder), target);
  if (process.platform !== 'win32')
    assert.equal((await stat(join(folder, 'target.json'))).mode & 0o777, 0o600);
  for (const damaged of ['{"forwardTo": 5, "routes": {}}', '[]', 'no JSON', '']) {
    await writeFile(join(folder, 'target.json'), damaged);
    assert.deepEqual(await readLastTarget(world, folder), {}, damaged);
  }
});

test('a journal file moved while in use: 503, a line that names it, and a new file', async (context) => {
  const folder = await ownFolder(context);
  const listener = await listen(context, ['--port', '0'], { folder });
  const send = (taskId: string) => deliver(listener, [{ eventType: 'TaskCreated', taskId }]);
  assert.equal(await send('A1'), 200);
  const path = join(folder, 'state', 'deliveries', '0000000001.journal');
  await rename(path, join(folder, 'elsewhere'));
  assert.equal(await send('A2'), 503);
  await listener.prints(/0000000001\.journal was moved or removed .*; delivery #1, which was stored in it/);
  assert.equal(await send('A2'), 200);
  const { errors } = await listener.stop();
  assert.equal(errors.match(/was moved or removed/g)?.length, 1);
  const { output } = await run(['webhook', 'log'], { environment: { WM_CONFIG_DIR: folder } });
  assert.match(output, /^2\t.*\tA2\t/);
});

test('a disk with less room than --max-size: warns at the start', async (context) => {
  const folder = await ownFolder(context);
  const system = createSmallDisk(folder, 100 * 1024 * 1024);
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, () => folder, system);
  const start = async (...more: readonly string[]) => {
    const listener = await listen(context, ['--port', '0', ...more], { folder, world: { files } });
    return (await listener.stop()).errors;
  };
  const isSaid =
    /The disk of \S+ has only \d+\.\d MB free, and the journal may grow to 1073\.7 MB \(--max-size\)/;
  assert.match(await start(), isSaid);
  assert.doesNotMatch(await start('--max-size', '99MB'), /has only/);
});
