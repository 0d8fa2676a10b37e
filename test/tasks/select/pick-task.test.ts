// `wm task get`, `update` and `undo` without an id, on a terminal: which tasks are listed, in which order, and what is done with the
// one that is picked.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { environment, listed, taskOf, unassignAda, update } from './pick-task.ts';

const requestsOf = async ({ emulator }: Stage) =>
  (await control(emulator, 'GET', '/requests?operation=listTasks')).requests;

const toAda = { addResponsibles: JSON.stringify([sample.ada]) };

test('lists your own open tasks, the most recently updated first', { skip }, async (context) => {
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

test('a filter without matches searches all tasks and shows their status', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
  await terminal.screenShows(/\? Which task to get \(your open tasks\)\?[\s\S]*2 of 2/);
  assert.equal((await requestsOf(stage)).length, 1);
  terminal.type('e');
  // Both of the user's have it, as others have: only those are listed, and nothing is read.
  assert.deepEqual(listed(await terminal.screenShows(/2 of 2, Enter/)).length, 2);
  assert.equal((await requestsOf(stage)).length, 1);
  terminal.type('\x15domain');
  const screen = await terminal.screenShows(/Buy the domain/);
  assert.match(screen.join('\n'), /Buy the domain +Website +updated .* +Completed\n/);
  terminal.type('\x15report');
  assert.deepEqual(listed(await terminal.screenShows(/\? report[\s\S]*1 of 11/)), ['Weekly report']);
  terminal.type('\x15nothing has this');
  await terminal.screenShows(/No matches\. Esc: clear the filter\./);
  assert.equal((await requestsOf(stage)).length, 2);
  terminal.type('\x15domain');
  await terminal.screenShows(/Buy the domain/, key.enter);
  await terminal.shows(/title: +Buy the domain/);
  assert.equal(await terminal.ended, 0);
});

test('searches further also for a filter typed ahead, and on a terminal without cursor movement', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const plain = { ...environment, ACCESSIBLE: '1' };
  const terminal = openInProcess(context, stage, 'wm task get', { environment: plain, columns: 120 });
  await terminal.shows('2 of 2', `Buy the domain${key.enter}`);
  await terminal.shows(/None of these\. Looking further \.\.\.\s+(\d+) +Buy the domain/, `7${key.enter}`);
  await terminal.shows(/title: +Buy the domain/);
  assert.equal(await terminal.ended, 0);
});

test('if the other tasks cannot be read, shows no matches and keeps the list', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
  await terminal.screenShows(/2 of 2/);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'listTasks',
    status: 403,
    error: 'not_allowed',
  });
  terminal.type('domain');
  await terminal.screenShows(/No matches\. Esc: clear the filter\./, `\x15report`);
  await terminal.screenShows(/1 of 2/, key.enter);
  await terminal.shows(/title: +Weekly report/);
  assert.equal(await terminal.ended, 0);
});

test('picks a task while others are still loading; Ctrl-C meanwhile ends wm', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const last of [`\x15report${key.enter}`, key.interrupt]) {
    const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
    await terminal.screenShows(/2 of 2/);
    await control(stage.emulator, 'POST', '/faults', { request: 'listTasks', delayMs: 60_000 });
    terminal.type('domain');
    await terminal.screenShows(/None of these\. Looking further \.\.\./, last);
    assert.equal(await terminal.ended, last === key.interrupt ? 130 : 0);
    await control(stage.emulator, 'DELETE', '/faults');
  }
});

test('with flags, updates the picked task after confirmation; --yes confirms', { skip }, async (context) => {
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug);
  const line = 'wm task update --importance High --yes';
  const terminal = openInProcess(context, stage, line, { environment });
  await terminal.screenShows(/1 of 1/, key.enter);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal((await taskOf(stage, sample.recurrent)).importance, 'High');
});

test('lists your own open tasks even if the service rejects the filters', { skip }, async (context) => {
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'listTasks',
    status: 400,
    error: 'invalid_parameter',
  });
  const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
  const screen = await terminal.screenShows(/ of \d+/);
  assert.deepEqual(listed(screen), ['Weekly report']);
  terminal.type(key.enter);
  assert.equal(await terminal.ended, 0);
});

test('no open tasks: exit 2, with the command that lists other tasks', { skip }, async (context) => {
  const stage = await setStage(context);
  for (const { id } of (await call(stage.emulator, 'GET', '/tasks')).body.data)
    await update(stage, id, { status: 'Completed' });
  const terminal = openInProcess(context, stage, 'wm task get', { environment, columns: 120 });
  await terminal.shows('No open tasks to pick from');
  await terminal.shows('wm task list');
  assert.equal(await terminal.ended, 2);
});

test('undo: a rejected update leaves the previous one in the list', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task update ${sample.bug} --undoable`;
  const first = openInProcess(context, stage, `${line} --importance Low`, { environment });
  assert.equal(await first.ended, 0);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'updateTask',
    status: 400,
    error: 'invalid_parameter',
  });
  const second = openInProcess(context, stage, `${line} --title x`, { environment });
  assert.equal(await second.ended, 2);
  const terminal = openInProcess(context, stage, 'wm task undo', { environment, columns: 120 });
  const screen = await terminal.screenShows(/1 of 1/);
  assert.match(screen.join('\n'), /The form loses its text +updated .* +importance/);
  terminal.type(key.enter);
  await terminal.shows('(y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal((await taskOf(stage, sample.bug)).importance, 'High');
});
