// `--all` with its filters: what is suspended, resumed or deleted by it, and what it leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { urls, withOldAndNew } from './old-and-new.ts';

test('--all acts on every webhook that passes the filters', async (context) => {
  const { wm, suspended, resumeAll } = await withOldAndNew(context);
  for (const [flags, names] of [
    [[], ['archive', 'billing', 'invoices', 'tasks']],
    [
      ['--status', 'active', '--url', 'https://old.example/*'],
      ['archive', 'invoices'],
    ],
    [
      ['--url', 'OLD.example'],
      ['archive', 'invoices'],
    ],
    [['--url', 'https://*/billing'], ['billing']],
    [['--folder', sample.folder], ['tasks']],
    [['--folder', 'website'], ['tasks']],
    [['--event', 'taskcreated'], ['tasks']],
    [['--event', 'TaskCreated', '--url', 'hooks.example.com'], ['tasks']],
  ] as const) {
    const ran = await wm(['webhook', 'suspend', '--all', ...flags, '--yes']);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(await suspended(), names, flags.join(' '));
    await resumeAll();
  }
});

for (const flags of [
  ['--folder', 'website'],
  ['--event', 'taskcreated'],
])
  test(`resume and delete --all ${flags.join(' ')}: the others are left alone`, async (context) => {
    const { wm, ids, suspended, suspend } = await withOldAndNew(context);
    for (const id of Object.values(ids)) await suspend(id);
    const resumed = await wm([
      ...['webhook', 'resume', '--all', '--status', 'suspended'],
      ...flags,
      '--no-verify',
      '--yes',
    ]);
    assert.equal(resumed.status, 0, resumed.errors);
    assert.deepEqual(await suspended(), ['archive', 'billing', 'invoices']);
    const deleted = await wm(['webhook', 'delete', '--all', ...flags, '--yes']);
    assert.equal(deleted.output, `${ids.tasks}\tdeleted\t${urls.tasks}\n`);
  });
