// The preview and the result of an update: before it, the current values beside the new ones; after it, the previous values
// beside those that the service returned, never what was typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { check, id, linesIn, say, wide } from './preview.ts';

test('a value that is already set is not shown as a change, before or after', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'title', 'Write the launch page');
  const shown = await check(terminal);
  assert.match(shown, /\ntitle: +Write the launch page \(unchanged\)\n/);
  assert.match(shown, /\nThe task already has all these values\.\n/);
  assert.ok(!shown.includes('->'), shown);
  terminal.type(`y${key.enter}`);
  await terminal.shows('Nothing changed.');
  assert.equal(await terminal.ended, 0);
});

test('shows each value of an update beside the current one: names, JSON, and removals', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'addParents', sample.project);
  await say(terminal, 'addSuperTasks', sample.milestone);
  await say(terminal, 'removeResponsiblePlaceholders', sample.placeholder);
  await say(terminal, 'customStatus', 'In review');
  await say(terminal, 'customField', 'Colours=Red');
  await say(terminal, 'removeCustomField', sample.numeric);
  await say(terminal, 'removeMetadata', 'source');
  await say(terminal, 'effortAllocation', '{"mode":"Basic"}');
  await say(terminal, 'convertToCustomItemType', sample.storyType);
  assert.deepEqual(linesIn(await check(terminal)), [
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
