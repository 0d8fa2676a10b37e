// `wm task get`, `update` and `undo` without an id, on a terminal: which tasks are listed, in which order, and what is done with the
// one that is picked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/emulator/control/control.ts';
import { openInProcess } from '#test/terminal/in-process.ts';
import { key, skip } from '#test/terminal/terminal.ts';
import { setStage } from '#test/transcript/stage.ts';
import { environment, listed, taskOf, unassignAda, update } from './pick-task.ts';

const toAda = { addResponsibles: JSON.stringify([sample.ada]) };

test('your own open tasks, the most recently updated first', { skip }, async (context) => {
  // A second apart, since that is how exactly a record says when it was updated.
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug, sample.recurrent);
  for (const id of [sample.bug, sample.completed, sample.milestone, sample.recurrent]) {
    await update(stage, id, toAda);
    await control(stage.emulator, 'POST', '/clock', { advanceSeconds: 5 });
  }
  const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
  const screen = await terminal.screenShows(/3 of 3/);
  assert.deepEqual(listed(screen), ['Weekly report', 'Launch', 'The form loses its text']);
  assert.match(screen.join('\n'), /The form loses its text +Spring catalogue +updated /);
  terminal.type(`loses${key.enter}`);
  await terminal.shows(/title: +The form loses its text/);
  assert.equal(await terminal.ended, 0);
});

test('with flags, the picked task is updated once confirmed; --yes confirms', { skip }, async (context) => {
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug);
  const line = 'wm task update --importance High --yes';
  const terminal = openInProcess(context, stage, line, { environment });
  await terminal.screenShows(/1 of 1/);
  terminal.type(key.enter);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal((await taskOf(stage, sample.recurrent)).importance, 'High');
});
