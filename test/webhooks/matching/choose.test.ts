// `--all` with its filters: what is suspended, resumed or deleted by it, and what it leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { hook, hooks } from '#test/support/service/scripted-service.ts';
import { writeLocal } from '../local-records.ts';
import { answering } from '../records.ts';
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

test('resume and delete take --all too; --status selects', async (context) => {
  const { wm, ids, suspended, suspend } = await withOldAndNew(context);
  await suspend(ids.billing);
  await suspend(ids.archive);
  const resumed = await wm(['webhook', 'resume', '--all', '--status', 'Suspended', '--url', 'old', '--yes']);
  assert.equal(resumed.status, 0, resumed.errors);
  assert.deepEqual(await suspended(), ['billing']);
  const deleted = await wm(['webhook', 'delete', '--all', '--status', 'suspended', '--yes']);
  assert.equal(deleted.status, 0, deleted.errors);
  assert.equal(deleted.output, `${ids.billing}\tdeleted\t${urls.billing}\n`);
});

for (const flags of [
  ['--folder', 'website'],
  ['--event', 'taskcreated'],
])
  test(`resume and delete --all ${flags.join(' ')}: the others are left alone`, async (context) => {
    const { wm, ids, suspended, suspend } = await withOldAndNew(context);
    for (const id of Object.values(ids)) await suspend(id);
    const resumed = await wm(['webhook', 'resume', '--all', ...flags, '--no-verify', '--yes']);
    assert.equal(resumed.status, 0, resumed.errors);
    assert.deepEqual(await suspended(), ['archive', 'billing', 'invoices']);
    const deleted = await wm(['webhook', 'delete', '--all', ...flags, '--yes']);
    assert.equal(deleted.output, `${ids.tasks}\tdeleted\t${urls.tasks}\n`);
  });

test('changes nothing without confirmation; the question names each webhook', async (context) => {
  const { wm, ids, suspended, suspend } = await withOldAndNew(context);
  const both = `${urls.archive} (${ids.archive}) and ${urls.invoices} (${ids.invoices})`;
  for (const [verb, question] of [
    ['suspend', `Suspend 2 webhooks: ${both}?`],
    ['delete', `Delete 2 webhooks for good: ${both}?`],
  ] as const) {
    const ran = await wm(['webhook', verb, '--all', '--url', 'old.example']);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.includes(`Not confirmed: ${question}`), ran.errors);
  }
  assert.deepEqual(await suspended(), []);
  // Also resuming, which asks about no webhook that is named.
  await suspend(ids.archive);
  const resume = await wm(['webhook', 'resume', '--all']);
  assert.equal(resume.status, 2, resume.errors);
  assert.deepEqual(await suspended(), ['archive']);
});

test('--dry-run shows the requests of --all', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'suspend', '--all', '--url', 'old', '--dry-run', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const paths = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => new URL(JSON.parse(line).url).pathname);
  assert.deepEqual(paths, [`/api/v4/webhooks/${ids.archive}`, `/api/v4/webhooks/${ids.invoices}`]);
  assert.deepEqual(await suspended(), []);
});

test('leaves out webhooks with unknown events or space, with a warning', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context, { mode: 'bare' });
  const at = '2026-03-02T12:00:00Z';
  const created = { at, signed: false };
  await writeLocal(environment, {
    [ids.archive]: { created: { ...created, hookUrl: urls.archive, spaceId: sample.space } },
    [ids.billing]: { created: { ...created, hookUrl: urls.billing, events: ['TaskDeleted'] } },
    [ids.tasks]: {
      created: { ...created, hookUrl: urls.tasks, parameterisedEvents: [{ event: 'TaskCreated' }] },
    },
  });
  const unknown = 'the service does not show the events or the space, and this machine has no record.';
  for (const [flags, names] of [
    // Of all events, the first; of the named ones, those of the last.
    [
      ['--event', 'TaskCreated'],
      ['archive', 'tasks'],
    ],
    [['--folder', sample.space], ['archive']],
    [['--folder', 'Studio'], ['archive']],
    // What fails another filter is not counted.
    [['--event', 'TaskDeleted', '--url', 'hooks.example.com'], ['billing']],
  ] as const) {
    const ran = await wm(['webhook', 'suspend', '--all', ...flags, '--yes']);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(await suspended(), names, flags.join(' '));
    const says = ran.errors.includes(`Left out 1 webhook: ${unknown}`);
    assert.equal(says, !flags.some((flag) => flag === '--url'), ran.errors);
    const back = await wm(['webhook', 'resume', '--all', '--status', 'Suspended', '--yes']);
    assert.equal(back.status, 0, back.errors);
  }
  await writeLocal(environment, {});
  const none = await wm(['webhook', 'suspend', '--all', '--event', 'TaskCreated', '--yes']);
  assert.equal(none.status, 5, none.errors);
  assert.ok(none.errors.includes(`Left out 4 webhooks: ${unknown}`), none.errors);
});

test('no match: exit 5, and why others may exist', async (context) => {
  const { wm } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'delete', '--all', '--url', 'nowhere', '--yes']);
  assert.equal(ran.status, 5, ran.errors);
  assert.equal(
    ran.errors,
    "wm: No webhook matches\n  Only webhooks created by this token's application are listed.\n",
  );
});

for (const [words, message, hint] of [
  [
    ['suspend', 'IEAAAAAQJAAAAAAB', '--all'],
    '--all cannot be combined with an ID',
    'Give the webhooks, or --all.',
  ],
  [['delete', '--url', 'x'], '--url needs --all', 'To delete all that match, add --all.'],
  [
    ['resume', '--url', 'x', '--status', 'Suspended'],
    '--status and --url need --all',
    'To resume all that match, add --all.',
  ],
  [
    ['suspend', '--all', '--event', 'TaskCreate'],
    '--event: "TaskCreate" is not an event',
    'Did you mean TaskCreated?',
  ],
] as const) {
  test(`${words.join(' ')}: a usage error; nothing is sent`, async (context) => {
    const { wm, asked } = await answering(context, {});
    const ran = await wm(['webhook', ...words, '--yes']);
    assert.equal(ran.status, 2, ran.errors);
    assert.equal(ran.errors, `wm: ${message}\n  ${hint}\n`);
    assert.deepEqual(asked, []);
  });
}

test('does not take a list in pages for all webhooks', async (context) => {
  const { wm, asked } = await answering(context, {
    'GET webhooks': [{ ...hooks(hook), nextPageToken: 'more' }],
  });
  const ran = await wm(['webhook', 'delete', '--all', '--yes']);
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /The list of webhooks is not complete, so wm cannot act on all of them/);
  assert.deepEqual(asked, ['GET webhooks']);
});
