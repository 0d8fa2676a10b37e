// Property: undo restores the task as it was before any update. A few cases; any-update.deep.test.ts tries many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAnyUpdates } from './any-update.ts';

test('undo restores the task after a few updates of any kind', async (context) => {
  const { undone } = await undoAnyUpdates(context, 5);
  assert.ok(undone >= 3, `${undone} undone`);
});
