// `wm task undo` after somebody else changed the task during a bulk run; and its questions on a terminal.
// test/transcript/task-undo-others.txt shows each part that they may have changed, and task-undo-lost.txt updates without a response.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';

const id = sample.task;
/** Ben, who works on the same tasks. */
async function ben({ emulator }: Pick<Emulated, 'emulator'>, update: Record<string, unknown>, task = id) {
  const response = await fetch(`${emulator.baseUrl}/tasks/${task}?${query(update)}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${sampleTokens.ben}` },
  });
  assert.equal(response.status, 200, await response.text());
}

const bulk = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];

test("a bulk run reads ahead: another user's change to other parts meanwhile stays", async (context) => {
  const service = await emulated(context);
  const rows = [
    { id: sample.backlog, title: 'x' },
    { id, title: 'ours', metadata: [{ key: 'ours', value: '1' }], addResponsibles: [sample.ada] },
  ];
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  // The rows were read by then.
  const http = beforeUpdate(1, () =>
    ben(service, {
      importance: 'High',
      metadata: [{ key: 'source', value: 'theirs' }],
      addResponsibles: [sample.bot],
    }),
  );
  const { title } = await service.task(id);
  await service.wm(bulk, { input, world: { http }, exit: 0 });
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await service.task(id);
  assert.deepEqual([now.title, now.importance], [title, 'High']);
  assert.deepEqual(now.metadata, [{ key: 'source', value: 'theirs' }]);
  assert.ok(now.responsibleIds.includes(sample.bot) && !now.responsibleIds.includes(sample.ada));
});

test('two rows share one read, with an update in between: each is undone separately', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const before = await task(id);
  // Both rows are read before the first is sent. The single update falls between them.
  let now = Date.UTC(2026, 10, 5);
  const clock = { ...createWorld().clock, now: () => now++ };
  const between = ['--importance', 'High', '--add-parents', sample.project, '--undoable'];
  const http = beforeUpdate(2, () => wm(['task', 'update', id, ...between], { world: { clock }, exit: 0 }));
  const rows = [
    { id, title: 'one', metadata: [{ key: 'row', value: '1' }], addResponsibles: [sample.ada] },
    { id, title: 'two', importance: 'Low', removeResponsibles: [sample.ada] },
  ];
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await wm(bulk, { input, world: { http, clock }, exit: 0 });
  const shown = async () => {
    const { title, importance, responsibleIds } = await task(id);
    return { title, importance, isAssigned: responsibleIds.includes(sample.ada) };
  };
  assert.deepEqual(await shown(), { title: 'two', importance: 'Low', isAssigned: false });
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.notEqual(before.title, 'one');
  assert.deepEqual(await shown(), { title: 'one', importance: 'High', isAssigned: true });
});

test('on a terminal: does not say that another user made a change that may be ours', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const wide = { columns: 200, environment: { NO_COLOR: '1' } };
  const fault = 'wm emulator fault updateTask --cut-after 0 --when after --times 3 -q';
  assert.equal(await openInProcess(context, stage, fault, wide).ended, 0);
  const lost = openInProcess(context, stage, `wm task update ${id} --title ours`, wide);
  assert.equal(await lost.ended, 9, lost.text);
  await ben(stage, { title: 'theirs' });
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  await undo.shows('This may not be from your update: title. It is now: theirs.');
  await undo.shows('Overwrite what may have changed since your update (title)? (y/N)', key.enter);
  assert.equal(await undo.ended, 2);
});

test('on a terminal: changes by another user have their own prompt', { skip }, async (context) => {
  const stage = await setStage(context);
  const { emulator } = stage;
  const wide = { columns: 200, environment: { NO_COLOR: '1' } };
  const titleOf = async () => (await call(emulator, 'GET', `/tasks/${id}`)).body.data[0].title;
  const updated = openInProcess(context, stage, `wm task update ${id} --title ours`, wide);
  assert.equal(await updated.ended, 0);
  await ben(stage, { title: 'theirs' });
  // A yes given beforehand is none to this.
  const notUndone = openInProcess(context, stage, `wm task undo ${id} --yes`, wide);
  await notUndone.shows(/title:? +theirs -> Write the launch page/);
  await notUndone.shows(
    /This has changed since your update: title\. Your update set it to: ours\. It is now: theirs\./,
  );
  await notUndone.shows('Overwrite what has changed since your update (title)? (y/N)', key.enter);
  assert.equal(await notUndone.ended, 2);
  assert.equal(await titleOf(), 'theirs');
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  await undo.shows('Undo the last update of "theirs"? (y/N)');
  // While it asks, they change it once more: it is shown, and asked about again.
  await ben(stage, { title: 'later' });
  undo.type(`y${key.enter}`);
  await undo.shows('The task changed while you were deciding.');
  await undo.shows(/title:? +later -> Write the launch page/);
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  await undo.shows('Undo the last update of "later"? (y/N)', `y${key.enter}`);
  await undo.shows(/title:? +later -> Write the launch page/);
  assert.equal(await undo.ended, 0);
  assert.equal(await titleOf(), 'Write the launch page');
  const redo = openInProcess(context, stage, `wm task undo ${id} --yes`, wide);
  assert.equal(await redo.ended, 0, redo.text);
  assert.equal(await titleOf(), 'later');
});
