// `wm task update` alone on a terminal: the task picked from a list, an invalid value corrected, dates that would be lost
// rejected, the change previewed, and sent once confirmed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { unassignAda } from '#test/tasks/select/pick-task.ts';
import { choose, id, taskOf } from './interactive.ts';

test('from nothing to an update', { skip }, async (context) => {
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug, sample.recurrent);
  const terminal = openInProcess(context, stage, 'wm task update', { columns: 200 });
  // Nothing is assigned to the user.
  await terminal.shows('No open task is assigned to you.');
  await terminal.shows('Which task to update (all open tasks)?');
  await choose(terminal, 'Write the launch page');
  await terminal.shows(/title: +Write the launch page/);
  await terminal.shows('What do you want to change?', key.enter);
  await terminal.shows('New title:', `${key.clear}${key.enter}`);
  await terminal.shows('must not be empty', `Ship it${key.enter}`);
  await terminal.shows('Done: check and');
  await choose(terminal, 'due');
  await terminal.shows('Due (2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days):');
  terminal.type(`2026-12-24${key.enter}`);
  await terminal.shows('due: 2026-12-24', key.enter);
  await terminal.shows('The task starts 2026-02-02T09:00:00. Keep that start? (y/N)', `n${key.enter}`);
  // Refused as on the command line, and asked again.
  await terminal.shows(/would turn \S+\s+into\s+a\s+milestone/);
  await terminal.shows('Done: check and');
  await choose(terminal, 'start');
  await terminal.shows('Start (2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days):');
  terminal.type(`2026-12-21${key.enter}`);
  await terminal.shows('start: 2026-12-21', key.enter);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  await terminal.shows('Update "Write the launch page"? (y/N)');
  assert.equal((await taskOf(stage)).title, 'Write the launch page');
  terminal.type(`y${key.enter}`);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  assert.equal(await terminal.ended, 0);
  const { title, dates } = await taskOf(stage);
  assert.deepEqual(
    [title, dates.start, dates.due],
    ['Ship it', '2026-12-21T09:00:00', '2026-12-24T17:00:00'],
  );
});

test('keeps an invalid value, with its error, to be corrected', { skip }, async (context) => {
  const stage = await setStage(context);
  const environment = { NO_COLOR: '1' };
  const terminal = openTerminal(context, stage, `wm task update ${id}`, { columns: 200, environment });
  await terminal.shows('What do you want to change?');
  await choose(terminal, 'due');
  await terminal.shows('Due (2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days):');
  terminal.type(`2026-02-30${key.enter}`);
  await terminal.screenShows(/: 2026-02-30\n> This is not a date in the calendar\n/, key.backspace);
  await terminal.screenShows(/: 2026-02-3\n\n/, `${key.backspace}28${key.enter}`);
  await terminal.shows('due: 2026-02-28', key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('not signed in: an error before any prompt', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openInProcess(context, stage, 'wm task update');
  await terminal.shows('Not signed in');
  assert.equal(await terminal.ended, 4);
  assert.doesNotMatch(terminal.text, /Task \(id or permalink/);
});
