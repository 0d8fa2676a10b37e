// The editor of `wm task update ID` on a terminal: fields found by what people call them, texts to edit, lists to pick names from.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { choose, id, taskOf } from './interactive.ts';
import { refusing } from './typed-values-stay.ts';

async function opened(context: TestContext) {
  const stage = await setStage(context);
  const environment = { NO_COLOR: '1' };
  const terminal = openTerminal(context, stage, `wm task update ${id}`, { columns: 200, environment });
  await terminal.shows('What do you want to change?');
  return { stage, terminal };
}

test('finds a field by the words that people use for it', { skip }, async (context) => {
  const { terminal } = await opened(context);
  for (const [word, field] of [
    ['assignee', 'add responsibles'],
    ['assignees', 'add responsibles'],
    ['due', 'due'],
    ['deadline', 'due'],
    ['folder', 'add parents'],
    ['move', 'add parents'],
    ['priority', 'importance'],
  ] as const) {
    terminal.type(word);
    await terminal.screenShows((lines) => {
      const screen = lines.join('\n');
      return screen.includes(`change? ${word}\n`) && new RegExp(`^❯ ${field}$`, 'm').test(screen);
    });
    terminal.type(key.backspace.repeat(word.length));
    await terminal.screenShows(/change\?$/m);
  }
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('edits texts, and corrects or removes one of several values', { skip }, async (context) => {
  const { stage, terminal } = await opened(context);
  await choose(terminal, 'title');
  await terminal.screenShows(/New title: Write the launch page$/m);
  terminal.type(`${key.backspace.repeat(4)}site${key.enter}`);
  await terminal.shows('title: Write the launch site');
  for (const [at, typed] of ['a=1', 'b=2', 'c=3'].entries()) {
    await choose(terminal, 'metadata');
    if (at > 0) await choose(terminal, 'Add another');
    await terminal.shows(/\? Set metadata entries.*:/, `${typed}${key.enter}`);
    await terminal.shows('Done: check and send');
  }
  await choose(terminal, 'metadata');
  await choose(terminal, 'Change b=2');
  await terminal.screenShows(/\? Set metadata entries.*: b=2$/m, `${key.backspace}5${key.enter}`);
  await terminal.screenShows('metadata: a=1, b=5, c=3');
  await choose(terminal, 'metadata');
  await choose(terminal, 'Remove a=1');
  await terminal.screenShows(/metadata: b=5, c=3$/m);
  await choose(terminal, 'title');
  await choose(terminal, 'Change it');
  await terminal.screenShows(/New title: Write the launch site$/m, `s${key.enter}`);
  await terminal.screenShows(/title: Write the launch sites$/m);
  await choose(terminal, 'Done');
  await terminal.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { title, metadata } = await taskOf(stage);
  assert.equal(title, 'Write the launch sites');
  assert.deepEqual(metadata.slice(1), [
    { key: 'b', value: '5' },
    { key: 'c', value: '3' },
  ]);
});

test('a due date alone asks whether to keep the start; a start given later settles it', {
  skip,
}, async (context) => {
  const { stage, terminal } = await opened(context);
  await choose(terminal, 'due');
  await terminal.shows(/\? Due .*:/, `2026-02-12${key.enter}`);
  await terminal.shows('due: 2026-02-12');
  await choose(terminal, 'Done');
  const question = 'The task starts 2026-02-02T09:00:00. Keep that start?';
  await terminal.shows(`${question} (y/N)`, `y${key.enter}`);
  await terminal.shows(/due: +2026-02-06T17:00:00 -> 2026-02-12/);
  await terminal.shows(`Update ${id}? (y/N)`);
  await control(stage.emulator, 'POST', '/faults', refusing);
  terminal.type(`y${key.enter}`);
  await terminal.shows('invalid_parameter');
  await terminal.screenShows('due: 2026-02-12');
  // The answer stays, too.
  await choose(terminal, 'Done');
  await terminal.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal(terminal.text.split(`✔ ${question} Yes`).length, 2);
  const { dates } = await taskOf(stage);
  assert.deepEqual([dates.type, dates.start], ['Planned', '2026-02-02T09:00:00']);
  assert.match(dates.due, /^2026-02-12/);

  const again = openTerminal(context, stage, `wm task update ${id}`, { columns: 200 });
  await choose(again, 'due');
  await again.shows(/\? Due .*:/, `2026-02-13${key.enter}`);
  await choose(again, 'Done');
  await again.shows('Keep that start? (y/N)', `y${key.enter}`);
  await again.shows(`Update ${id}? (y/N)`);
  await control(stage.emulator, 'POST', '/faults', refusing);
  again.type(`y${key.enter}`);
  await again.shows('invalid_parameter');
  await choose(again, 'start');
  await again.shows(/\? Start .*:/, `2026-02-03${key.enter}`);
  await again.shows('start: 2026-02-03');
  await choose(again, 'Done');
  await again.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await again.ended, 0, again.text);
  assert.match((await taskOf(stage)).dates.start, /^2026-02-03/);
});

test('picks users, folders, statuses and fields from lists, and shows them by name', {
  skip,
}, async (context) => {
  const { stage, terminal } = await opened(context);
  await choose(terminal, 'assignee', 'add responsibles');
  await terminal.screenShows(/\[ \] Ada Fields/, 'ada');
  await terminal.screenShows(/^❯ \[ \] Ada Fields/m, key.enter);
  await terminal.screenShows(/add responsibles: Ada Fields$/m);
  await choose(terminal, 'folder', 'add parents');
  terminal.type('catalogue');
  await terminal.screenShows(/^❯ \[ \] Spring catalogue/m, key.enter);
  await terminal.screenShows(/add parents: Spring catalogue$/m);
  await choose(terminal, 'custom status');
  await choose(terminal, 'In review');
  await terminal.screenShows(/custom status: In review$/m);
  await choose(terminal, 'custom field');
  await choose(terminal, 'Risk');
  // With the value that it has now.
  await terminal.screenShows(/^\? .*: Risk=High$/m, `${key.backspace.repeat(4)}Lo${key.enter}`);
  await terminal.shows('"Lo" is not one of its choices');
  await terminal.screenShows(/^\? .*: Risk=Lo$/m, `w${key.enter}`);
  await terminal.screenShows(/custom field: Risk=Low$/m);
  await choose(terminal, 'Done');
  await terminal.shows(/add parents: +Spring catalogue\n/);
  await terminal.shows(/add responsibles: +Ada Fields\n/);
  await terminal.shows(/custom status: +New -> In review\n/);
  await terminal.shows(`Update ${id}? (y/N)`, `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { parentIds, responsibleIds } = await taskOf(stage);
  assert.ok(parentIds.includes(sample.project), parentIds);
  assert.ok(responsibleIds.includes(sample.ada), responsibleIds);
});

test('reports an unknown name at the prompt, which asks again; drops nothing else', {
  skip,
}, async (context) => {
  const { terminal } = await opened(context);
  await choose(terminal, 'title');
  await terminal.screenShows(/New title: Write the launch page$/m, `s${key.enter}`);
  await terminal.screenShows(/^ {2}title: Write the launch pages$/m);
  for (const [field, wrong, right, label] of [
    ['add responsibles', 'Ada Feilds', 'Ada Fields', 'the name or id of a user'],
    ['add parents', 'Spring catalog', 'Spring catalogue', 'the title of a folder'],
    ['add parents', 'Websit', 'Website', 'the title of a folder'],
    ['custom status', 'In reviw', 'In review', 'a custom status'],
  ] as const) {
    await choose(terminal, field);
    if (field === 'add parents' && wrong === 'Websit') await choose(terminal, 'Add another');
    await terminal.screenShows(/\d of \d+, type to filter/, 'Type it');
    await terminal.screenShows(/^❯ (?:\[ \] )?Type it/m, key.enter);
    await terminal.screenShows(/^\? .*: *$/m, `${wrong}${key.enter}`);
    await terminal.shows(`"${wrong}" is not ${label}`);
    // What was typed is there to be corrected.
    await terminal.screenShows(new RegExp(`^\\? .*: ${wrong}$`, 'm'), `${key.clear}${right}${key.enter}`);
    await terminal.screenShows(new RegExp(`^ {2}${field}: .*${right}$`, 'm'));
  }
  await terminal.screenShows(/^ {2}title: Write the launch pages$/m, key.interrupt);
  assert.equal(await terminal.ended, 130);
});
