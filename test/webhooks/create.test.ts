// Creating a webhook: what would never fire is invalid before anything is sent, and a URL that has a webhook already is
// named, asked about, or left alone.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';
import { onStage } from './on-stage.ts';

const url = 'http://hooks.example.com/orders';
const folder = 'IEAAAAAQI4AB5FLD';
const textField = 'IEAAAAAQJUAB5TXT';

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

test('rejects a text that is not an http or https URL, with the emulator too', async (context) => {
  const { wm } = await emulated(context);
  for (const text of ['not a url', 'ftp://x/y']) {
    const sent: string[] = [];
    const ran = await wm(['webhook', 'create', text], { world: { http: offline(sent) } });
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.startsWith(`wm: hookUrl: "${text}" is not an http or https URL\n`), ran.errors);
    assert.deepEqual(sent, []);
  }
});

const filter = (...ids: readonly string[]) =>
  JSON.stringify(ids.map((id) => ({ event: 'TaskCustomFieldChanged', customFields: [id] })));

test('rejects a filter by an unknown custom field, and suggests a similar one', async (context) => {
  const service = await emulated(context);
  const ran = await service.wm([
    'webhook',
    'create',
    url,
    '--parameterised-events',
    filter(textField, 'IEAAAAAQJUAB5TXX'),
  ]);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /^wm: --parameterised-events: the account has no custom field "IEAAAAAQJUAB5TXX"$/m,
  );
  assert.match(ran.errors, /would never deliver anything/);
  assert.match(ran.errors, new RegExp(`Did you mean .*${textField} \\(`));
  assert.deepEqual(await hooksOf(service), []);

  const good = await service.wm(['webhook', 'create', url, '--parameterised-events', filter(textField)]);
  assert.equal(good.status, 0, good.errors);
});

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

test('warns if custom fields cannot be looked up, and lets the service decide', async (context) => {
  const service = await emulated(context);
  await service.control('faults', { request: 'listCustomFields', status: 403, error: 'access_forbidden' });
  const ran = await service.wm(['webhook', 'create', url, '--parameterised-events', filter(textField)]);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Cannot check the custom fields of the filter: .*403/m);
  assert.equal((await hooksOf(service)).length, 1);
});

test('leaves an unknown custom item type to the service', async (context) => {
  const service = await emulated(context);
  const ran = await service.wm(['webhook', 'create', url, '--custom-item-types', 'IEAAAAAQPIAB5NNN']);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /IEAAAAAQPIAB5NNN is not a custom item type/);
  assert.deepEqual(await hooksOf(service), []);
});

test('in a script, a URL that already has a webhook: warns and creates another', async (context) => {
  const service = await emulated(context);
  const { wm } = service;
  const first = JSON.parse((await wm(['webhook', 'create', url, '--folder', folder, '--json'])).output);
  // The same URL to a computer, though not the same text.
  for (const same of [url, 'HTTP://HOOKS.example.com:80/orders']) {
    const ran = await wm(['webhook', 'create', same, '--no-input', '--quiet']);
    assert.equal(ran.status, 0, ran.errors);
    const named = `Webhook ${first.id} (${url}) already exists: Active, folder ${folder}`;
    assert.ok(ran.errors.includes(named), ran.errors);
    assert.match(ran.errors, /--if-not-exists/);
  }
  assert.equal((await hooksOf(service)).length, 3);
  const otherRun = await wm(['webhook', 'create', `${url}/other`]);
  assert.ok(!otherRun.errors.includes('already exists'), otherRun.errors);
});

test('--if-not-exists: creates once, then prints the existing webhook', async (context) => {
  const service = await emulated(context);
  const create = ['webhook', 'create', url, '--folder', folder, '--events', 'TaskCreated', '--if-not-exists'];
  const made = await service.wm([...create, '--json']);
  assert.equal(made.status, 0, made.errors);
  const again = await service.wm([...create, '--json']);
  assert.equal(again.status, 0, again.errors);
  // As `get` shows it: with what this machine recorded.
  const { id, ...record } = JSON.parse(made.output);
  const { local, ...shown } = JSON.parse(again.output);
  assert.deepEqual(shown, { id, ...record });
  assert.equal(local.created.events[0], 'TaskCreated');
  assert.equal((await service.wm(['webhook', 'get', id, '--json'])).output, again.output);
  const line = await service.wm([...create, '--quiet']);
  assert.equal(line.output, (await service.wm(['webhook', 'get', id])).output);
  assert.equal(again.errors, `Webhook ${id} (${url}) already exists; nothing was created.\n`);
  assert.equal((await hooksOf(service)).length, 1);
});

