// Creating a webhook: what would never fire is invalid before anything is sent, and a URL that has a webhook already is
// named, asked about, or left alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key } from '#test/support/terminal/terminal.ts';
import { onStage } from './on-stage.ts';

test('asks on a terminal before it creates another', async (context) => {
  const { open, ids, urls, statuses } = await onStage(context, 'orders');
  const exists = `Webhook ${ids[0]} (${urls[0]}) already exists`;
  const terminal = open(`wm webhook create ${urls[0]} --events all`);
  await terminal.shows(exists);
  await terminal.shows(`Create another webhook for ${urls[0]}? (y/N)`, key.enter);
  assert.equal(await terminal.ended, 2);
  assert.equal((await statuses()).length, 1);

  const answered = open(`wm webhook create ${urls[0]} --yes`);
  await answered.shows(exists);
  assert.equal(await answered.ended, 0);
  assert.ok(!answered.text.includes('(y/N)'), answered.text);
  assert.equal((await statuses()).length, 2);
});
