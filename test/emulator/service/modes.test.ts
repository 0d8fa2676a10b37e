// The headers of the emulator's responses, and the requests that each of its modes accepts or rejects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulatorModes } from '#contract/assumption.ts';
import { control } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import type { Sent } from '#test/support/service/send.ts';
import { call, query, type Reply, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const task = '/tasks/IEAAAAAQKQAB5BNG';
const assumed = ({ headers }: Reply) => headers.get('emulator-assumption');
const ignored = ({ headers }: Reply) => headers.get('emulator-ignored-parameters');
const outcome = (reply: Reply) => [reply.status, reply.body.error, assumed(reply)];
const form = (body: string): Sent => ({
  body,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});
const json = (value: unknown): Sent => ({
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});
const hook = 'hookUrl=https%3A%2F%2Fhooks.example.com%2F';
const hookObject = { hookUrl: 'https://hooks.example.com/' };
const numberField = 'IEAAAAAQJUAB5NUM';
const folder = '/folders/IEAAAAAQI4AB5FLD';

for (const mode of emulatorModes) {
  test(`behaviour stated in the contract depends on no row, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    for (const [method, path, status] of [
      ['PUT', `${task}?title=x`, 200],
      ['PUT', `${task}?${query({ addResponsibles: ['KUAABENQ'] })}`, 200],
      ['PUT', `${task}?nothing=1`, 400],
      ['PUT', `${task}?title=`, 400],
      ['GET', '/webhooks?nothing=1', 400],
      ['PUT', '/tasks/NOSUCHTASK?title=x', 404],
      ['PATCH', task, 404],
    ] as const) {
      const reply = await call(emulator, method, path);
      assert.deepEqual([reply.status, assumed(reply)], [status, null], path);
    }
  });

  test(`a rejection not stated in the contract names its row, in ${mode} mode`, async (t) => {
    const emulator = await started(t, { mode });
    for (const [method, path, status, error, row] of [
      [
        'PUT',
        `${task}?${query({ dates: { start: '2026-02-02' } })}`,
        400,
        'invalid_parameter',
        'start-alone',
      ],
      ['PUT', `${task}?${query({ addFollowers: ['KUAANONE'] })}`, 400, 'invalid_parameter', 'unresolved-id'],
      ['PUT', '/tasks/IEAAAAAQKQAB5BIN?title=x', 403, 'access_forbidden', 'deleted-task-update'],
      ['GET', '/tasks/IEAAEUAQKQAB5BNG', 404, 'resource_not_found', 'other-account'],
      ['PUT', `${task}?title=x&title=y`, 400, 'invalid_parameter', 'repeated-parameter'],
      ['GET', '/tasks?sortField=Colour', 400, 'invalid_parameter', 'task-filters'],
      ['GET', '/whatever', 404, 'method_not_found', 'other-endpoints'],
    ] as const)
      assert.deepEqual(outcome(await call(emulator, method, path)), [status, error, row], path);
  });
}

test('only a path of version 3, or nonsense, is called nonexistent; others are called unsupported', async (t) => {
  const emulator = await started(t);
  for (const path of ['/approvals', '/folders/IEAAAAAQI4AB5FLD/approvals', '/tasks/IEAAAAAQKQAB5BNG/x/y']) {
    const { body } = await call(emulator, 'GET', path);
    assert.equal(body.errorDescription, `The method GET ${path} is not part of this emulator`);
  }
  for (const path of ['/accounts', '/accounts/IEAAAAAQ/tasks', '/tasks;x', '/%7B']) {
    const { body } = await call(emulator, path === '/%7B' ? 'PATCH' : 'GET', path);
    assert.match(body.errorDescription, / does not exist$/, path);
  }
  for (const path of ['/api/v3/tasks', '/api/v3/accounts/IEAAAAAQ/folders', '/nothing']) {
    const response = await fetch(`${emulator.authUrl}${path}`);
    const body: { errorDescription: string } = JSON.parse(await response.text());
    assert.equal(body.errorDescription, `The method GET ${path} does not exist`);
  }
});

test('ignores and reports an unknown parameter where the contract does not list them', async (t) => {
  const emulator = await started(t);
  for (let i = 0; i < 2; i++) {
    const reply = await call(emulator, 'GET', '/account?colour=red&a%20b=1&colour=blue');
    assert.equal(reply.status, 200);
    assert.equal(ignored(reply), 'colour, a%20b');
    assert.ok(assumed(reply)?.endsWith('unknown-parameter'));
  }
  const why = 'was ignored: neither the contract nor an assumption says that this request takes it';
  assert.deepEqual(emulator.logged, [
    `the parameter "colour" of GET /account ${why}`,
    `the parameter "a b" of GET /account ${why}`,
  ]);
  const bare = await started(t, { mode: 'bare' });
  assert.equal(ignored(await call(bare, 'GET', '/account?x=1')), 'x');
  const strict = await started(t, { mode: 'strict' });
  assert.deepEqual(outcome(await call(strict, 'GET', '/account?colour=red')), [
    400,
    'invalid_parameter',
    'unknown-parameter',
  ]);
});

for (const mode of emulatorModes)
  test(`a list rejects an unknown parameter, in ${mode} mode`, async (t) => {
    shows('unknown-parameter', 'default', 'strict');
    const emulator = await started(t, { mode });
    for (const path of [
      '/tasks',
      '/contacts',
      '/folders',
      '/spaces',
      `${folder}/tasks`,
      `${task}/attachments`,
    ]) {
      const reply = await call(emulator, 'GET', `${path}?colour=red`);
      assert.deepEqual(outcome(reply), [400, 'invalid_parameter', 'unknown-parameter'], path);
      assert.match(reply.body.errorDescription, /^Parameter 'colour' is unknown$/);
    }
    for (const parameters of ['deleted=false', 'followers=true', 'scopes=%5B%22WsTask%22%5D'])
      assert.equal((await call(emulator, 'GET', `/tasks?${parameters}`)).status, 400, parameters);
    assert.equal(
      (await call(emulator, 'GET', '/tasks?state=x&access_token=x&method=GET')).status,
      mode === 'strict' ? 400 : 200,
    );
    if (mode === 'strict') return;
    const fields = await call(emulator, 'GET', '/timesheets?fields=%5B%22id%22%5D');
    assert.deepEqual([fields.status, ignored(fields)], [200, 'fields']);
  });

test('a fault response to a list comes before the check of its parameters', async (t) => {
  const emulator = await started(t);
  const json = { kind: 'tasks', data: [] };
  await control(emulator, 'POST', '/faults', { request: 'listTasks', json });
  assert.deepEqual((await call(emulator, 'GET', '/tasks?colour=red')).body, json);
  assert.equal((await call(emulator, 'GET', '/tasks?colour=red')).status, 400);
});

test('a client cannot flood the output or the headers with ignored parameters', async (t) => {
  const emulator = await started(t);
  for (const at of [0, 90]) {
    const names = Array.from({ length: 30 }, (_, i) => `${'n'.repeat(300)}${at + i}=1`);
    const reply = await call(emulator, 'GET', `/account?${names.join('&')}`);
    assert.equal(ignored(reply)?.split(', ').length, 20);
    assert.ok((ignored(reply)?.length ?? 0) < 2_500);
  }
  // They differ in their lengths alone where they are shown.
  assert.equal(emulator.logged.length, 3);
  assert.ok((emulator.logged[0]?.length ?? 0) < 300);
  for (let i = 0; i < 110; i++) await call(emulator, 'GET', `/account?x${i}=1`);
  assert.equal(emulator.logged.length, 101);
  assert.match(emulator.logged.at(-1) ?? '', /not reported/);
});

/** Accepted by default, with the row that says so; rejected with --strict. */
const tolerances: readonly (readonly [
  row: string,
  method: string,
  path: string,
  init: Sent,
  status?: number,
  error?: string,
])[] = [
  ['trailing-slash', 'PUT', `${task}/?title=x`, {}, 400, 'invalid_request'],
  ['plus-sign', 'PUT', `${task}?title=a+b`, {}, 400, 'invalid_request'],
  ['unencoded-json', 'PUT', `${task}?addFollowers=[%22KUAABENQ%22]`, {}],
  ['plain-lists', 'PUT', `${task}?addFollowers=%5BKUAABENQ%5D`, {}],
  ['plain-lists', 'PUT', `${task}?addFollowers=KUAABENQ&addFollowers=KUAAADAQ`, {}],
  ['plain-lists', 'PUT', `${task}?addFollowers%5B%5D=KUAABENQ`, {}],
  ['plain-lists', 'PUT', `${task}?addFollowers=KUAABENQ`, {}],
  ['plain-lists', 'POST', '/webhooks', form(`${hook}&events=TaskCreated`)],
  ['json-in-json', 'POST', '/webhooks', json({ ...hookObject, events: '["TaskCreated"]' })],
  ['lenient-json', 'PUT', `${task}?${query({ customFields: `[{id=${numberField},value=1}]` })}`, {}],
  ['lenient-json', 'PUT', `${task}?${query({ dates: "{start=2026-03-02;'due'=>2026-03-03}" })}`, {}],
  ['lenient-json', 'PUT', `${task}?${query({ dates: '{"type":"Backlog","duration":"480"}' })}`, {}],
  ['lenient-json', 'GET', `/timelogs?${query({ trackedDate: '{"equal":2026-11-21}' })}`, {}],
  ['webhook-query', 'POST', `/webhooks?${hook}`, {}, 400, 'invalid_request'],
  ['token-twice', 'PUT', `${task}?title=x&access_token=x`, {}, 400, 'invalid_request'],
  ['double-slash', 'PUT', `/${task}?title=x`, {}, 400, 'invalid_request'],
  ['loose-booleans', 'PUT', `${task}?follow`, {}],
  ['loose-booleans', 'PUT', `${task}?follow=True`, {}],
  ['loose-booleans', 'GET', '/contacts?me=', {}],
  ['loose-booleans', 'PUT', `${task}?${query({ dates: { duration: 5, workOnWeekends: 'true' } })}`, {}],
  ['loose-booleans', 'PUT', `${task}?follow=0`, {}],
  ['loose-booleans', 'POST', `${folder}/webhooks`, json({ ...hookObject, recursive: 'FALSE' })],
  ['loose-booleans', 'PUT', `${task}?${query({ dates: { duration: 5, workOnWeekends: 1 } })}`, {}],
  ['letter-case', 'PUT', `${task}?status=completed`, {}],
  ['letter-case', 'PUT', `${task}?${query({ dates: { type: 'BACKLOG' } })}`, {}],
  ['letter-case', 'PUT', `${task}?${query({ fields: ['billingtype'] })}`, {}],
  ['letter-case', 'GET', '/tasks?sortField=title&sortOrder=desc', {}],
  ['letter-case', 'GET', '/contacts?type=person', {}],
  ['letter-case', 'POST', '/webhooks', json({ ...hookObject, events: ['taskcreated'] })],
  ['quoted-filter', 'GET', '/tasks?importance=%22High%22', {}],
  ['quoted-filter', 'GET', '/contacts?name=%27Ben%27', {}],
];

for (const [row, method, path, init, status = 400, error = 'invalid_parameter'] of tolerances) {
  test(`${row}: ${method} ${path} is accepted by default, and rejected with --strict`, async (t) => {
    shows('double-slash', 'default', 'strict');
    shows('loose-booleans', 'default', 'strict');
    shows('letter-case', 'default', 'strict');
    shows('quoted-filter', 'default', 'strict');
    shows('lenient-json', 'default', 'strict');
    shows('webhook-query', 'default', 'strict');
    for (const mode of ['default', 'bare'] as const) {
      const reply = await call(await started(t, { mode }), method, path, init);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
      assert.ok(assumed(reply)?.split(', ').includes(row), assumed(reply) ?? 'no row');
    }
    const strict = await started(t, { mode: 'strict' });
    assert.deepEqual(outcome(await call(strict, method, path, init)), [status, error, row]);
  });
}

test('contacts accepts me without a value, in each mode', async (t) => {
  shows('contact-filters', 'default');
  for (const mode of emulatorModes) {
    const reply = await call(await started(t, { mode }), 'GET', '/contacts?me');
    assert.deepEqual([reply.status, reply.body.data?.length, assumed(reply)], [200, 1, null], mode);
  }
});

test('a task update accepts its parameters in a body, in each mode', async (t) => {
  shows('parameter-place', 'default');
  for (const mode of emulatorModes) {
    const emulator = await started(t, { mode });
    for (const init of [form('title=x'), json({ title: 'x', addFollowers: ['KUAABENQ'] })])
      assert.deepEqual([(await call(emulator, 'PUT', task, init)).status], [200], mode);
  }
});

test('a value in another accepted form means the same as in the form of the contract', async (t) => {
  const emulator = await started(t);
  const titles = async (path: string) => valuesOf(await records(emulator, 'GET', path), 'title');
  assert.deepEqual(
    await titles('/tasks?sortOrder=desc&sortField=TITLE'),
    await titles('/tasks?sortOrder=Desc&sortField=Title'),
  );
  assert.deepEqual(await titles('/tasks?status=%22completed%22'), ['Buy the domain']);
  assert.deepEqual(await titles('/tasks?customItemTypes=%5BIEAAAAAQPIAB5BUG%5D'), [
    'The form loses its text',
  ]);
  assert.deepEqual(
    await titles('/tasks?customItemTypes=%5BIEAAAAAQPIAB5BUG%5D&pageSize=1&status=Completed'),
    [],
  );
  for (const me of ['me', 'me=']) assert.equal((await records(emulator, 'GET', `/contacts?${me}`)).length, 1);
  const lenient = query({ customFields: `[ {id = ${numberField} ; "value" : 1.5}; ]`.replace('; ]', ']') });
  const [changed] = await records(emulator, 'PUT', `${task}?${lenient}`);
  assert.ok(
    changed.customFields.some(
      ({ id, value }: { id: string; value: string }) => id === numberField && value === '1.5',
    ),
  );
  for (const text of [
    '{start=}',
    '[{id=X',
    '{a}',
    '{=1}',
    '{start=a,,due=b}',
    '['.repeat(99),
    '{start=2026-03-02}}',
    '\\',
  ])
    assert.equal((await call(emulator, 'PUT', `${task}?${query({ dates: text })}`)).status, 400, text);
  const { body } = await call(emulator, 'PUT', `/${task}?follow=0&status=COMPLETED&fields=billingtype`);
  assert.deepEqual([body.data[0].status, body.data[0].billingType !== undefined], ['Completed', true]);
});

test('rejects what is not an allowed word or boolean in any form; a title keeps its quotes', async (t) => {
  const emulator = await started(t);
  for (const parameters of ['follow=yes', 'follow=', 'follow=2', 'status=done', 'status=%22Active%22'])
    assert.deepEqual(
      outcome(await call(emulator, 'PUT', `${task}?${parameters}`)),
      [400, 'invalid_parameter', null],
      parameters,
    );
  assert.equal((await records(emulator, 'PUT', `${task}?title=%22x%22`))[0].title, '"x"');
});

test("with --strict, a list of events in bare brackets is the contract's own form", async (t) => {
  const emulator = await started(t, { mode: 'strict' });
  for (const events of [
    '[TaskCreated,TaskDeleted]',
    '%5BTaskCreated%2CTaskDeleted%5D',
    '%5B%22TaskCreated%22%2C%22TaskDeleted%22%5D',
  ]) {
    const reply = await call(emulator, 'POST', '/webhooks', form(`${hook}&events=${events}`));
    assert.deepEqual(reply.body.data?.[0].events, ['TaskCreated', 'TaskDeleted'], JSON.stringify(reply.body));
  }
});

test('rejects a query of millions of parameters or entries before parsing it', async (t) => {
  const emulator = await started(t);
  const many = [400, 'invalid_request', 'query-length'];
  assert.deepEqual(outcome(await call(emulator, 'PUT', `${task}?${'title=x&'.repeat(10_001)}`)), many);
  assert.deepEqual(outcome(await call(emulator, 'PUT', task, form('title=x&'.repeat(10_001)))), many);
  const list = `[${'A,'.repeat(100_001)}]`;
  const entries = [400, 'invalid_parameter', 'query-length'];
  assert.deepEqual(outcome(await call(emulator, 'PUT', `${task}?addFollowers=${list}`)), entries);
  assert.deepEqual(outcome(await call(emulator, 'GET', `/tasks?customItemTypes=${list}`)), entries);
});

test('with --bare, a list is complete whatever the paging parameters', async (t) => {
  const emulator = await started(t, { mode: 'bare' });
  const { data } = (await call(emulator, 'GET', '/tasks')).body;
  for (const parameters of ['pageSize=1', 'pageSize=5000', 'pageSize=x', 'nextPageToken=bogus']) {
    const reply = await call(emulator, 'GET', `/tasks?${parameters}`);
    assert.equal(reply.status, 200, parameters);
    assert.deepEqual(reply.body, { kind: 'tasks', data });
  }
});
