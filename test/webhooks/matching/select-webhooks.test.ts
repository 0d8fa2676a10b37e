// What users type for a webhook: its id, its label, its URL or a part of it; what means several or none changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFront } from '#test/support/service/intercept.ts';
import { hook, hookId, hooks } from '#test/support/service/scripted-service.ts';
import { writeLocal } from '../local-records.ts';
import { answering } from '../records.ts';
import { urls, withOldAndNew } from './old-and-new.ts';

test('finds a webhook by its id, label, URL, or part of one, ignoring case', async (context) => {
  const { wm, ids, suspended, resumeAll, environment } = await withOldAndNew(context);
  // `Bill` is the label of one webhook, and stands within a word of the URL of another.
  await writeLocal(environment, {
    [ids.archive]: { label: 'Bill' },
    [ids.tasks]: { label: 'Night Sync' },
  });
  for (const [texts, names] of [
    [[ids.billing], ['billing']],
    [['night sync'], ['tasks']],
    [['BILL'], ['archive']],
    [['https://HOOKS.example.com:443/billing'], ['billing']],
    [['com/BILL'], ['billing']],
    [['ght sy'], ['tasks']],
    // Two texts for one webhook, and two that differ.
    [
      ['/inv', ids.invoices, urls.billing],
      ['billing', 'invoices'],
    ],
  ] as const) {
    const ran = await wm(['webhook', 'suspend', ...texts, '--yes']);
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(await suspended(), names, texts.join(', '));
    assert.equal(ran.output.trimEnd().split('\n').length, names.length);
    await resumeAll();
  }
});

test('treats a text that may be the id of an unlisted webhook as an id', async (context) => {
  const { wm } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'suspend', 'hook_17', '--yes', '--verbose']);
  assert.equal(ran.status, 5, ran.errors);
  assert.match(ran.errors, /GET \S+\/webhooks\/hook_17 .*404/);
  assert.match(ran.errors, /^wm: No webhook matches "hook_17"$/m);
});

test('the label of an unlisted webhook does not select others with that text in a URL or label', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context);
  const gone = 'IEAAAAAQJAAAZZZZ';
  await writeLocal(environment, { [gone]: { label: 'Billing' }, [ids.tasks]: { label: 'billing sync' } });
  for (const verb of ['suspend', 'delete', 'rotate-secret']) {
    const ran = await wm(['webhook', verb, 'billing', '--yes']);
    assert.equal(ran.status, 5, ran.errors);
    assert.match(ran.errors, new RegExp(`Webhook ${gone} was not found`));
    assert.deepEqual(await suspended(), []);
  }
});

test('a label of two webhooks matches both: exit 2 with their ids, nothing is changed', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context);
  const [gone, other] = ['IEAAAAAQJAAAZZZZ', 'IEAAAAAQJAAAZZZY'];
  for (const [held, says] of [
    [[ids.archive, ids.tasks], 'matches 2 webhooks'],
    // Neither is listed.
    [[gone, other], 'is the label of 2 webhooks'],
  ] as const) {
    await writeLocal(environment, Object.fromEntries(held.map((id) => [id, { label: 'Twice' }])));
    for (const verb of ['suspend', 'delete', 'get']) {
      const ran = await wm(['webhook', verb, 'twice', '--yes']);
      assert.equal(ran.status, 2, ran.errors);
      assert.ok(ran.errors.startsWith(`wm: "twice" ${says}\n`), ran.errors);
      for (const id of held) assert.ok(ran.errors.includes(`\n  ${id}`), ran.errors);
    }
    assert.deepEqual(await suspended(), []);
  }
});

test('an empty text, as from an unset variable, does not select the only webhook', async (context) => {
  const { wm, asked } = await answering(context, {
    'GET webhooks': [hooks(hook)],
    [`GET webhooks/${hookId}`]: [hooks(hook)],
  });
  for (const verb of ['suspend', 'delete', 'resume', 'get', 'watch', 'verify', 'diagnose', 'rotate-secret'])
    for (const text of ['', ' ']) {
      const ran = await wm(['webhook', verb, text, ...(/^(?:suspend|delete)$/.test(verb) ? ['--yes'] : [])]);
      assert.equal(ran.status, 2, `${verb}: ${ran.errors}`);
    }
  assert.deepEqual(asked, []);
});

test('does not look up a text in the form of an id, unless it is a label', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context);
  const requests: string[] = [];
  const host = await inFront(context, environment['WM_HOST'], ({ method, url }) => {
    requests.push(`${method} ${url?.replace(/^.*\/webhooks/, '')}`);
    return false;
  });
  const setting = { environment: { WM_HOST: host } };
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--yes'], setting)).status, 0);
  // The list shows what else delivers there.
  assert.deepEqual(requests, [
    `GET /${ids.tasks}`,
    'GET ',
    `PUT /${ids.tasks}?status=Suspended`,
    `GET /${ids.tasks}`,
  ]);
  await writeLocal({ ...environment, WM_HOST: host }, { [ids.billing]: { label: 'BILLINGSYNC2' } });
  assert.equal((await wm(['webhook', 'suspend', 'BILLINGSYNC2', '--yes'], setting)).status, 0);
  assert.deepEqual(await suspended(), ['billing', 'tasks']);
});
