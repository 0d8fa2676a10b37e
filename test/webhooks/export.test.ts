// The webhooks as a file: known settings are written, unknown ones are marked, and no secret is in it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { emulated } from '#test/support/program/emulated.ts';
import { record } from './hooks-file/local-record.ts';
import { answering } from './records.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const at = '2026-01-02T03:04:05.000Z';
const url = 'http://hooks.example.com/billing';

for (const bare of [false, true]) {
  test(`marks unknown settings${bare ? ', with --bare' : ''}`, async (context) => {
    const { wm, folder: home } = await emulated(context, { mode: bare ? 'bare' : 'default' });
    // As from another machine, so that this one has no record of it.
    const elsewhere = { environment: { WM_CONFIG_DIR: join(home, 'elsewhere') } };
    const scope = ['--folder', folder, '--recursive', '--events', 'TaskCreated', '-q'];
    await wm(['webhook', 'create', url, ...scope], elsewhere);
    const ran = await wm(['webhook', 'export']);
    assert.equal(ran.status, 0, ran.errors);
    assert.match(ran.errors, /see notShown/);
    assert.deepEqual(parse(ran.output), {
      version: 1,
      webhooks: [
        {
          url,
          scope: { folder },
          ...(bare ? {} : { recursive: true, events: ['TaskCreated'] }),
          status: 'Active',
          notShown: [
            ...(bare ? ['recursive', 'events'] : []),
            'parameterisedEvents',
            'customItemTypes',
            'secret',
          ],
        },
      ],
    });
  });

  test(`exports complete entries for webhooks recorded on this machine${bare ? ', with --bare' : ''}`, async (context) => {
    const service = await emulated(context, { mode: bare ? 'bare' : 'default' });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const made = await service.wm(['webhook', 'create', `${url}/${name}`, '--json', '-q']);
      ids.push(JSON.parse(made.output).id);
    }
    const [a = '', b = '', c = '', d = ''] = ids;
    const filtered = [{ event: 'TaskCreated', recurrent: true, fields: ['title'] }];
    await record(service, {
      [a]: { created: { at, hookUrl: `${url}/a`, signed: false }, label: 'billing: #1' },
      [b]: { created: { at, hookUrl: `${url}/b`, signed: false, spaceId: 'IEAAAAAQI5AB5SPC' } },
      [c]: {
        created: { at, hookUrl: `${url}/c`, signed: true, parameterisedEvents: filtered },
      },
      [d]: {
        created: {
          at,
          hookUrl: `${url}/d`,
          signed: false,
          events: ['TaskDeleted'],
          customItemTypes: ['IEAAAAAQPIAAAAAA'],
        },
      },
    });
    const ran = await service.wm(['webhook', 'export']);
    assert.deepEqual(parse(ran.output).webhooks, [
      { label: 'billing: #1', url: `${url}/a`, scope: 'account', events: 'all', status: 'Active' },
      { url: `${url}/b`, scope: { space: 'IEAAAAAQI5AB5SPC' }, events: 'all', status: 'Active' },
      {
        url: `${url}/c`,
        scope: 'account',
        parameterisedEvents: filtered,
        status: 'Active',
        notShown: ['secret'],
      },
      {
        url: `${url}/d`,
        scope: 'account',
        events: ['TaskDeleted'],
        customItemTypes: ['IEAAAAAQPIAAAAAA'],
        status: 'Active',
      },
    ]);
    assert.match(ran.output, new RegExp(`# ${c}, signed: name the variable`));
    assert.match(ran.output, /scope: \{space: IEAAAAAQI5AB5SPC\}/);
    assert.equal((await service.wm(['webhook', 'export'])).output, ran.output, 'the same bytes');
    const asJson = await service.wm(['webhook', 'export', '--json']);
    assert.deepEqual(JSON.parse(asJson.output), parse(ran.output));
  });
}

test('sorts by URL, whatever the order of the service', async (context) => {
  const list = (...names: readonly string[]) => ({
    kind: 'webhooks',
    data: names.map((name, index) => ({ id: `IEAAAAAQW${index}`, hookUrl: `http://${name}.example/` })),
  });
  const { wm } = await answering(context, { 'GET webhooks': [list('c', 'a', 'b', 'a')] });
  const { webhooks } = parse((await wm(['webhook', 'export'])).output);
  assert.deepEqual(
    webhooks.map((webhook: { url: string }) => webhook.url),
    ['http://a.example/', 'http://a.example/', 'http://b.example/', 'http://c.example/'],
  );
});

test('escapes hostile text; names and omits a webhook without a URL; omits an unknown status', async (context) => {
  const hookUrl = 'http://a.example/\nwebhooks: []\n# *x &y !!z';
  const data = [
    { id: 'IEAAAAAQW1', hookUrl, status: 'Dreaming' },
    { id: 'IEAAAAAQW2', status: 'Active' },
  ];
  const { wm } = await answering(context, { 'GET webhooks': [{ kind: 'webhooks', data }] });
  const ran = await wm(['webhook', 'export']);
  const { webhooks } = parse(ran.output);
  assert.equal(webhooks.length, 1);
  assert.equal(webhooks[0].url, hookUrl);
  assert.ok(!('status' in webhooks[0]));
  assert.match(ran.errors, /no URL of webhook IEAAAAAQW2/);
});

test('does not export an incomplete list', async (context) => {
  const { wm } = await answering(context, {
    'GET webhooks': [{ kind: 'webhooks', data: [], nextPageToken: 'more' }],
  });
  const ran = await wm(['webhook', 'export']);
  assert.equal(ran.status, 1);
  assert.equal(ran.output, '');
  assert.match(ran.errors, /The list of webhooks is not complete, so wm cannot export them all/);
});

test('--dry-run shows the request', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['webhook', 'export', '--dry-run']);
  assert.match(ran.output, /^GET .*\/webhooks$/m);
});
