// The seven calls about webhooks: what they take, what they answer, whom they show it to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '#contract/assumption.ts';
import { webhookRecord } from '#contract/webhook.ts';
import { control } from '#test/support/service/control.ts';
import { forbidden, invalid, notFound, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, started } from '#test/support/service/start-emulator.ts';
import { hmac, receiving } from '../dispatch/receiver.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const space = 'IEAAAAAQI5AB5SPC';
const hookUrl = 'https://hooks.example.com/wm';

const create = (
  emulator: Started,
  parameters: Record<string, string>,
  path = '/webhooks',
  token = emulator.token,
) => call(emulator, 'POST', path, { form: parameters, token });

test('creates a webhook in each of the three scopes', async (t) => {
  const emulator = await started(t);
  const account = await create(emulator, { hookUrl });
  assert.equal(account.status, 200);
  assert.equal(account.body.kind, 'webhooks');
  const [record] = account.body.data;
  webhookRecord.validate(record);
  assert.deepEqual({ ...record, id: '' }, { id: '', accountId: 'IEAAAAAQ', hookUrl, status: 'Active' });
  const inFolder = await create(
    emulator,
    { hookUrl, recursive: 'true', events: '[TaskCreated,TaskDeleted]' },
    `/folders/${folder}/webhooks`,
  );
  assert.deepEqual(
    { ...inFolder.body.data[0], id: '' },
    {
      id: '',
      accountId: 'IEAAAAAQ',
      folderId: folder,
      hookUrl,
      status: 'Active',
      events: ['TaskCreated', 'TaskDeleted'],
      recursive: true,
    },
  );
  const inSpace = await create(emulator, { hookUrl, events: '["TaskCreated"]' }, `/spaces/${space}/webhooks`);
  assert.deepEqual([inSpace.body.data[0].recursive, inSpace.body.data[0].folderId], [false, undefined]);
  const json = await call(emulator, 'POST', '/webhooks', {
    json: {
      hookUrl,
      parameterisedEvents: [{ event: 'TaskCreated', recurrent: true, fields: ['title', 'recurrence'] }],
      customItemTypes: ['IEAAAAAQPIAB5BUG'],
    },
  });
  assert.equal(json.status, 200);
  const { body } = await call(emulator, 'GET', '/webhooks');
  assert.equal(body.data.length, 4);
});

test('reads, suspends, resumes and deletes webhooks', async (t) => {
  const emulator = await started(t);
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) ids.push((await create(emulator, { hookUrl })).body.data[0].id);
  const [first, second] = ids;
  assert.deepEqual(valuesOf(await records(emulator, 'GET', `/webhooks/${second},${first}`), 'id'), [
    second,
    first,
  ]);
  const [suspended] = await records(emulator, 'PUT', `/webhooks/${first}?status=Suspended`);
  assert.equal(suspended.status, 'Suspended');
  assert.equal(
    (
      await records(emulator, 'PUT', `/webhooks/${first}`, {
        body: new URLSearchParams({ status: 'Active' }),
      })
    )[0].status,
    'Active',
  );
  assert.deepEqual(await outcome(emulator, 'PUT', `/webhooks/${first}?status=Paused`), invalid);
  assert.deepEqual(await outcome(emulator, 'PUT', `/webhooks/${first}`), [400, 'parameter_required']);
  const deleted = await call(emulator, 'DELETE', `/webhooks/${first}`);
  assert.deepEqual([deleted.status, deleted.body], [200, { kind: 'webhooks', data: [] }]);
  for (const method of ['GET', 'DELETE']) {
    assert.deepEqual(await outcome(emulator, method, `/webhooks/${first}`), notFound);
  }
  const many = Array.from({ length: 101 }, (_, i) => `W${i}`).join(',');
  assert.deepEqual((await call(emulator, 'GET', `/webhooks/${many}`)).body.error, 'invalid_parameter');
});

