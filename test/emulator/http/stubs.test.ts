// Stubs respond to what the emulator does not have; faults can name a path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control } from '#test/support/service/control.ts';
import { records } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const rejected = async (controlUrl: string, path: string, body: object) => {
  const response = await fetch(`${controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(response.status, 400, JSON.stringify(body));
  const { errorDescription } = (await response.json()) as { errorDescription: string };
  return errorDescription;
};

test('a stub responds to what the emulator does not have, latest first, as many times as it says', async (t) => {
  const emulator = await started(t);
  const stub = (body: object) => control(emulator, 'POST', '/stubs', body);
  await stub({ request: 'GET /approvals/{id}', json: { kind: 'approvals', data: [] } });
  await stub({ request: 'GET /approvals/*', status: 429, retryAfter: 7, count: 1 });
  const limited = await call(emulator, 'GET', '/approvals/AB');
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '7']);
  for (const _ of [1, 2]) {
    const found = await call(emulator, 'GET', '/approvals/AB');
    assert.deepEqual([found.status, found.body], [200, { kind: 'approvals', data: [] }]);
    assert.equal(found.headers.get('content-type'), 'application/json;charset=utf-8');
  }
  assert.equal((await call(emulator, 'POST', '/approvals/AB')).status, 404, 'another method');
  assert.equal((await call(emulator, 'GET', '/approvals/AB/steps')).status, 404, 'another path');
  await stub({ request: 'any /api/v3/**', body: 'gone', status: 410 });
  await stub({ request: 'GET /bookings', status: 403 });
  const denied = await call(emulator, 'GET', '/bookings?state=s');
  const { errorDescription, ...error } = denied.body;
  assert.deepEqual([denied.status, error], [403, { error: 'access_forbidden', state: 's' }]);
  await stub({ request: 'GET /bookings', status: 204 });
  assert.equal((await call(emulator, 'GET', '/bookings')).body, undefined);
  const old = await fetch(`${emulator.authUrl}/api/v3/tasks/AB`, { method: 'PATCH' });
  assert.deepEqual([old.status, await old.text()], [410, 'gone']);
  assert.equal(old.headers.get('content-type'), 'text/plain;charset=utf-8');
  assert.equal((await control(emulator, 'GET', '/stubs')).stubs.length, 4);
  await control(emulator, 'POST', '/reset', {});
  assert.equal((await call(emulator, 'GET', '/approvals/AB')).status, 404);
});

test('a stub for a request that the emulator has, or an invalid one, is an error', async (t) => {
  const emulator = await started(t);
  const reason = (body: object) => rejected(emulator.controlUrl, '/stubs', body);
  assert.match(await reason({ request: 'PUT /tasks/*' }), /is updateTask, which the emulator has/);
  assert.match(await reason({ request: 'GET tasks' }), /is not a path/);
  assert.match(await reason({ request: 'GET /x?filter={"a":"b c"}' }), /has a blank, which is written %20/);
  assert.match(await reason({ request: 'GET https://api.example.com/x' }), /leave out the host/);
  assert.match(await reason({ request: 'GET /_emulator/x' }), /is the path of a control request/);
  assert.match(await reason({ request: 'GET /x#a' }), /has a fragment/);
  assert.match(await reason({ request: 'GET /x', responses: [] }), /list of responses is empty/);
  assert.match(await reason({ request: 'GET /x', json: 1, responses: [{}] }), /one response or a list/);
  assert.match(await reason({ request: 'GET /x', responses: [{ status: 204, json: 1 }] }), /has no body/);
  assert.match(await reason({ request: 'GET /x', headers: ['X-A: 1\r\nX-B: 2'] }), /such as Name: value/);
  assert.match(await reason({ request: 'GETT /x' }), /"GETT" is not one of any, GET, .*; did you mean GET\?/);
  assert.match(await reason({ request: 'GET /x', body: 'a', json: 1 }), /not both/);
  assert.match(await reason({ request: 'GET /x', status: 204, json: 1 }), /has no body/);
  // What is wrong with an id stays the emulator's matter, whatever a stub for everything says.
  await control(emulator, 'POST', '/stubs', { request: 'any /api/**', json: {} });
  assert.equal((await call(emulator, 'GET', '/tasks/x%20y')).status, 400);
  assert.equal((await call(emulator, 'GET', '/else')).status, 200);
});

test('a fault for a path affects no other path, and its JSON is sent unchanged', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', {
    request: 'PUT /tasks/IEAAAAAQKQAB5BLG',
    json: ['x'],
    status: 503,
  });
  await control(emulator, 'POST', '/faults', { request: '/webhooks/**', status: 500, times: 2 });
  const failed = async (method: string, path: string) => (await call(emulator, method, path)).status;
  assert.equal(await failed('PUT', '/tasks/IEAAAAAQKQAB5BNG?title=a'), 200);
  assert.equal(await failed('GET', '/tasks/IEAAAAAQKQAB5BLG'), 200);
  assert.equal(await failed('GET', '/webhooks'), 200);
  assert.deepEqual([await failed('GET', '/webhooks/A1'), await failed('DELETE', '/webhooks/A1')], [500, 500]);
  assert.equal(await failed('GET', '/webhooks/A1'), 404);
  const response = await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BLG?method=PUT&title=a');
  assert.deepEqual([response.status, response.body], [503, ['x']], 'the method of the query counts');
  assert.equal(response.headers.get('content-type'), 'application/json;charset=utf-8');
  assert.deepEqual((await control(emulator, 'GET', '/faults')).faults, []);
  const reason = (body: object) => rejected(emulator.controlUrl, '/faults', body);
  assert.match(
    await reason({ request: 'updateTaks', status: 500 }),
    /did you mean updateTask or updateTasks\?/,
  );
  assert.match(await reason({ request: 'PUT  tasks/x', status: 500 }), /is not a path/);
});

test('the path of a stub matches in any encoding, and may not have segments that clients resolve', async (t) => {
  const emulator = await started(t);
  for (const request of ['GET /../account', 'GET /a/./b', 'GET /a/%2E%2e', 'GET /a/..'])
    assert.match(await rejected(emulator.controlUrl, '/stubs', { request }), /clients resolve/);
  for (const request of ['GET /caf\u00e9', 'GET /a%2fb'])
    await control(emulator, 'POST', '/stubs', { request, status: 204 });
  for (const path of ['/caf%C3%A9', '/caf%c3%a9', '/a%2Fb', '/a%2fb'])
    assert.equal((await call(emulator, 'GET', path)).status, 204, path);
  assert.equal((await call(emulator, 'GET', '/a/b')).status, 404);
});

test('a stub can match by query, even for an operation that the emulator has', async (t) => {
  const emulator = await started(t);
  const stub = (body: object) => control(emulator, 'POST', '/stubs', body);
  await stub({ request: 'GET /tasks?customRoles=*', json: { kind: 'tasks', data: [] } });
  await stub({ request: 'GET /tasks?customRoles=a%20b&limit=1', status: 418 });
  const status = async (path: string) => (await call(emulator, 'GET', path)).status;
  assert.equal(await status('/tasks?limit=1&customRoles=a%20b'), 418);
  const any = await call(emulator, 'GET', '/tasks?customRoles=other&limit=1');
  assert.deepEqual([any.status, any.body.data], [200, []]);
  assert.equal(await status('/tasks?limit=1'), 200);
  assert.ok((await records(emulator, 'GET', '/tasks?limit=1')).length > 0, 'without it, the emulator');
  await control(emulator, 'POST', '/faults', { request: 'GET /contacts?me=*', status: 503 });
  assert.deepEqual([await status('/contacts'), await status('/contacts?me=true')], [200, 503]);
});

test('a stub can match by members of the body, as JSON or a form', async (t) => {
  const emulator = await started(t);
  const request = 'POST /folders/*/tasks';
  const stub = (withBody: unknown, status: number) =>
    control(emulator, 'POST', '/stubs', { request, withBody, status });
  await stub({ title: 'Taken' }, 403);
  await stub({ title: 'Dated', dates: { start: '2026-03-02' }, limit: 2 }, 409);
  await stub('needle', 418);
  const create = async (body: string | URLSearchParams) => {
    const headers = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
    return (await call(emulator, 'POST', '/folders/IEAAAAAQI4AB5BGA/tasks', { headers, body })).status;
  };
  assert.equal(await create('{"title":"Taken","importance":"High"}'), 403);
  assert.equal(await create(new URLSearchParams({ title: 'Taken' })), 403);
  const dates = { start: '2026-03-02', due: '2026-03-03' };
  assert.equal(await create(JSON.stringify({ title: 'Dated', dates, limit: 2 })), 409);
  const form = { title: 'Dated', dates: JSON.stringify(dates), limit: '2' };
  assert.equal(await create(new URLSearchParams(form)), 409);
  assert.equal(await create(new URLSearchParams({ title: 'a needle' })), 418);
  assert.notEqual(await create('{"title":"Free"}'), 403);
  assert.notEqual(await create('not JSON'), 403);
});

test('a stub sends its headers, and a list of responses one after another', async (t) => {
  const emulator = await started(t);
  const data = { kind: 'approvals', data: [] };
  await control(emulator, 'POST', '/stubs', {
    request: 'GET /approvals',
    responses: [
      { status: 503, retryAfter: 3 },
      { json: data, headers: ['X-Page: 1, 2', 'ETag:"a"'] },
    ],
    count: 3,
  });
  const first = await call(emulator, 'GET', '/approvals');
  assert.deepEqual([first.status, first.headers.get('retry-after')], [503, '3']);
  for (const _ of [1, 2]) {
    const { status, body, headers } = await call(emulator, 'GET', '/approvals');
    assert.deepEqual([status, body, headers.get('x-page'), headers.get('etag')], [200, data, '1, 2', '"a"']);
  }
  assert.equal((await call(emulator, 'GET', '/approvals')).status, 404, 'three were asked for');
});

test('an unsupported request says how to stub it, in a header and once in the output', async (t) => {
  shows('other-endpoints', 'default');
  const emulator = await started(t);
  const hint = /wm emulator stub --help/;
  for (const path of [
    '/approvals',
    '/tasks/IEAAAAAQKQAB5BNG/approvals',
    '/tasks/IEAAAAAQKQAB5MIL/approvals',
  ]) {
    const reply = await call(emulator, 'GET', path);
    assert.deepEqual([reply.status, reply.body.error], [404, 'method_not_found'], path);
    assert.match(reply.headers.get('emulator-warning') ?? '', hint);
  }
  const lines = emulator.logged.filter((line) => hint.test(line));
  assert.equal(lines.length, 2, lines.join('\n'));
  assert.match(lines[0] ?? '', /GET \/approvals .*the service may have it/);
  assert.match(lines[1] ?? '', /GET \/tasks\/\{id\}\/approvals /);
  // The service removed these, so no stub is suggested.
  const removed = await call(emulator, 'GET', '/accounts');
  assert.deepEqual([removed.status, removed.headers.get('emulator-warning')], [404, null]);
  await control(emulator, 'POST', '/stubs', {
    request: 'GET /bookings',
    json: { kind: 'bookings', data: [] },
  });
  assert.equal((await call(emulator, 'GET', '/bookings')).headers.get('emulator-warning'), null);
  assert.equal(emulator.logged.filter((line) => hint.test(line)).length, 2);
});
