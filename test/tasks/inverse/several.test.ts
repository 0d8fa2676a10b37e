// `wm task undo` of several tasks, and of a bulk run: one plan and one question, each task by itself, and what was changed later
// stays.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

const ids = [sample.task, sample.backlog, sample.milestone] as const;
const [first, second, third] = ids;
const input = `id,title,importance\n${ids.map((id) => `${id},Bulk,High\n`).join('')}`;
const bulk = ['task', 'update', '--from', '-', '--yes'];

async function updated(...[context]: Parameters<typeof emulated>) {
  const service = await emulated(context);
  const before = await Promise.all(ids.map((id) => service.task(id)));
  const ran = await service.wm(bulk, { input, exit: 0 });
  const journal = /^Journal: (\S+)$/m.exec(ran.errors)?.[1] ?? '';
  const titles = async () => (await Promise.all(ids.map((id) => service.task(id)))).map(({ title }) => title);
  return { ...service, journal, titles, old: before.map(({ title }) => title) };
}

test('several ids are undone, each once, in their order; a title and an unknown one among them', async (context) => {
  const { wm, old, titles } = await updated(context);
  const dry = await wm(['task', 'undo', first, second, '--dry-run']);
  assert.equal(dry.output.match(/^PUT /gm)?.length, 2, dry.errors);
  const refused = await wm(['task', 'undo', first, second], { exit: 2 });
  assert.match(refused.errors, /Not confirmed: Undo the last update of each of 2 tasks\?/);
  const ran = await wm(['task', 'undo', second, first, second, 'IEAAAAAQKQAB5NNN', '--yes'], { exit: 8 });
  assert.deepEqual(
    ran.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
    [second, first],
  );
  assert.match(ran.errors, /^wm: The undo log has no update of IEAAAAAQKQAB5NNN$/m);
  assert.match(ran.errors, /wm: 1 of 3 tasks was not undone\n$/);
  assert.deepEqual(await titles(), [old[0], old[1], 'Bulk']);
});

test('--run undoes the run in all of its tasks, and only its changes; a second time there is nothing to do', async (context) => {
  const { wm, journal, old, titles, task } = await updated(context);
  await wm(['task', 'update', second, '--status', 'Deferred', '--undoable'], { exit: 0 });
  const ran = await wm(['task', 'undo', '--run', journal, '--yes'], { exit: 0 });
  assert.equal(ran.errors.match(/^Undo the update of /gm)?.length, 3);
  assert.deepEqual(await titles(), old);
  assert.equal((await task(second)).status, 'Deferred');
  const again = await wm(['task', 'undo', '--run', 'last', '--yes', '--verbose'], { exit: 0 });
  assert.match(again.errors, /^The last bulk run: 3 rows from -, /m);
  assert.equal(again.errors.match(/^Nothing to undo: \S+ is as it was before that bulk run\.$/gm)?.length, 3);
  assert.doesNotMatch(again.errors, /^PUT /m);
});

test('skips a task that was changed later, with exit status 8, unless --overwrite is given', async (context) => {
  const { wm, old, titles, task } = await updated(context);
  await wm(['task', 'update', second, '--title', 'Later', '--undoable']);
  const ran = await wm(['task', 'undo', '--run', 'last', '--yes'], { exit: 8 });
  assert.match(ran.errors, new RegExp(`wm: Not undone: title of ${second} changed since your update\n`));
  assert.match(
    ran.errors,
    /1 of 3 tasks was not undone\n {2}To undo the others: wm task undo --run last --yes\n$/,
  );
  assert.deepEqual(await titles(), [old[0], 'Later', old[2]]);
  assert.equal((await task(second)).importance, 'High');
  await wm(['task', 'undo', '--run', 'last', '--yes', '--overwrite'], { exit: 0 });
  assert.deepEqual(await titles(), old);
});

test('a task that fails does not stop the others; if all fail, the command fails', async (context) => {
  const { wm, control, old, titles } = await updated(context);
  await control('faults', { request: 'updateTask', status: 403, times: 1 });
  const ran = await wm(['task', 'undo', '--run', 'last', '--yes', '--json'], { exit: 8 });
  assert.equal(ran.output.trimEnd().split('\n').length, 2);
  assert.deepEqual(await titles(), ['Bulk', old[1], old[2]]);
  await control('faults', { request: 'updateTask', status: 401, times: 2 });
  const fatal = await wm(['task', 'undo', '--run', 'last', '--yes'], { exit: 4 });
  assert.match(fatal.errors, /To undo the others: wm task undo --run last --yes\n$/);
});

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
  const { wm, journal, titles } = await updated(context);
  const held = await createWorld().lock.acquire(`${journal}.lock`, { timeoutMs: 0 });
  const ran = await wm(['task', 'undo', '--run', journal, '--yes']);
  await held?.release();
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /^wm: Another wm \(pid \d+\) is running this bulk update$/m);
  assert.deepEqual(await titles(), ['Bulk', 'Bulk', 'Bulk']);
});

test('a run that cannot be undone is never taken for an earlier one', async (context) => {
  const { wm, folder, titles } = await updated(context);
  const more = `id,title\n${first},Unlogged\n`;
  await wm([...bulk, '--no-undoable'], { input: more, exit: 0 });
  const ran = await wm(['task', 'undo', '--run', 'last', '--yes'], { exit: 5 });
  assert.match(ran.errors, /wm: The undo log has nothing of that bulk run\n/);
  assert.deepEqual(await titles(), ['Unlogged', 'Bulk', 'Bulk']);
  const missing = join(folder, 'missing');
  for (const [argv, message] of [
    [['--run', missing], `${missing} is not the journal of a bulk run`],
    [['--run', 'last', third], '--run cannot be combined with ids'],
  ] as const) {
    const wrong = await wm(['task', 'undo', ...argv, '--yes'], { exit: 2 });
    assert.ok(wrong.errors.startsWith(`wm: ${message}`), wrong.errors);
  }
});