test('--if-not-exists: of several, picks the most similar; a warning lists the differences', async (context) => {
  const service = await emulated(context);
  const { wm } = service;
  await wm(['webhook', 'create', url]);
  const near = JSON.parse((await wm(['webhook', 'create', url, '--folder', folder, '--json'])).output);
  const create = ['webhook', 'create', url, '--if-not-exists', '--quiet'];
  const exact = await wm([...create, '--folder', folder]);
  assert.ok(exact.output.startsWith(`${near.id}\t`), exact.output);
  assert.equal(exact.errors, '');

  await wm(['webhook', 'suspend', near.id, '--yes']);
  const differs = await wm([...create, '--folder', folder, '--recursive']);
  assert.equal(differs.status, 0, differs.errors);
  assert.match(differs.errors, /^It differs from what you asked for: it covers account or space\.$/m);
  await wm([
    'webhook',
    'delete',
    JSON.parse((await wm(['webhook', 'list', '--json'])).output)[0].id,
    '--yes',
  ]);
  const suspended = await wm([...create, '--folder', folder, '--recursive', '--events', 'TaskCreated']);
  assert.match(
    suspended.errors,
    new RegExp(`^It differs from what you asked for: it is Suspended; it covers folder ${folder}\\.$`, 'm'),
  );
  // The hint works as printed.
  const hint = /^To resume it: wm (.*)$/m.exec(suspended.errors)?.[1] ?? '';
  assert.equal((await wm([...hint.split(' '), '--yes'])).status, 0);
  assert.equal((await hooksOf(service)).length, 1);
});

test('--if-not-exists compares events', async (context) => {
  const { wm } = await emulated(context);
  await wm(['webhook', 'create', url, '--events', 'TaskDeleted,TaskCreated']);
  const create = ['webhook', 'create', url, '--if-not-exists', '--quiet', '--events'];
  assert.equal((await wm([...create, 'TaskCreated,TaskDeleted'])).errors, '');
  assert.match(
    (await wm([...create, 'TaskCreated'])).errors,
    /^It differs from what you asked for: it delivers TaskCreated, TaskDeleted\.$/m,
  );
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
  await terminal.shows(`Create another webhook for ${urls[0]}? (y/N)`);
  terminal.type(key.enter);
  assert.equal(await terminal.ended, 2);
  assert.equal((await statuses()).length, 1);

  const answered = open(`wm webhook create ${urls[0]} --yes`);
  await answered.shows(exists);
  assert.equal(await answered.ended, 0);
  assert.ok(!answered.text.includes('(y/N)'), answered.text);
  assert.equal((await statuses()).length, 2);
});

test('--parameterised-events @FILE reads the filter from the file', async (context) => {
  const { wm } = await emulated(context);
  const folderOfFile = await mkdtemp(join(tmpdir(), 'wm-filter-'));
  context.after(() => rm(folderOfFile, { recursive: true }));
  const path = join(folderOfFile, 'filter.json');
  await writeFile(path, '[{"event":"TaskCreated"}]\n');
  const ran = await wm([
    'webhook',
    'create',
    url,
    '--parameterised-events',
    `@${path}`,
    '--dry-run',
    '--json',
  ]);
  assert.equal(ran.status, 0, ran.errors);
  const { body } = JSON.parse(ran.output);
  assert.equal(new URLSearchParams(body).get('parameterisedEvents'), '[{"event":"TaskCreated"}]');
});

test('a URL without a scheme: the error has the command with https://', async (context) => {
  const { wm } = await emulated(context);
  const sent: string[] = [];
  for (const argv of [['a.example.com/hook'], ['--hook-url', 'a.example.com:443/hook']]) {
    const ran = await wm(['webhook', 'create', ...argv, '--events', 'task'], {
      world: { http: offline(sent) },
    });
    assert.equal(ran.status, 2, ran.errors);
    assert.deepEqual(sent, []);
    const completeUrl = `https://${argv.at(-1)}`;
    assert.ok(ran.errors.includes(`wm webhook create ${completeUrl} --events task\n`), ran.errors);
  }
});
