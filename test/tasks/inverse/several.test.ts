// `wm task undo --run` reads the log once, and not while the run is being sent. test/transcript/task-undo.txt shows what it undoes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

const bulk = ['task', 'update', '--from', '-', '--yes'];

test('the log is read once for all tasks of a run, not once for each', async (context) => {
  const { wm, control, environment, folder } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 150 })) as { taskIds: string[] };
  const rows = `id,title\n${taskIds.map((id) => `${id},Bulk\n`).join('')}`;
  await wm(bulk, { input: rows, exit: 0 });
  const real = createFiles(environment, process.platform, folder);
  const log = join(real.stateFolder, 'undo');
  let bytes = 0;
  const files: Files = {
    ...real,
    async stream(path, start) {
      const pieces = await real.stream(path, start);
      return pieces && path.startsWith(log) ? counted(pieces) : pieces;
    },
  };
  async function* counted(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  }
  await wm(['task', 'undo', '--run', 'last', '--yes'], { world: { files }, exit: 0 });
  const [name = ''] = (await real.list(log)).filter((file) => file.endsWith('.ndjson'));
  assert.ok(bytes < 3 * (await real.size(join(log, name))), `${bytes} bytes`);
});

test('a run that another wm is still sending is not undone', async (context) => {
  const { wm, task } = await emulated(context);
  const bulkRan = await wm(bulk, { input: `id,title\n${sample.task},Bulk\n`, exit: 0 });
  const journal = /^Journal: (\S+)$/m.exec(bulkRan.errors)?.[1] ?? '';
  const held = await createWorld().lock.acquire(`${journal}.lock`, { timeoutMs: 0 });
  const ran = await wm(['task', 'undo', '--run', journal, '--yes'], { exit: 2 });
  await held?.release();
  assert.match(ran.errors, /^wm: Another wm \(pid \d+\) is running this bulk update$/m);
  assert.equal((await task(sample.task)).title, 'Bulk');
});
