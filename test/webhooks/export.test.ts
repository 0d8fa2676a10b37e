// The webhooks as a file, with what the service may show beyond its contract. With less than that: test/transcript/webhook-file.txt.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { emulated } from '#test/support/program/emulated.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const url = 'http://hooks.example.com/billing';

test('marks unknown settings', async (context) => {
  const { wm, folder: home } = await emulated(context);
  // As from another machine, so that this one has no record of it.
  const elsewhere = { environment: { WM_CONFIG_DIR: join(home, 'elsewhere') } };
  const scope = ['--folder', folder, '--recursive', '--events', 'TaskCreated', '-q'];
  await wm(['webhook', 'create', url, ...scope], elsewhere);
  const ran = await wm(['webhook', 'export']);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /see notShown/);
  const shown = { url, scope: { folder }, recursive: true, events: ['TaskCreated'], status: 'Active' };
  const notShown = ['parameterisedEvents', 'customItemTypes', 'secret'];
  assert.deepEqual(parse(ran.output), { version: 1, webhooks: [{ ...shown, notShown }] });
});
