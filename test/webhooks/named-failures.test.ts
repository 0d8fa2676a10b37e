// Errors name a webhook by its label and its URL, from the service or from what this machine recorded, and not by the id alone.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { writeLocal } from './local-records.ts';

const url = 'https://hooks.example.com/billing';
const label = 'billing sync';
const created = { at: '2026-03-02T12:00:00Z', hookUrl: url, signed: false };

/** `gone` was deleted elsewhere; this machine still knows it. `there` is known only by its label. */
async function withKnown(context: TestContext) {
  const service = await emulated(context);
  const { emulator, environment } = service;
  const create = async (hookUrl: string): Promise<string> =>
    (await call(emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id;
  const [gone, there] = [await create(url), await create('https://hooks.example.com/archive')];
  await call(emulator, 'DELETE', `/webhooks/${gone}`);
  await writeLocal(environment, { [gone]: { label, created }, [there]: { label: 'archive' } });
  const subject = `Webhook ${gone} (${url}, '${label}')`;
  return { ...service, gone, there, subject, name: `${url} (${gone}, '${label}')` };
}

const verbs = [['suspend', '--yes'], ['resume', '--yes'], ['delete', '--yes'], ['get']] as const;

for (const [verb, ...flags] of verbs) {
  test(`${verb}: names a missing webhook, even if given by its label`, async (context) => {
    const { wm, gone, subject } = await withKnown(context);
    for (const text of [gone, label, 'Billing SYNC']) {
      const ran = await wm(['webhook', verb, text, ...flags]);
      assert.equal(ran.status, 5, ran.errors);
      assert.equal(
        ran.errors.split('\n')[0],
        `wm: ${subject}: The service responded with 404 resource_not_found`,
      );
    }
  });

  test(`${verb} of several: names each one that fails`, async (context) => {
    const { wm, gone, there, subject, name } = await withKnown(context);
    const ran = await wm(['webhook', verb, gone, there, 'IEAAAAAQJAAAAAAB', ...flags]);
    assert.equal(ran.status, verb === 'get' ? 5 : 8, ran.errors);
    if (verb !== 'get')
      assert.ok(ran.errors.includes(`wm: ${subject}: The service responded with 404`), ran.errors);
    const unnamed = `${verb === 'get' ? ',' : ' and'} IEAAAAAQJAAAAAAB\n`;
    assert.ok(ran.errors.includes(`: ${name}${unnamed}`), ran.errors);
    assert.ok(ran.output.startsWith(`${there}\t`), ran.output);
  });
}

for (const argv of [['get'], ['suspend', '--yes'], ['verify'], ['diagnose']])
  test(`${argv[0]}: for a webhook deleted elsewhere, shows its URL and when this machine last saw it`, async (context) => {
    const { wm, emulator, there } = await withKnown(context);
    const before = Date.now();
    assert.equal((await wm(['webhook', 'get', there])).status, 0);
    await call(emulator, 'DELETE', `/webhooks/${there}`);
    const [verb = '', ...flags] = argv;
    const { status, errors } = await wm(['webhook', verb, there, ...flags]);
    assert.equal(status, 5, errors);
    assert.match(
      errors,
      new RegExp(`^wm: Webhook ${there} \\(https://hooks\\.example\\.com/archive, 'archive'\\): `, 'm'),
    );
    const [, seen = ''] = /was not found; this machine last saw it at (\S+Z): Active$/m.exec(errors) ?? [];
    assert.ok(Math.abs(Date.parse(seen) - before) < 60_000, errors);
  });

for (const [verb, request] of [
  ['suspend', 'updateWebhook'],
  ['delete', 'deleteWebhook'],
] as const) {
  test(`a forbidden ${verb} names the webhook; a rejected sign-in does not`, async (context) => {
    const { wm, there, control } = await withKnown(context);
    await control('faults', { request, status: 403, error: 'access_forbidden' });
    const forbidden = await wm(['webhook', verb, there, '--yes']);
    assert.equal(forbidden.status, 3, forbidden.errors);
    const subject = `Webhook ${there} (https://hooks.example.com/archive, 'archive')`;
    assert.ok(forbidden.errors.includes(`wm: ${subject}: The service responded with 403`), forbidden.errors);
    await control('faults', { request, status: 401, error: 'not_authorized' });
    const rejected = await wm(['webhook', verb, there, '--yes']);
    assert.equal(rejected.status, 4, rejected.errors);
    assert.ok(!rejected.errors.includes(subject), rejected.errors);
  });
}

test('leaves the message unchanged for an unknown webhook', async (context) => {
  const { wm } = await withKnown(context);
  const ran = await wm(['webhook', 'suspend', 'IEAAAAAQJAAAAAAB', '--yes']);
  assert.match(ran.errors, /^wm: The service responded with 404 resource_not_found\n/);
});

test('names the label if the service does not make the change, or still lists the webhook', async (context) => {
  const { wm, there, control } = await withKnown(context);
  const subject = `Webhook ${there} (https://hooks.example.com/archive, 'archive')`;
  await control('faults', { request: 'updateWebhook', body: '{"kind":"webhooks","data":[]}' });
  const unchanged = await wm(['webhook', 'suspend', 'archive', '--yes']);
  assert.ok(unchanged.errors.includes(`wm: ${subject} is still Active, and the change`), unchanged.errors);
  await control('faults', { request: 'deleteWebhook', body: '{"kind":"webhooks","data":[]}' });
  const unconfirmed = await wm(['webhook', 'delete', 'archive', '--yes']);
  assert.ok(unconfirmed.errors.includes(`wm: ${subject} still exists\n`), unconfirmed.errors);
});

test('removes the label of a missing webhook, given by that label', async (context) => {
  const { wm, gone } = await withKnown(context);
  const ran = await wm(['webhook', 'label', label, '--remove']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors, `Label '${label}' removed: ${url} (${gone}).\n`);
});
