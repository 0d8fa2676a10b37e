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

test('a label that is also part of another URL matches both: exit 2, nothing is changed', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context);
  await writeLocal(environment, { [ids.archive]: { label: 'Billing' } });
  for (const flags of [['--yes'], ['--dry-run']]) {
    const ran = await wm(['webhook', 'suspend', 'billing', ...flags]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /^wm: "billing" matches 2 webhooks\n/);
    for (const id of [ids.archive, ids.billing]) assert.ok(ran.errors.includes(`\n  ${id}  `), ran.errors);
    assert.deepEqual(await suspended(), []);
  }
  // Its own URL does not count, and a label tells webhooks of one URL apart.
  await writeLocal(environment, { [ids.billing]: { label: 'billing' } });
  assert.equal((await wm(['webhook', 'suspend', 'billing', '--yes'])).status, 0);
  assert.deepEqual(await suspended(), ['billing']);
});

test('a text that matches several: lists the candidates, exit 2, nothing is changed', async (context) => {
  const { wm, ids, suspended, suspend, environment } = await withOldAndNew(context);
  await writeLocal(environment, { [ids.archive]: { label: 'cold storage' } });
  await suspend(ids.invoices);
  for (const flags of [['--yes'], ['--dry-run'], ['--curl']]) {
    const ran = await wm(['webhook', 'suspend', ids.billing, 'old.example', ...flags]);
    assert.equal(ran.status, 2, ran.errors);
    assert.equal(
      ran.errors,
      `wm: "old.example" matches 2 webhooks\n  Give the id of each that you mean:\n  ${ids.archive}  ${urls.archive}  Active  cold storage\n  ${ids.invoices}  ${urls.invoices}  Suspended\n`,
    );
    assert.deepEqual(await suspended(), ['invoices']);
  }
});

test('a text that matches none: exit 5, nothing is changed', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  for (const verb of ['suspend', 'delete', 'resume']) {
    const ran = await wm(['webhook', verb, ids.billing, 'https://no.example/', '--yes']);
    assert.equal(ran.status, 5, ran.errors);
    assert.equal(
      ran.errors,
      'wm: No webhook matches "https://no.example/"\n  no listed webhook has that id, label or URL, or contains it; searched: account IEAAAAAQ\n  To list them: wm webhook list\n  Only webhooks created by this token\'s application are listed.\n',
    );
    assert.equal(ran.output, '');
  }
  const word = await wm(['webhook', 'suspend', 'payments', '--yes']);
  assert.equal(word.status, 5);
  assert.match(
    word.errors,
    /^wm: No webhook matches "payments"\n {2}no listed webhook has that id, label or URL/,
  );
  assert.deepEqual(await suspended(), []);
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

test('a request that is only shown names the selected webhook', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'suspend', 'billing', '--dry-run', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const { method, url } = JSON.parse(ran.output);
  assert.deepEqual([method, new URL(url).pathname], ['PUT', `/api/v4/webhooks/${ids.billing}`]);
  assert.deepEqual(await suspended(), []);
});

test('resume asks to confirm a partial match, but not an exact name', async (context) => {
  const { wm, ids, suspended, suspend } = await withOldAndNew(context);
  await suspend(ids.billing);
  const others =
    '1 more active webhook delivers to other URLs of hooks.example.com. To list them: wm webhook list --status active --url //hooks.example.com/\n';
  const part = await wm(['webhook', 'resume', 'com/bill', '--no-verify']);
  assert.equal(part.status, 2, part.errors);
  assert.ok(
    part.errors.startsWith(`${others}wm: Not confirmed: Resume ${urls.billing} (${ids.billing})?\n`),
    part.errors,
  );
  assert.deepEqual(await suspended(), ['billing']);
  assert.equal((await wm(['webhook', 'resume', 'com/bill', '--no-verify', '--yes'])).status, 0);
  assert.deepEqual(await suspended(), []);
  await suspend(ids.billing);
  assert.equal((await wm(['webhook', 'resume', urls.billing, '--no-verify'])).status, 0);
  assert.deepEqual(await suspended(), []);
});

test('delete accepts the same texts', async (context) => {
  const { wm, ids } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'delete', 'archive', urls.tasks, '--yes', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const deleted = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.deepEqual(deleted, [ids.archive, ids.tasks]);
  assert.equal((await wm(['webhook', 'list', '-q'])).output.trimEnd().split('\n').length, 2);
});
