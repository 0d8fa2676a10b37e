// `wm webhook label`: a name of the user's own for a webhook, stored on this machine, shown and taken everywhere.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { localPath, readLocal, writeLocal } from './local-records.ts';
import { urls, withOldAndNew } from './matching/old-and-new.ts';
import { onStage } from './on-stage.ts';
import { answering } from './records.ts';

test('two concurrent commands cannot give one label to two webhooks', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  const ran = await Promise.all(Object.values(ids).map((id) => wm(['webhook', 'label', id, 'the one'])));
  assert.deepEqual(ran.map(({ status }) => status).toSorted(), [0, 2, 2, 2]);
  const labels = Object.values(await readLocal(environment)).filter(({ label }) => label !== undefined);
  assert.equal(labels.length, 1);
});

test('different hosts can use the same label', async (context) => {
  const first = await withOldAndNew(context);
  const second = await emulated(context);
  const { body } = await call(second.emulator, 'POST', `/webhooks?${query({ hookUrl: urls.billing })}`);
  const setting = { environment: { WM_CONFIG_DIR: first.environment['WM_CONFIG_DIR'] ?? '' } };
  assert.equal((await first.wm(['webhook', 'label', first.ids.billing, 'sync'])).status, 0);
  const ran = await second.wm(['webhook', 'label', body.data[0].id, 'sync'], setting);
  assert.equal(ran.status, 0, ran.errors);
});

for (const [label, why] of [
  ['', '"" is empty'],
  [' ', '"" is empty'],
  ['x'.repeat(101), `"xxxxxxx... (101 characters) is longer than 100 characters`],
  ['a\tb', '"a\\tb" has a character that cannot be seen'],
  ['a\u202eb', '"a\ufffdb" has a character that cannot be seen'],
  ['IEAAAAAQJAAAAAAB', '"IEAAAAAQJAAAAAAB" looks like an id'],
  ['HTTPS://a.example', '"HTTPS://a.example" looks like a URL'],
] as const) {
  test(`the label ${JSON.stringify(label).slice(0, 40)} is invalid; nothing is sent`, async (context) => {
    const { wm, asked } = await answering(context, {});
    const ran = await wm(['webhook', 'label', 'IEAAAAAQJAAAAAAB', label]);
    assert.equal(ran.status, 2, ran.errors);
    assert.equal(ran.errors, `wm: The label ${why}\n  Choose another label.\n`);
    assert.deepEqual(asked, []);
  });
}

test('missing or conflicting arguments are a usage error; nothing is sent', async (context) => {
  const { wm, asked } = await answering(context, {});
  for (const [words, message] of [
    [[], 'Missing: ID and LABEL'],
    [['x'], 'Missing: LABEL'],
    [['--remove'], 'Missing: ID'],
    [['x', 'y', '--remove'], '--remove cannot be combined with a label'],
  ] as const) {
    const ran = await wm(['webhook', 'label', ...words]);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.startsWith(`wm: ${message}\n`), ran.errors);
  }
  assert.deepEqual(asked, []);
});

test('does not label a webhook that does not exist', async (context) => {
  const { wm, environment } = await withOldAndNew(context);
  const ran = await wm(['webhook', 'label', 'IEAAAAAQJAAAAAAB', 'sync']);
  assert.equal(ran.status, 5, ran.errors);
  await assert.rejects(readLocal(environment), { code: 'ENOENT' });
});

test('if nothing can be stored, label fails, and everything else works after a warning', async (context) => {
  const { wm, ids, environment, suspended } = await withOldAndNew(context);
  const folder = dirname(localPath(environment));
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  await writeFile(folder, 'not a folder');
  const label = await wm(['webhook', 'label', ids.billing, 'sync']);
  assert.equal(label.status, 1, label.errors);
  for (const words of [['list'], ['get', 'billing'], ['suspend', 'billing', '--yes']]) {
    const ran = await wm(['webhook', ...words]);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.errors.match(/^Cannot (read|lock|record)/gm)?.length, 1, ran.errors);
  }
  assert.equal((await wm(['webhook', 'delete', ids.archive, '--yes'])).status, 0);
  assert.deepEqual(await suspended(), ['billing']);
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`on a terminal, TERM=${TERM}: picks the webhook, prompts for the label; pickers show it`, async (context) => {
    const { ids, ...stage } = await onStage(context, 'one', 'two');
    const open = (line: string) => stage.open(line, { columns: 140, environment: { TERM } });
    const list = TERM === 'dumb' ? /Number, or text to filter by: $/ : '2 of 2';
    const pick = TERM === 'dumb' ? '2' : key.down;
    const terminal = open('wm webhook label');
    await (TERM === 'dumb' ? terminal.shows(list) : terminal.screenShows(list));
    terminal.type(`${pick}${key.enter}`);
    await terminal.shows('Label:', `IEAAAAAQJAAAAAAB${key.enter}`);
    await terminal.shows('looks like an id');
    terminal.type(`${key.backspace.repeat(TERM === 'dumb' ? 0 : 16)}night sync${key.enter}`);
    await terminal.shows(`Labelled: https://hooks.example.com/two (${ids[1]}, 'night sync').`);
    await terminal.shows(/label: +night sync/);
    assert.equal(await terminal.ended, 0);

    const picker = open('wm webhook suspend');
    const row = new RegExp(`https://hooks.example.com/two +${ids[1]} +night sync +Active`);
    await (TERM === 'dumb' ? picker.shows(row) : picker.screenShows(row));
    picker.type(key.interrupt);
    assert.equal(await picker.ended, 130);

    const confirm = open('wm webhook suspend NIGHT');
    await confirm.shows(`Suspend https://hooks.example.com/two (${ids[1]}, 'night sync')?`, `n${key.enter}`);
    assert.equal(await confirm.ended, 2);
  });
}

test('a label applies only to its account, not to another one on the same host', async (context) => {
  const { wm, ids, environment, suspended } = await withOldAndNew(context);
  const otherId = 'IEAAAAAQJAAAAAAZ';
  await wm(['webhook', 'label', ids.archive, 'cold']);
  const local = await readLocal(environment);
  assert.equal(local[ids.archive]?.accountId, 'IEAAAAAQ');
  assert.equal(
    JSON.parse((await wm(['webhook', 'get', 'cold', '--json'])).output).local.accountId,
    undefined,
  );
  await writeLocal(environment, { ...local, [otherId]: { accountId: 'IEBBBBBB', label: 'billing' } });
  const ran = await wm(['webhook', 'suspend', 'billing', '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(await suspended(), ['billing']);
  // Nor does it keep the label from a webhook of this one.
  const labelled = await wm(['webhook', 'label', ids.tasks, 'billing']);
  assert.equal(labelled.status, 0, labelled.errors);
  assert.equal((await readLocal(environment))[otherId]?.label, 'billing');
});
