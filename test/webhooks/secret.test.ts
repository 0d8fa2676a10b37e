// Where the secret that is to be stored comes from, and that it is typed unseen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

const id = 'IEAAAAAQWAAAAAAAAAA1';

test('asks before showing it on a terminal', async (context) => {
  const stage = await setStage(context);
  const stored = openInProcess(context, stage, `wm webhook secret ${id} --store`);
  await stored.shows('Secret of webhook', `typed unseen${key.enter}`);
  assert.equal(await stored.ended, 0, stored.text);
  assert.ok(!stored.text.includes('typed'), stored.text);
  const state = openInProcess(context, stage, `wm webhook secret ${id}`);
  await state.shows(`To print it for an .env file: wm webhook secret ${id} --env`);
  assert.equal(await state.ended, 0);
  const no = openInProcess(context, stage, `wm webhook secret ${id} --env`);
  await no.shows('Anyone who has it can forge deliveries', 'n');
  no.type(key.enter);
  assert.equal(await no.ended, 2, no.text);
  assert.ok(!no.text.includes('typed unseen'), no.text);
  const yes = openInProcess(context, stage, `wm webhook secret ${id} --env --yes`);
  await yes.shows("WM_WEBHOOK_SECRET='typed unseen'");
  assert.equal(await yes.ended, 0);
});
