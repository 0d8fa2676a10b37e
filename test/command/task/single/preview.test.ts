// The preview and the result of an update: before it, the current values beside the new ones; after it, the previous values
// beside those that the service returned, never what was typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { updateFlags } from '../../../../src/command/task/input/update-flags.ts';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { call, query } from '../../../emulator/start.ts';
import { key, openTerminal, skip, type Terminal } from '../../../terminal/terminal.ts';
import { setStage } from '../../../transcript/stage.ts';

const id = sample.task;
const environment = { NO_COLOR: '1' };
const wide = { columns: 200, environment };

async function say(terminal: Terminal, name: keyof typeof updateFlags, text: string): Promise<void> {
  await terminal.shows('What do you want to change?');
  await terminal.shows('❯');
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  terminal.type(label);
  // Enter counts once the choice is seen.
  await terminal.screenShows(new RegExp(`^❯ ${label}`, 'm'));
  terminal.type(key.enter);
  await terminal.shows(/\? .*:/);
  terminal.type(text);
  await terminal.shows(text);
  terminal.type(key.enter);
}

/** Done: check and send; shown up to the question. */
async function check(terminal: Terminal): Promise<string> {
  await terminal.shows('❯ Done: check and send');
  terminal.type(key.enter);
  const [shown] = await terminal.shows(/✔ What do you want to change\?[\s\S]*\(y\/N\)/);
  return shown;
}

test('what is there already is no change, before and after', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'title', 'Write the launch page');
  const shown = await check(terminal);
  assert.match(shown, /\ntitle: +Write the launch page \(unchanged\)\n/);
  assert.match(shown, /\nThe task already has all these values\.\n/);
  assert.ok(!shown.includes('->'), shown);
  terminal.type(`y${key.enter}`);
  await terminal.shows('Nothing changed.');
  assert.equal(await terminal.ended, 0);
});

test('lists and entries: what is in them already, and what is not', { skip }, async (context) => {
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

test('each value of an update beside the current one: names, JSON, and what is removed', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'addParents', sample.project);
  await say(terminal, 'addSuperTasks', sample.milestone);
  await say(terminal, 'removeResponsiblePlaceholders', sample.placeholder);
  await say(terminal, 'customStatus', 'In review');
  await say(terminal, 'customField', 'Colours=Red');
  await say(terminal, 'removeCustomField', sample.numeric);
  await say(terminal, 'removeMetadata', 'source');
  await say(terminal, 'effortAllocation', '{"mode":"Basic"}');
  await say(terminal, 'convertToCustomItemType', sample.storyType);
  const shown = await check(terminal);
  const lines = shown.match(/^[a-z ]+: +\S.*$/gm)?.map((line) => line.trim().replace(/: +/, ': '));
  assert.deepEqual(lines, [
    `add parents: Spring catalogue (${sample.project})`,
    `remove responsible placeholders: ${sample.placeholder}`,
    `add super tasks: ${sample.milestone}`,
    'metadata: source=import -> source=(none)',
    'custom fields: Copies=(none), Colours=Red and <b>gold</b> -> Colours=Red',
    'custom status: New -> In review',
    'effort allocation: {"mode":"Basic"}',
    `convert to custom item type: ${sample.storyType}`,
  ]);
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

test('HTML and spaces: the result shows what the service made of them', {
  skip,
}, async (context) => {
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

test('what somebody else changed during the prompts is not shown as a change of the update', {
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
