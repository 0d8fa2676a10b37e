// The preview and the result of an update on a terminal: lists, days in words, HTML, and changes of others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { check, id, say, wide } from './preview.ts';

test('lists and entries: what they already contain, and what they do not', { skip }, async (context) => {
  const stage = await setStage(context);
  const { body } = await call(
    stage.emulator,
    'PUT',
    `/tasks/${id}?${query({ metadata: [{ key: 'build', value: '1' }] })}`,
  );
  const [there = ''] = body.data[0].responsibleIds;
  assert.match(there, /^KU/);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'addResponsibles', there);
  await say(terminal, 'metadata', 'build=2');
  const shown = await check(terminal);
  assert.ok(shown.includes(`\nadd responsibles: Ben Okafor (${there}) (unchanged)\n`), shown);
  assert.match(shown, /\nmetadata: +build=1 -> build=2\n/);
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('a day in words is shown as the date that is sent', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'start', 'today');
  await say(terminal, 'due', 'tomorrow');
  const shown = await check(terminal);
  assert.match(shown, /\nstart: +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d -> \d{4}-\d\d-\d\d \(today\)\n/);
  assert.match(shown, /\ndue: +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d -> \d{4}-\d\d-\d\d \(tomorrow\)\n/);
  terminal.type(`y${key.enter}`);
  // As the service has made it: with times, and with what follows from them.
  await terminal.shows(/dates: +Planned, .* -> Planned, \d{4}-\d\d-\d\dT\S+ to \d{4}-\d\d-\d\dT/);
  assert.equal(await terminal.ended, 0);
});

test('HTML and spaces: the result shows what the service made of them', { skip }, async (context) => {
  const stage = await setStage(context);
  await call(stage.emulator, 'PUT', `/tasks/${id}?${query({ description: '<b>Now</b>' })}`);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'description', '<div><b>Now</b></div>');
  assert.match(await check(terminal), /description: +<b>Now<\/b> -> <div><b>Now<\/b><\/div>/);
  terminal.type(`y${key.enter}`);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${id}`);
  assert.equal(body.data[0].description, '<b>Now</b>');
  await terminal.shows('Nothing changed.');
  assert.equal(await terminal.ended, 0);
});

test("another user's change during the prompts is not shown as a change of the update", {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'title', 'Ship it');
  await check(terminal);
  await call(stage.emulator, 'PUT', `/tasks/${id}?importance=High`);
  terminal.type(`y${key.enter}`);
  await terminal.shows('title: Write the launch page -> Ship it');
  await terminal.shows('To undo');
  assert.equal(await terminal.ended, 0);
  assert.ok(!terminal.text.includes('Normal -> High'), terminal.text);
});
