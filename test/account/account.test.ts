// `wm account`: the record of the account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { answering } from '../webhooks/records.ts';

test('the record, in a pipe and as JSON', async (context) => {
  const { wm } = await emulated(context);
  const { output } = await wm(['account']);
  assert.deepEqual(output.trimEnd().split('\t'), [
    sample.account,
    'Paper Lantern Studio',
    'dd/MM/yyyy',
    'Mon',
    'Mon, Tue, Wed, Thu, Fri',
    sample.root,
    sample.recycleBin,
    '2026-01-05T09:00:00Z',
    '2026-01-05T09:00:00Z',
  ]);
  const json = JSON.parse((await wm(['account', '--json'])).output);
  assert.deepEqual([json.id, json.rootFolderId], [sample.account, sample.root]);
  assert.match((await wm(['account', '--dry-run'])).output, /^GET \S+\/account\n/);
});

test('an account with only an id, and a response without an account', async (context) => {
  const only = await answering(context, {
    'GET account': [{ kind: 'accounts', data: [{ id: 'AAAAAAAA' }] }],
  });
  assert.equal((await only.wm(['account'])).output, `AAAAAAAA${'\t'.repeat(8)}\n`);
  const none = await answering(context, { 'GET account': [{ kind: 'accounts', data: [] }] });
  const { status, errors } = await none.wm(['account']);
  assert.equal(status, 1);
  assert.match(errors, /does not contain the account/);
});
