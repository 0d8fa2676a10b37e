// `wm customfield list`: types and choices, of the account or of a space.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { answering } from '../webhooks/records.ts';
import { idsOf } from './rows.ts';

test('lists the account or a space, by title and by type', async (context) => {
  const { wm } = await emulated(context);
  const all = await wm(['customfield', 'list']);
  assert.equal(idsOf(all.output).length, 10);
  for (const [typed, ids] of [
    ['--space studio', [sample.contacts]],
    [`--space ${sample.space}`, [sample.contacts]],
    ['--title CO', [sample.text, sample.numeric, sample.percentage]],
    ['--type date', [sample.date]],
    ['--type Text --title zzz', []],
  ] as const) {
    const { output } = await wm(['customfield', 'list', ...typed.split(' ')], { exit: 0 });
    assert.deepEqual(idsOf(output), ids, typed);
  }
  const none = await wm(['customfield', 'list', '--type', 'Text', '--title', 'zzz']);
  assert.equal(none.errors, 'None of 10 custom fields matches.\n');
});

test('choices: quoted in a list if needed, and whether others are accepted', async (context) => {
  const choices = (settings: unknown) => ({ id: 'AAAAAAAAAAAAAAAA', title: 'F', type: 'DropDown', settings });
  const { wm } = await answering(context, {
    'GET customfields': [
      {
        kind: 'customfields',
        data: [
          choices({ values: ['Low', 'a, b', 7, 'say "x"'] }),
          choices({ values: ['Low'], allowOtherValues: true }),
          choices({ values: 'odd' }),
          choices(['odd']),
          choices(undefined),
          { id: 'BBBBBBBBBBBBBBBB' },
        ],
      },
    ],
  });
  const { output } = await wm(['customfield', 'list']);
  assert.deepEqual(
    output.split('\n').map((line) => line.split('\t').slice(3).join()),
    [String.raw`Low, "a, b", "say \\"x\\""`, 'Low, or any other', '', '', '', '', ''],
  );
  const typed = await wm(['customfield', 'list', '--type', 'DropDown', '--limit', '1']);
  assert.equal(idsOf(typed.output).length, 1);
});

test('says that there are none', async (context) => {
  const { wm } = await answering(context, { 'GET customfields': [{ kind: 'customfields', data: [] }] });
  assert.equal((await wm(['customfield', 'list'])).errors, 'No custom fields.\n');
});
