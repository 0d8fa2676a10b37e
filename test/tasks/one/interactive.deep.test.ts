// An interactive update on a terminal: several values, and each way to end it.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { unassignAda } from '#test/tasks/select/pick-task.ts';
import { choose, id, taskOf } from './interactive.ts';

test('with flags and no task, asks only for the task; a no changes nothing', { skip }, async (context) => {
  const stage = await setStage(context);
  await unassignAda(stage, sample.bug, sample.recurrent);
  const terminal = openTerminal(context, stage, 'wm task update --status Completed');
  await choose(terminal, 'Write the launch page');
  await terminal.shows('Update "Write the launch page"? (y/N)', `n${key.enter}`);
  await terminal.shows('Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
  assert.equal((await taskOf(stage)).status, 'Active');
});

test('the choice to cancel changes nothing', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`);
  await terminal.shows('What do you want to change?');
  await choose(terminal, 'Cancel: change nothing');
  await terminal.shows('wm: Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
});

test('several values of one flag, and a no', { skip }, async (context) => {
  const stage = await setStage(context);
  const environment = { NO_COLOR: '1' };
  const terminal = openTerminal(context, stage, `wm task update ${id}`, { columns: 200, environment });
  await terminal.shows('What do you want to change?');
  await choose(terminal, 'metadata');
  await terminal.shows(/\? Set metadata entries.*:/, `a=1${key.enter}`);
  await terminal.shows('Done: check and send');
  await choose(terminal, 'metadata: a=1');
  await terminal.shows('metadata: a=1');
  await choose(terminal, 'Add another');
  await terminal.shows(/\? Set metadata entries.*:/, `b=2${key.enter}`);
  await terminal.shows('metadata: a=1, b=2');
  await choose(terminal, 'add responsible placeholders');
  await terminal.shows(/✔ .*placeholders\n\? .*:/);
  // Of a list, the entry that is invalid is named.
  terminal.type(`${sample.placeholder},a b${key.enter}`);
  await terminal.shows('> entry 2: "a b" is not a PlaceholderId', `${key.backspace.repeat(4)}${key.enter}`);
  await terminal.shows('Done: check and send');
  // The filter takes two, and the other one is first.
  terminal.type('follow');
  await terminal.screenShows(/^❯ add followers/m, key.down);
  await terminal.screenShows(/^❯ follow$/m, key.enter);
  await terminal.shows('Follow the task? (y/N)', `n${key.enter}`);
  await terminal.shows('Done: check and send', key.enter);
  await terminal.shows(/\nmetadata: +a=\(none\) -> a=1, b=\(none\) -> b=2\n/);
  await terminal.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { metadata, followedByMe } = await taskOf(stage);
  assert.deepEqual(metadata, [
    { key: 'source', value: 'import' },
    { key: 'a', value: '1' },
    { key: 'b', value: '2' },
  ]);
  assert.equal(followedByMe, false);
});

test('an undo log that cannot be written ends the command: another value would not help', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  await mkdir(join(stage.folder, 'config', 'state'), { recursive: true, mode: 0o700 });
  await writeFile(join(stage.folder, 'config', 'state', 'undo'), '');
  const terminal = openTerminal(context, stage, `wm task update ${id}`, { columns: 200 });
  await terminal.shows('What do you want to change?');
  await choose(terminal, 'title');
  await terminal.shows('New title:', `${key.clear}Ship it${key.enter}`);
  await terminal.shows('Done: check and send', key.enter);
  await terminal.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await terminal.ended, 1, terminal.text);
  assert.match(terminal.text, /wm: Cannot create \S+\/state\/undo\/locks\n/);
  assert.equal((await taskOf(stage)).title, 'Write the launch page');
});

test('Ctrl-C leaves everything as it was', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`);
  await terminal.shows('What do you want to change?', key.interrupt);
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
});
