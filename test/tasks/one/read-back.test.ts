// What an update changed is shown by reading the task afterwards. If that fails, the update still counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';

const id = sample.task;

test('an update that cannot be read back still counts, and shows its response', { skip }, async (context) => {
  const stage = await setStage(context);
  // In front of the emulator: no task can be read once one was changed.
  let changed = false;
  const host = await inFront(context, stage.emulator.host, (request, response) => {
    if (changed && request.method === 'GET') return fail(response, 403, 'not_allowed');
    changed ||= request.method === 'PUT';
    return false;
  });
  const terminal = openInProcess(context, stage, `wm task update ${id} --title 'Ship it'`, {
    columns: 200,
    environment: { WM_HOST: host },
  });
  await terminal.shows('Updated, but the changes could not be read: ');
  await terminal.shows(/title: +Ship it/);
  assert.equal(await terminal.ended, 0);
});
