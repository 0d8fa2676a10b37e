// The table of calls has a row for each command, so that the test that runs the whole tree leaves none out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { invocations } from './invocations.ts';

test('every command has its row, and there are no other rows', () => {
  assert.deepEqual(Object.keys(invocations).toSorted(), commands.map(({ words }) => words).toSorted());
});
