// The emulator's responses against the witness: only fields of the contract and of assumptions, with `bare` only those of the contract,
// and fields on request only if `fields` requests them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control } from '#test/support/service/control.ts';
import { invalid, outcome } from '#test/support/service/records.ts';
import type { Sent } from '#test/support/service/send.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { kinds } from '../witness/operations.ts';
import { records } from '../witness/records.ts';

const task = 'IEAAAAAQKQAB5BNG';

function namesOf(record: string, without: readonly string[] = []): readonly string[] {
  const row = records.find((candidate) => candidate.record === record);
  assert.ok(row, record);
  return row.fields.map(([name]) => name).filter((name) => !without.includes(name));
}

const onRequest = ['responsiblePlaceholderIds', 'billingType', 'workScheduleId', 'effortAllocation'];

function within(value: object, allowed: readonly string[], what: string): void {
  for (const name of Object.keys(value)) assert.ok(allowed.includes(name), `${what}: ${name}`);
}

/** A task and every structure inside it. */
function checkTask(record: Record<string, unknown>, asked: readonly string[]): void {
  const late = onRequest.filter((name) => !asked.includes(name));
  within(record, namesOf('Task', late), 'Task');
  const parts: readonly [string, unknown][] = [
    ['TaskDates', record['dates']],
    ['TaskFinance', record['finance']],
    ['TaskEffort', record['effortAllocation']],
    ...lists('Metadata', record['metadata']),
    ...lists('CustomField', record['customFields']),
    ...lists('CascadingFieldSettings', record['cascadingFieldSettings']),
  ];
  for (const [record, part] of parts) {
    if (typeof part === 'object' && part !== null) within(part, namesOf(record), record);
  }
}

const lists = (record: string, all: unknown): [string, unknown][] =>
  Array.isArray(all) ? all.map((entry): [string, unknown] => [record, entry]) : [];

async function answered(emulator: Started, method: string, path: string, init: Sent = {}) {
  const { status, body } = await call(emulator, method, path, init);
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  assert.deepEqual(Object.keys(body), ['kind', 'data'], path);
  assert.ok(kinds.includes(body.kind), body.kind);
  return body.data;
}

for (const bare of [false, true]) {
  const how = bare ? 'with --bare' : 'by default';

  test(`a task has no field outside the contract, ${how}; optional fields only on request`, async (t) => {
    const emulator = await started(t, { mode: bare ? 'bare' : 'default' });
    for (const asked of [[], ['billingType'], onRequest]) {
      const fields = query({ fields: asked });
      const updated = await answered(emulator, 'PUT', `/tasks/${task}?${fields}&withInvitations=true`);
      const read = await answered(emulator, 'GET', `/tasks/${task},IEAAAAAQKQAB5REC?${fields}`);
      for (const record of [...updated, ...read]) checkTask(record, asked);
      for (const name of asked) assert.ok(name in updated[0], name);
    }
    for (const record of await answered(emulator, 'GET', '/tasks')) checkTask(record, []);
  });

  test(`a webhook, an account and a contact have no field outside the contract, ${how}`, async (t) => {
    const emulator = await started(t, { mode: bare ? 'bare' : 'default' });
    const webhook = [...namesOf('Webhook'), ...(bare ? [] : ['events', 'recursive'])];
    for (const path of [
      '/webhooks',
      '/folders/IEAAAAAQI4AB5FLD/webhooks',
      '/spaces/IEAAAAAQI5AB5SPC/webhooks',
    ]) {
      const init = {
        body: new URLSearchParams({ hookUrl: 'https://hooks.example.com/', events: '[TaskCreated]' }),
      };
      const [record] = await answered(emulator, 'POST', path, init);
      within(record, webhook, path);
      assert.equal('folderId' in record, path.startsWith('/folders/'), path);
      within((await answered(emulator, 'PUT', `/webhooks/${record.id}?status=Suspended`))[0], webhook, path);
    }
    for (const record of await answered(emulator, 'GET', '/webhooks')) within(record, webhook, 'list');
    for (const record of await answered(emulator, 'GET', '/account'))
      within(record, namesOf('Account'), 'account');
    for (const record of await answered(emulator, 'GET', '/contacts'))
      within(record, [...namesOf('Contact'), ...(bare ? [] : ['primaryEmail'])], 'contact');
    await answered(emulator, 'GET', '/folders');
  });

  test(`an error has exactly two fields, ${how}`, async (t) => {
    const emulator = await started(t, { mode: bare ? 'bare' : 'default' });
    for (const path of ['/tasks/NOSUCHTASK', '/nothing', '/webhooks?x=1', '/tasks/%', '/accounts']) {
      const { body } = await call(emulator, 'GET', path);
      assert.deepEqual(Object.keys(body).toSorted(), ['error', 'errorDescription'], path);
    }
    const echoed = await call(emulator, 'GET', '/tasks/NOSUCHTASK?state=a%20b');
    assert.deepEqual([echoed.status, echoed.body.state], [404, 'a b']);
    await control(emulator, 'POST', '/faults', { request: 'getAccount', status: 500 });
    const failed = await call(emulator, 'GET', '/account');
    assert.deepEqual([failed.status, failed.body.error], [500, 'server_error']);
    assert.deepEqual(Object.keys(failed.body).toSorted(), ['error', 'errorDescription']);
  });
}

test('paging is only assumed: with --bare, a list is complete', async (t) => {
  const full = await started(t);
  const { body } = await call(full, 'GET', '/tasks?pageSize=2');
  assert.deepEqual(Object.keys(body), ['kind', 'nextPageToken', 'responseSize', 'data']);
  const bare = await started(t, { mode: 'bare' });
  const whole = await call(bare, 'GET', '/tasks?pageSize=2');
  assert.deepEqual([Object.keys(whole.body), whole.body.data.length], [['kind', 'data'], 11]);
});

test('a batch takes 100 operations, not 101, and counts as one request', async (t) => {
  const emulator = await started(t, { rateLimit: 3 });
  const operation = {
    method: 'POST',
    path: '/folders/IEAAAAAQI4AB5FLD/tasks',
    parameters: { title: 'By batch' },
  };
  const batch = (count: number) =>
    call(emulator, 'POST', '/batch', {
      json: { operations: Array.from({ length: count }, () => operation) },
    });
  const asked = await batch(100);
  assert.deepEqual([asked.status, asked.body.kind], [200, 'asyncJob']);
  const more = await batch(101);
  assert.deepEqual([more.status, more.body.error], invalid);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  const { body } = await call(emulator, 'GET', `/async_job/${asked.body.data[0].id}`);
  assert.deepEqual([body.data[0].status, body.data[0].results.length], ['Completed', 100]);
  assert.equal((await call(emulator, 'GET', '/account')).status, 429);
});

test('a GET takes up to 100 webhook or task ids', async (t) => {
  const emulator = await started(t);
  const ids: string[] = [];
  for (let i = 0; i < 101; i++) {
    const { body } = await call(emulator, 'POST', '/webhooks', {
      form: { hookUrl: 'https://hooks.example.com/' },
    });
    ids.push(body.data[0].id);
  }
  const hundred = await call(emulator, 'GET', `/webhooks/${ids.slice(0, 100).join(',')}`);
  assert.deepEqual([hundred.status, hundred.body.data.length], [200, 100]);
  assert.deepEqual(await outcome(emulator, 'GET', `/webhooks/${ids.join(',')}`), invalid);
});
