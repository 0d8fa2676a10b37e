// When receivers ran with a journal: what is recorded, and the gaps that follow from it.

import assert from 'node:assert/strict';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readGaps, recordRun, recordStop } from '#receiver/archive/deliveries/receiver-runs.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { createFiles } from '#world/files.ts';

async function place(context: TestContext) {
  const folder = await ownFolder(context);
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  return {
    folder,
    gaps: () => readGaps({ files }, folder),
    start: (at: number, lastReceived?: number) =>
      recordRun({ files, clock: clockAt(at) }, folder, 'start', lastReceived),
    stop: (at: number) => recordStop({ files, clock: clockAt(at) }, folder),
  };
}

test('a gap lasts from each stop to the next start; the last is open until a receiver starts', async (context) => {
  const { gaps, start, stop } = await place(context);
  assert.deepEqual(await gaps(), []);
  await start(1000);
  assert.deepEqual(await gaps(), [], 'it runs');
  await stop(2000);
  assert.deepEqual(await gaps(), [{ from: 2000, began: 'stopped' }]);
  await start(5000, 1500);
  assert.deepEqual(await gaps(), [{ from: 2000, to: 5000, began: 'stopped' }]);
});

test('a gap after a kill starts at the last delivery, or at the start if there was none', async (context) => {
  const { gaps, start } = await place(context);
  await start(1000);
  await start(9000, 4000);
  await start(12_000, 4000);
  assert.deepEqual(await gaps(), [
    { from: 4000, to: 9000, began: 'ended' },
    { from: 9000, to: 12_000, began: 'ended' },
  ]);
});

test('skips damaged lines', async (context) => {
  const { folder, gaps, start, stop } = await place(context);
  await start(1000);
  await appendFile(join(folder, 'receivers.ndjson'), '{"kind":"stop","ti');
  await stop(3000);
  await appendFile(join(folder, 'receivers.ndjson'), '{"kind":"pause","time":4}\n{"kind":"start"}\n');
  assert.deepEqual(await gaps(), [{ from: 3000, began: 'stopped' }]);
});

test('a stop that cannot be recorded is not a failure', async (context) => {
  const { folder, stop } = await place(context);
  await rm(folder, { recursive: true });
  await appendFile(folder, 'a file in place of the folder');
  await stop(1);
});
