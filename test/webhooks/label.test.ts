// `wm webhook label`: a name of the user's own for a webhook, stored on this machine, shown and taken everywhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { readLocal } from './local-records.ts';
import { urls, withOldAndNew } from './matching/old-and-new.ts';
import { onStage } from './on-stage.ts';

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