test('a webhook is visible only to the application that created it', async (t) => {
  const emulator = await started(t);
  const other = 'pmtC5rVm1YwKp9ZxTq3NbHs7JfGd2LcUe8OoIi6MaRk4XtQwBvCgFhSlDzEu0Jn';
  const { id } = (await create(emulator, { hookUrl })).body.data[0];
  const headers = { Authorization: `Bearer ${other}` };
  assert.deepEqual(await records(emulator, 'GET', '/webhooks', { headers }), []);
  assert.equal((await call(emulator, 'GET', `/webhooks/${id}`, { headers })).status, 404);
  assert.equal((await call(emulator, 'DELETE', `/webhooks/${id}`, { headers })).status, 404);
});

test('allowLocalHooks exempts loopback addresses and nothing else', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  assert.equal((await create(emulator, { hookUrl: 'http://127.0.0.1:4000/' })).status, 200);
  assert.equal((await create(emulator, { hookUrl: 'http://[::1]:4000/' })).status, 200);
  assert.equal((await create(emulator, { hookUrl: 'http://10.1.2.3/' })).status, 400);
  assert.equal((await create(emulator, { hookUrl: 'https://hooks.example.com:8443/' })).status, 400);
});

test('events are validated, and each may be in only one of the two lists', async (t) => {
  const emulator = await started(t);
  for (const parameters of [
    { events: 'TaskCreated,TaskDeleted' },
    { events: '[TaskCreatd]' },
    { parameterisedEvents: '[{"event":"TaskCreatd"}]' },
    { parameterisedEvents: '[{"event":"TaskDeleted","recurrent":true}]' },
    { parameterisedEvents: '[{"event":"TaskDeleted","fields":["project"]}]' },
    { events: '[TaskDeleted]', parameterisedEvents: '[{"event":"TaskDeleted"}]' },
    { customItemTypes: '["IEAAAAAQPIABNONE"]' },
    { recursive: 'true' },
    { unknown: 'x' },
  ]) {
    const { status, body } = await create(emulator, { hookUrl, ...parameters });
    assert.deepEqual([status, body.error], invalid, JSON.stringify(parameters));
  }
});

test('folders and spaces must exist, and be visible to the user', async (t) => {
  const emulator = await started(t);
  const ben = 'pmtB3kWn8ZsTq1XyVr5LcHj7DfGp2MbUe9OoIi4KaRx6YtNwQvCgFhSlJzEu0Dm';
  const none = await create(emulator, { hookUrl }, '/folders/NOSUCHFOLDER/webhooks');
  assert.deepEqual([none.status, none.body.error], notFound);
  const noSpace = await create(emulator, { hookUrl }, `/spaces/${folder}/webhooks`);
  assert.deepEqual([noSpace.status, noSpace.body.error], notFound);
  const hidden = await create(emulator, { hookUrl }, '/folders/IEAAAAAQI4AB5PRV/webhooks', ben);
  assert.deepEqual([hidden.status, hidden.body.error], forbidden);
});

test('a secret is verified by a handshake before the webhook exists', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  receiver.secret = 's3cret';
  const made = await create(emulator, { hookUrl: `${receiver.url}/hook`, secret: 's3cret' });
  assert.equal(made.status, 200);
  assert.ok(made.headers.get('emulator-assumption')?.includes('handshake-body'));
  assert.ok(!('secret' in made.body.data[0]));
  const [handshake] = receiver.received;
  assert.deepEqual(handshake?.events, { requestType: 'WebHook secret verification' });
  assert.match(String(handshake?.headers['x-hook-secret']), /^[A-Za-z0-9]{1,100}$/);
  assert.equal(handshake?.headers['x-hook-signature'], hmac('s3cret', handshake?.body ?? ''));

  receiver.secret = undefined;
  const silent = await create(emulator, { hookUrl: `${receiver.url}/hook`, secret: 'other' });
  assert.deepEqual([silent.status, silent.body.error], invalid);
  receiver.secret = 'not the one';
  const wrong = await create(emulator, { hookUrl: `${receiver.url}/hook`, secret: 's3cret' });
  assert.deepEqual([wrong.status, wrong.body.error], invalid);
  receiver.secret = 's3cret';
  receiver.answer = 500;
  const failing = await create(emulator, { hookUrl: `${receiver.url}/hook`, secret: 's3cret' });
  assert.deepEqual([failing.status, failing.body.error], invalid);
  assert.equal((await records(emulator, 'GET', '/webhooks')).length, 1);
});

