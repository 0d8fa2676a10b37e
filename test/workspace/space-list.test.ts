// `wm space list`: archived spaces, which no sample has, and titles.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answering } from '../webhooks/records.ts';
import { idsOf } from './rows.ts';

const data = [
  { id: 'AAAAAAAAS1', title: 'Studio', accessType: 'Public', archived: false },
  { id: 'AAAAAAAAS2', title: 'Old studio', accessType: 'Private', archived: true },
  { id: 'AAAAAAAAS3' },
];

test('--archived, --no-archived, --title and --limit', async (context) => {
  const { wm } = await answering(context, { 'GET spaces': [{ kind: 'spaces', data }] });
  for (const [typed, ids] of [
    ['', ['AAAAAAAAS1', 'AAAAAAAAS2', 'AAAAAAAAS3']],
    ['--archived', ['AAAAAAAAS2']],
    ['--no-archived', ['AAAAAAAAS1', 'AAAAAAAAS3']],
    ['--title STUDIO', ['AAAAAAAAS1', 'AAAAAAAAS2']],
    ['--title studio --limit 1', ['AAAAAAAAS1']],
  ] as const)
    assert.deepEqual(idsOf((await wm(['space', 'list', ...typed.split(' ').filter(Boolean)])).output), ids);
  const { output } = await wm(['space', 'ls']);
  assert.equal(
    output,
    'AAAAAAAAS1\tStudio\tPublic\t\nAAAAAAAAS2\tOld studio\tPrivate\tarchived\nAAAAAAAAS3\t\t\t\n',
  );
  const none = await wm(['space', 'list', '--title', 'x']);
  assert.deepEqual([none.output, none.errors], ['', 'None of 3 spaces matches.\n']);
});

test('says that there are no spaces', async (context) => {
  const { wm } = await answering(context, { 'GET spaces': [{ kind: 'spaces', data: [] }] });
  const { output, errors, status } = await wm(['space', 'list']);
  assert.deepEqual([output, errors, status], ['', 'No spaces that you can see.\n', 0]);
});
