// Creating a webhook: what would never fire is invalid before anything is sent, and a URL that has a webhook already is
// named, asked about, or left alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';
import { onStage } from './on-stage.ts';

const url = 'http://hooks.example.com/orders';

async function hooksOf({ wm }: Emulated): Promise<readonly { id: string; hookUrl: string }[]> {
  return JSON.parse((await wm(['webhook', 'list', '--json'])).output);
}

/** Notes each request, and gives none of them an answer. */
function offline(sent: string[]): Http {
  return {
    async send({ method, url: to }) {
      sent.push(`${method} ${to}`);
      return { fault: 'connection-refused', sent: false, detail: 'nothing may be sent in this test' };
    },
  };
}

const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

for (const [flag, text, names] of [
  ['--parameterised-events', '[]', ['[] is an empty list', 'nothing would be delivered']],
  ['--custom-item-types', '[]', ['[] is an empty list', 'nothing would be delivered']],
  ['--custom-item-types', '', ['"" is an empty list']],
  ['--events', '[]', ['[] is an empty list', 'nothing would be delivered']],
  ['--events', '', ['"" is an empty list']],
  ['--events', '[""]', ['"" is not an event']],
  [
    '--parameterised-events',
    '[{"event":"TaskCustomFieldChanged","customFields":[]}]',
    ['entry 1: customFields: [] is an empty list', 'nothing would be delivered'],
  ],
] as const) {
  test(`${flag} '${text}' is invalid; nothing is sent`, async (context) => {
    const { wm } = await emulated(context);
    const sent: string[] = [];
    const ran = await wm(['webhook', 'create', url, flag, text], { world: { http: offline(sent) } });
    assert.equal(ran.status, 2, ran.errors);
    assert.deepEqual(sent, []);
    assert.ok(ran.errors.startsWith(`wm: ${flag}: `), ran.errors);
    for (const name of names) assert.ok(ran.errors.includes(name), ran.errors);
  });
}

const filter = (...ids: readonly string[]) =>
  JSON.stringify(ids.map((id) => ({ event: 'TaskCustomFieldChanged', customFields: [id] })));

test('a filter needs no network with --dry-run or --curl', async (context) => {
  const { wm } = await emulated(context);
  const sent: string[] = [];
  const ran = await wm(
    ['webhook', 'create', url, '--parameterised-events', filter('IEAAAAAQJUAB5NNN'), '--dry-run'],
    { world: { http: offline(sent) } },
  );
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(sent, []);
});

test('a failed lookup: creates with a warning; with --if-not-exists creates nothing', async (context) => {
  const service = await emulated(context);
  const host = await inFront(context, service.environment['WM_HOST'], ({ method, url: to }, response) =>
    method === 'GET' && to?.endsWith('/webhooks') ? fail(response, 503, 'server_error') : false,
  );
  const setting = { environment: { WM_HOST: host }, world: noSleep };
  const careful = await service.wm(['webhook', 'create', url, '--if-not-exists'], setting);
  assert.equal(careful.status, 7, careful.errors);
  assert.equal(careful.output, '');
  assert.deepEqual(await hooksOf(service), []);

  await service.control('faults', { request: 'listWebhooks', status: 403, error: 'access_forbidden' });
  const made = await service.wm(['webhook', 'create', url]);
  assert.equal(made.status, 0, made.errors);
  assert.match(made.errors, /^Cannot check whether a webhook already delivers to this URL: .*403/m);
  assert.equal((await hooksOf(service)).length, 1);
});

test('a rejected token ends the command at the lookup', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['webhook', 'create', url], { environment: { WM_TOKEN: 'old' } });
  assert.equal(ran.status, 4, ran.errors);
  assert.equal(ran.errors.match(/^wm: /gm)?.length, 1, ran.errors);
});

test('--if-not-exists sends nothing when the request is only shown', async (context) => {
  const { wm } = await emulated(context);
  await wm(['webhook', 'create', url]);
  const sent: string[] = [];
  for (const how of ['--dry-run', '--curl']) {
    const ran = await wm(['webhook', 'create', url, '--if-not-exists', how], {
      world: { http: offline(sent) },
    });
    assert.equal(ran.status, 0, ran.errors);
    assert.match(ran.output, /POST/);
    assert.match(ran.errors, /^With --if-not-exists, wm sends this only if/m);
  }
  assert.deepEqual(sent, []);
});

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
