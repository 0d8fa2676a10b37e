// `wm workflow list`: a line for each status; JSON has the workflows as they came.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { answering } from '../webhooks/records.ts';
import { rowsOf } from './rows.ts';

test('lists workflows of the account and of a space, by name and by status', async (context) => {
  const { wm } = await emulated(context);
  assert.equal(rowsOf((await wm(['workflow', 'list'])).output).length, 9);
  assert.equal(rowsOf((await wm(['workflow', 'list', '--space', 'Back office'])).output).length, 4);
  assert.equal(rowsOf((await wm(['workflow', 'list', '--limit', '1'])).output).length, 4);
  const named = await wm(['workflow', 'list', '--name', 'EDIT']);
  assert.deepEqual(
    rowsOf(named.output).map(([id]) => id),
    [sample.inProgress, sample.inReview, sample.published, sample.onHold, sample.dropped],
  );
  const status = await wm(['workflow', 'list', '--status', 'completed', '--space', sample.space]);
  assert.deepEqual(rowsOf(status.output), [
    [
      sample.completedStatus,
      'Completed',
      'Completed',
      'Default workflow',
      sample.standardWorkflow,
      'standard',
    ],
  ]);
  const { output } = await wm(['workflow', 'list', '--status', 'review', '--json']);
  const [only, ...more] = JSON.parse(output);
  assert.deepEqual([only.name, only.customStatuses.length, more], ['Editorial', 5, []]);
  const none = await wm(['workflow', 'list', '--status', 'zzz']);
  assert.deepEqual([none.output, none.errors], ['', 'None of 2 workflows matches.\n']);
});

test('missing fields are empty; marks what is hidden', async (context) => {
  const { wm } = await answering(context, {
    'GET workflows': [
      {
        kind: 'workflows',
        data: [
          { id: 'W1' },
          { id: 'W2', name: 'Two', hidden: true, customStatuses: [{ id: 'AAAAAAAAAAAAAAAA' }] },
          {
            id: 'W3',
            standard: true,
            customStatuses: [{ id: 'BBBBBBBBBBBBBBBB', name: 'Old', hidden: true }],
          },
        ],
      },
    ],
    'GET spaces': [{ kind: 'spaces', data: [] }],
  });
  assert.deepEqual(rowsOf((await wm(['workflow', 'list'])).output), [
    ['', '', '', '', 'W1', ''],
    ['AAAAAAAAAAAAAAAA', '', '', 'Two', 'W2', 'hidden'],
    ['BBBBBBBBBBBBBBBB', 'Old', '', '', 'W3', 'standard, hidden'],
  ]);
});

for (const [space, path, says] of [
  [[], 'workflows', 'No workflows.\n'],
  [['--space', 'AAAAAAAASPC1'], 'spaces/AAAAAAAASPC1/workflows', 'The space has no workflows.\n'],
] as const) {
  test(`no workflows: ${path}`, async (context) => {
    const { wm } = await answering(context, {
      [`GET ${path}`]: [{ kind: 'workflows', data: [] }],
      'GET spaces': [{ kind: 'spaces', data: [] }],
    });
    assert.equal((await wm(['workflow', 'list', ...space])).errors, says);
  });
}
