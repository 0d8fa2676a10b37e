// Property: undo restores the task as it was before any update. Some 450 updates, with every parameter among them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskParameters } from '#test/witness/task-update.ts';
import { undoAnyUpdates } from './any-update.ts';

test('undo restores the task, except for what it names before the prompt', async (context) => {
  const { undone, parameters, types } = await undoAnyUpdates(context, 250);
  assert.ok(undone >= 200, `${undone} undone`);
  assert.deepEqual([...parameters].toSorted(), taskParameters.map(({ name }) => name).toSorted());
  assert.deepEqual([...types].toSorted(), ['Backlog', 'Milestone', 'Planned']);
});