test('without assumed fields, a webhook record is the bare one', async (t) => {
  const emulator = await started(t, { mode: 'bare' });
  const { body } = await create(
    emulator,
    { hookUrl, events: '[TaskCreated]' },
    `/folders/${folder}/webhooks`,
  );
  assert.deepEqual(Object.keys(body.data[0]), ['id', 'accountId', 'folderId', 'hookUrl', 'status']);
});

const declared = (about: string) =>
  assert.ok(
    assumptions.some((row) => row.about === about),
    about,
  );

test('an empty list in a webhook is invalid, in every notation', async (t) => {
  declared('an empty list of events, of custom item types, or of custom fields in a filter');
  const emulator = await started(t);
  const filter = [{ event: 'TaskCustomFieldChanged', customFields: [] }];
  for (const parameters of [
    { events: '[]' },
    { events: '[ ]' },
    { parameterisedEvents: '[]' },
    { customItemTypes: '[]' },
    { parameterisedEvents: JSON.stringify(filter) },
  ]) {
    const { status, body } = await create(emulator, { hookUrl, ...parameters });
    const what = JSON.stringify([parameters, body]);
    assert.deepEqual([status, body.error], invalid, what);
    assert.ok(body.errorDescription.includes(Object.keys(parameters).join()), what);
  }
  for (const parameters of [
    { events: [] },
    { parameterisedEvents: [] },
    { parameterisedEvents: filter },
    { customItemTypes: [] },
  ]) {
    const { status, body } = await call(emulator, 'POST', '/webhooks', { json: { hookUrl, ...parameters } });
    assert.deepEqual([status, body.error], invalid, JSON.stringify(body));
  }
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
});

test('a custom field or custom item type of a webhook must exist in the account', async (t) => {
  declared('a custom field or custom item type of a webhook that does not exist');
  const emulator = await started(t);
  const filter = (event: string, id: string) => ({
    parameterisedEvents: JSON.stringify([{ event, customFields: [id] }]),
  });
  for (const [parameters, named] of [
    [filter('TaskCustomFieldChanged', 'IEAAAAAQJUAB5NNN'), 'IEAAAAAQJUAB5NNN'],
    [filter('FolderCustomFieldChanged', 'IEAAAAAQJUAB5NNN'), 'IEAAAAAQJUAB5NNN'],
    [{ customItemTypes: '[IEAAAAAQPIAB5NNN]' }, 'IEAAAAAQPIAB5NNN'],
  ] as const) {
    const { status, body } = await create(emulator, { hookUrl, ...parameters });
    assert.deepEqual([status, body.error], invalid, JSON.stringify(body));
    assert.ok(body.errorDescription.includes(named), body.errorDescription);
  }
  const good = await create(emulator, { hookUrl, ...filter('TaskCustomFieldChanged', 'IEAAAAAQJUAB5TXT') });
  assert.equal(good.status, 200, JSON.stringify(good.body));
});

test('task item types are accepted with folder events, and nothing is delivered', async (t) => {
  declared('custom item types of a webhook whose events concern no such items');
  const receiver = await receiving(t);
  const emulator = await started(t, { allowLocalHooks: true });
  const { status } = await create(emulator, {
    hookUrl: receiver.url,
    events: '[FolderCreated]',
    customItemTypes: '[IEAAAAAQPIAB5BUG]',
  });
  assert.equal(status, 200);
  assert.equal((await control(emulator, 'POST', '/events', { eventType: 'FolderCreated' })).deliveries, 0);
});
