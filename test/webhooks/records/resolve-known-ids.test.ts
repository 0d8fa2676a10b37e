// `wm history` takes the label or the URL of a webhook, or a part of it, in place of its id.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';

test('finds a label or URL known on this machine, whole or in part, ignoring case', async (context) => {
  const stage = await emulated(context);
  const ids: string[] = [];
  for (const name of ['billing', 'billing-old', 'stock']) {
    const { output } = await stage.wm(['webhook', 'create', `http://hooks.example.com/${name}`, '--json']);
    ids.push(JSON.parse(output).id);
  }
  const [billing = '', old = '', stock = ''] = ids;
  await stage.wm(['webhook', 'label', stock, 'Warehouse sync']);
  await stage.wm(['task', 'update', sample.task, '--title', 'x']);
  const resolve = async (...argv: readonly string[]) => {
    const ran = await stage.wm(['history', ...argv, '--json']);
    assert.equal(ran.status, 0, ran.errors);
    const entries: readonly { ids: readonly string[]; created?: readonly string[] }[] = JSON.parse(
      ran.output,
    );
    return entries.map((entry) => [...entry.ids, ...(entry.created ?? [])].join());
  };
  assert.deepEqual(await resolve('warehouse SYNC'), [stock, stock]);
  assert.deepEqual(await resolve('WAREHOUSE'), [stock, stock]);
  assert.deepEqual(await resolve('http://hooks.example.com/billing'), [billing], 'exactly one has this URL');
  assert.deepEqual(await resolve('/billing'), [billing, old]);
  assert.deepEqual(await resolve('warehouse sync', sample.task), [stock, stock, sample.task]);
  assert.deepEqual(await resolve(billing, billing), [billing]);
  assert.deepEqual(await resolve('IEAAAAAQJANOSUCH'), []);
  assert.deepEqual(await resolve('nosuch'), [], 'may be an id that nothing was done to');
});

test('finds a webhook from another machine once wm has read it', async (context) => {
  const { wm, emulator } = await emulated(context);
  const created = await call(emulator, 'POST', '/webhooks?hookUrl=https%3A%2F%2Fglobex.example%2Fhook');
  const { id } = created.body.data[0];
  await wm(['webhook', 'suspend', id, '--yes']);
  for (const text of ['globex', 'https://globex.example/hook', '//globex.example'])
    assert.match((await wm(['history', text])).output, new RegExp(`webhook suspend\t${id}`));
});

test('a text that cannot be an id and matches nothing is not found', async (context) => {
  const stage = await emulated(context);
  const ran = await stage.wm(['history', 'https://hooks.example.com/none']);
  assert.equal(ran.status, 5);
  assert.equal(ran.output, '');
  assert.match(
    ran.errors,
    /^wm: No webhook with the label or URL "https:\/\/hooks.example.com\/none" is known on this machine/,
  );
});
