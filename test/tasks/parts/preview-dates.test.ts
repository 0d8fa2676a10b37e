// The result of an update of dates on a terminal. preview-dates.deep.test.ts has what the service drops with them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';

const wide = { columns: 200, environment: { NO_COLOR: '1' } };

test('changing only the weekends is a change, and can be undone', { skip }, async (context) => {
  const stage = await setStage(context);
  const id = sample.backlog;
  const update = openInProcess(context, stage, `wm task update ${id} --work-on-weekends`, wide);
  await update.shows(/works on weekends:? +false -> true/);
  await update.shows('To undo');
  assert.equal(await update.ended, 0);
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  await undo.shows(/works on weekends:? +true -> false/);
  await undo.shows('(y/N)', `y${key.enter}`);
  await undo.shows(/works on weekends:? +true -> false/);
  assert.equal(await undo.ended, 0);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${id}`);
  assert.deepEqual(body.data[0].dates, { type: 'Backlog', workOnWeekends: false });
});
