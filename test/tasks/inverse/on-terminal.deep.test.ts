// Undo on a terminal: of several tasks at once, and while another wm undoes the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

const id = sample.task;

test('several updates made on a terminal can each be undone', { skip }, async (context) => {
  const stage = await setStage(context);
  const ids = [id, sample.backlog];
  const update = openTerminal(context, stage, `wm task update ${ids.join(' ')} --title both`);
  await update.shows('Update 2 tasks?', 'y\r');
  assert.equal(await update.ended, 0);
  for (const one of ids) {
    const undo = openTerminal(context, stage, `wm task undo ${one} --yes`);
    await undo.shows(/title:? +both -> /);
    assert.equal(await undo.ended, 0);
  }
});

test('on a terminal: another wm undoes it during the prompt, and this one asks again', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const wide = { columns: 200, environment: { NO_COLOR: '1' } };
  const title = async () => {
    const ran = openTerminal(context, stage, `wm task get ${id}`, wide);
    assert.equal(await ran.ended, 0, ran.text);
    return ran.text;
  };
  const updated = openTerminal(context, stage, `wm task update ${id} --title NEW`, wide);
  assert.equal(await updated.ended, 0, updated.text);
  const undo = openTerminal(context, stage, `wm task undo ${id}`, wide);
  await undo.shows('Undo the last update of "NEW"? (y/N)');
  // No lock is held while a person thinks.
  const other = openTerminal(context, stage, `wm task undo ${id} --yes`, wide);
  assert.equal(await other.ended, 0, other.text);
  undo.type(`y${key.enter}`);
  await undo.shows(`Another wm has undone the last update of ${id} in the meantime`);
  await undo.shows(/title:? +Write the launch page -> NEW/);
  await undo.shows('Undo the last update of "Write the launch page"? (y/N)', key.enter);
  assert.equal(await undo.ended, 2, undo.text);
  assert.match(await title(), /Write the launch page/);
});
