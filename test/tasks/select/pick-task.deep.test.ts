// Picking a task on a terminal: equal titles, undo, and what is not listed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { environment, listed, taskOf, unassignAda, update } from './pick-task.ts';

test('tells two tasks with one title apart by id; the filter finds an id that is not shown', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  await update(stage, sample.bug, { title: 'Launch' });
  await unassignAda(stage, sample.bug, sample.recurrent);
  const terminal = openTerminal(context, stage, 'wm task update Launch --importance Low', {
    environment,
    columns: 120,
  });
  await terminal.shows('2 tasks have the title "Launch". Which?');
  const screen = await terminal.screenShows(/2 of 2/);
  assert.match(screen.join('\n'), new RegExp(`Launch +${sample.bug} +Spring catalogue`));
  assert.match(screen.join('\n'), new RegExp(`Launch +${sample.milestone} +Website`));
  terminal.type(sample.bug);
  await terminal.screenShows(/1 of 2/, key.enter);
  await terminal.shows(/importance: +High -> Low/);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal((await taskOf(stage, sample.bug)).importance, 'Low');
  assert.equal((await taskOf(stage, sample.milestone)).importance, 'Normal');

  const get = openTerminal(context, stage, 'wm task get', { environment });
  await get.screenShows('No open task is assigned to you.', sample.recurrent);
  await get.screenShows(/^❯ Weekly report/m, key.enter);
  await get.shows(/title: +Weekly report/);
  assert.equal(await get.ended, 0);
});

test('hints name the id of a task whose title is not unique', { skip }, async (context) => {
  const stage = await setStage(context);
  await update(stage, sample.bug, { title: 'Write the launch page' });
  await unassignAda(stage, sample.bug, sample.recurrent);
  for (const [words, importance] of [
    ["'Write the launch page'", 'Low'],
    ['', 'High'],
  ]) {
    const line = `wm task update ${words} --importance ${importance} --yes`;
    const terminal = openTerminal(context, stage, line, { environment, columns: 120 });
    await terminal.screenShows('Which', sample.bug);
    await terminal.screenShows(/^❯ Write the launch page +IE/m, key.enter);
    await terminal.shows(`To undo: wm task undo ${sample.bug}`);
    assert.equal(await terminal.ended, 0, terminal.text);
  }
});

test('undo lists the updates made on this machine, newest first', { skip }, async (context) => {
  const stage = await setStage(context);
  const none = openTerminal(context, stage, 'wm task undo', { environment });
  await none.shows('wm: The undo log has no update');
  assert.equal(await none.ended, 5);
  for (const line of [
    `wm task update ${sample.bug} --importance Low`,
    `wm task update ${sample.milestone} --title 'Launch it' --importance High`,
    `wm task update ${sample.bug} --status Nonsense`,
    `wm task update ${sample.recurrent} --importance High`,
  ]) {
    const updating = openTerminal(context, stage, line, { environment });
    await updating.ended;
  }
  const terminal = openTerminal(context, stage, 'wm task undo', { environment, columns: 120 });
  await terminal.shows('Undo the last update of which task?');
  const screen = await terminal.screenShows(/3 of 3/);
  assert.deepEqual(listed(screen), ['Weekly report', 'Launch it', 'The form loses its text']);
  assert.match(
    screen.join('\n'),
    /Launch it +updated .*ago +title, importance|Launch it +updated now +title, importance/,
  );
  terminal.type('launch');
  await terminal.screenShows(/^❯ Launch it/m, key.enter);
  await terminal.shows('Undo the last update of "Launch it"? (y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal((await taskOf(stage, sample.milestone)).title, 'Launch');
});

test('does not list a rejected update, which changed nothing', { skip }, async (context) => {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'updateTask',
    status: 400,
    error: 'invalid_parameter',
  });
  const updating = openTerminal(context, stage, `wm task update ${sample.bug} --importance Low`);
  assert.equal(await updating.ended, 2, updating.text);
  const terminal = openTerminal(context, stage, 'wm task undo', { environment });
  await terminal.shows('wm: The undo log has no update');
  assert.equal(await terminal.ended, 5);
});

test('shows no list with --dry-run or without open tasks', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const command of ['get', 'update --status Active', 'undo']) {
    const terminal = openTerminal(context, stage, `wm task ${command} --dry-run`, { environment });
    await terminal.shows('wm: Missing: ID');
    assert.equal(await terminal.ended, 2);
  }
  await control(stage.emulator, 'POST', '/faults', {
    request: 'listTasks',
    status: 403,
    error: 'access_forbidden',
  });
  const terminal = openTerminal(context, stage, 'wm task get', { environment });
  await terminal.shows('wm: ');
  assert.equal(await terminal.ended, 3, terminal.text);
});
