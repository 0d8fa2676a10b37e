// Every record is one of the contract's, every error has its code and status, and no request crashes the emulator.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import {
  accountRecord,
  contactRecord,
  customFieldRecord,
  folderRecord,
  spaceRecord,
  workflowRecord,
} from '#contract/read-only-records.ts';
import { taskRecord } from '#contract/task.ts';
import { startEmulator } from '#emulator/emulator.ts';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { outcome, records } from '#test/support/service/records.ts';
import { call, handClock, started } from '#test/support/service/start-emulator.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';
import { createWebhook, withReceiver } from './dispatch/subscribed.ts';

test('every read returns its kind and records', async (t) => {
  const emulator = await started(t);
  for (const [path, kind, record, count] of [
    ['/account', 'accounts', accountRecord, 1],
    ['/contacts', 'contacts', contactRecord, 3],
    ['/contacts/KUAABENQ,KUAAADAQ', 'contacts', contactRecord, 2],
    ['/spaces', 'spaces', spaceRecord, 2],
    ['/folders', 'folderTree', folderRecord, 8],
    ['/folders?descendants=false', 'folders', folderRecord, 2],
    ['/folders/IEAAAAAQI4AB5SUB,IEAAAAAQI5AB5SPC', 'folders', folderRecord, 2],
    ['/customfields', 'customfields', customFieldRecord, 10],
    ['/spaces/IEAAAAAQI5AB5SPC/customfields', 'customfields', customFieldRecord, 1],
    ['/workflows', 'workflows', workflowRecord, 1],
    ['/spaces/IEAAAAAQI5AB5SPC/workflows', 'workflows', workflowRecord, 2],
    ['/tasks', 'tasks', taskRecord, 11],
    ['/tasks/IEAAAAAQKQAB5BNG,IEAAAAAQKQAB5BIN', 'tasks', taskRecord, 2],
  ] as const) {
    const { status, body } = await call(emulator, 'GET', path);
    assert.equal(status, 200, path);
    assert.deepEqual(Object.keys(body), ['kind', 'data'], path);
    assert.equal(body.kind, kind);
    assert.equal(body.data.length, count, path);
    for (const entry of body.data) record.validate(entry);
  }
});

test('the account and its people', async (t) => {
  const emulator = await started(t);
  const { body } = await call(emulator, 'GET', '/account');
  assert.deepEqual(body.data[0], {
    id: 'IEAAAAAQ',
    name: 'Paper Lantern Studio',
    rootFolderId: 'IEAAAAAQI7777777',
    recycleBinId: 'IEAAAAAQI7777776',
    dateFormat: 'dd/MM/yyyy',
    firstDayOfWeek: 'Mon',
    workDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    createdDate: '2026-01-05T09:00:00Z',
    joinedDate: '2026-01-05T09:00:00Z',
  });
});

test('contacts and folders come in the order of the requested ids, each as in its list', async (t) => {
  const emulator = await started(t);
  for (const [path, ids] of [
    ['/contacts', ['KUAABOTQ', 'KUAAADAQ']],
    [
      '/folders?fields=["superParentIds","hasAttachments","metadata","customFields"]',
      ['IEAAAAAQI4AB5SUB', 'IEAAAAAQI7777776', 'IEAAAAAQI4AB5FLD'],
    ],
  ] as const) {
    const all: readonly { readonly id: string }[] = await records(emulator, 'GET', path);
    const { body } = await call(emulator, 'GET', `${path.replace(/\?.*/, '')}/${ids.join(',')}`);
    assert.deepEqual(
      body.data,
      ids.map((id) => all.find((item) => item.id === id)),
    );
  }
});

test('a contact of another account, or a folder that the user cannot see, fails the whole request', async (t) => {
  const emulator = await started(t);
  const asBen = { headers: { Authorization: `Bearer ${sampleTokens.ben}` } };
  for (const [path, status, error] of [
    ['/contacts/KUAAADAQ,KUEUADAQ', 404, 'resource_not_found'],
    ['/contacts/KUAAADAQ,NOBODY00', 404, 'resource_not_found'],
    ['/contacts/ada', 400, 'invalid_parameter'],
    ['/folders/IEAAAAAQI4AB5FLD,IEAAEUAQI5AB5SPC', 404, 'resource_not_found'],
    ['/folders/IEAAAAAQI4AB5FLD,IEAAAAAQI4AB5PRV', 403, 'access_forbidden'],
    [`/folders/${Array.from({ length: 101 }, (_, at) => `F${at}`).join(',')}`, 400, 'invalid_parameter'],
  ] as const) {
    assert.deepEqual(await outcome(emulator, 'GET', path, asBen), [status, error], path);
  }
});

test('errors have the codes and statuses of the table', async (t) => {
  const emulator = await started(t);
  for (const [method, path, status, error] of [
    ['GET', '/tasks/NOSUCHTASK', 404, 'resource_not_found'],
    ['PUT', '/tasks/NOSUCHTASK?title=x', 404, 'resource_not_found'],
    ['GET', '/tasks/IEAAEUAQKQAB5BNG', 404, 'resource_not_found'],
    ['GET', '/webhooks/NOSUCHHOOK', 404, 'resource_not_found'],
    ['GET', '/nothing', 404, 'method_not_found'],
    ['GET', '/tasks;x', 404, 'method_not_found'],
    ['DELETE', '/contacts/KUAABENQ', 404, 'method_not_found'],
    ['POST', '/account', 404, 'method_not_found'],
    ['PATCH', '/tasks/IEAAAAAQKQAB5BNG', 404, 'method_not_found'],
    ['GET', '/webhooks?x=1', 400, 'invalid_parameter'],
    ['GET', '/tasks/a%20b', 400, 'invalid_parameter'],
    ['GET', '/tasks/%E0%A4%A', 400, 'invalid_request'],
    ['GET', `/tasks/${Array.from({ length: 101 }, (_, i) => `T${i}`).join(',')}`, 400, 'invalid_parameter'],
    ['GET', '/contacts?me=yes', 400, 'invalid_parameter'],
    ['GET', '/tasks?pageSize=0', 400, 'invalid_parameter'],
    ['GET', '/account?method=PATCH', 400, 'invalid_parameter'],
  ] as const) {
    const response = await call(emulator, method, path);
    assert.deepEqual([response.status, response.body.error], [status, error], `${method} ${path}`);
    assert.deepEqual(Object.keys(response.body), ['errorDescription', 'error']);
    assert.equal(typeof response.body.errorDescription, 'string');
  }
  const old = await fetch(`${emulator.authUrl}/api/v3/accounts`);
  assert.equal(old.status, 404);
});

test('HEAD is GET without the body; OPTIONS lists the methods', async (t) => {
  const emulator = await started(t);
  const head = await call(emulator, 'HEAD', '/account');
  assert.deepEqual([head.status, head.body], [200, undefined]);
  assert.ok(Number(head.headers.get('content-length')) > 0);
  const options = await call(emulator, 'OPTIONS', '/webhooks/x');
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'OPTIONS, GET, PUT, DELETE']);
});

test('OPTIONS lists the methods of every existing path, and of the server', async (t) => {
  const { authUrl } = await started(t);
  const { hostname, port } = new URL(authUrl);
  const all = 'OPTIONS, GET, POST, PUT, DELETE';
  for (const [path, allow] of [
    ['*', all],
    ['/', 'OPTIONS, GET, POST'],
    ['/open.htm', 'OPTIONS, GET'],
    ['/api/v4/account', 'OPTIONS, GET'],
    ['/api/v4/tasks/IEAAAAAQKQAB5BNG', 'OPTIONS, PUT, GET, DELETE'],
    ['/oauth2/authorize/v4', 'OPTIONS, GET, POST'],
    ['/oauth2/token', 'OPTIONS, POST'],
    ['/oauth2/convert_v3_token', 'OPTIONS, POST'],
    ['/_emulator/clock', 'OPTIONS, GET, POST'],
    ['/_emulator/users/KUAABENQ', 'OPTIONS, POST, DELETE'],
    ['/nothing', undefined],
    ['/api/v4/nothing', undefined],
    ['/api/v4/', undefined],
    ['/_emulator/nothing', undefined],
    ['/_emulator/clock/now', undefined],
  ] as const) {
    const sent = request({ hostname, port, path, method: 'OPTIONS', agent: false }).end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    assert.ok(response);
    const found = allow !== undefined;
    assert.deepEqual([response.statusCode, response.headers.allow], [found ? 204 : 404, allow], path);
    assert.equal(response.headers['access-control-allow-origin'], undefined, path);
    assert.equal((await text(response)) === '', found, path);
  }
});

test('HEAD works wherever GET does, and pages allow no other method', async (t) => {
  const { authUrl, token } = await started(t);
  const status = async (method: string, path: string) =>
    (await fetch(`${authUrl}${path}`, { method, headers: { Authorization: `Bearer ${token}` } })).status;
  for (const path of ['/', '/open.htm', '/api/v4/account', '/_emulator/clock', '/oauth2/authorize/v4'])
    assert.equal(await status('HEAD', path), await status('GET', path), path);
  for (const path of ['/', '/open.htm']) {
    assert.equal(await status('GET', path), 200);
    for (const method of ['PUT', 'DELETE', 'PATCH']) assert.equal(await status(method, path), 404);
  }
  assert.equal(await status('POST', '/open.htm'), 404);
  assert.equal(await status('POST', '/'), 400, 'no form of the page');
});

test('the front page explains the emulator, and shows no token', async (t) => {
  const { authUrl, tokens } = await started(t);
  const response = await fetch(authUrl);
  assert.equal(response.status, 200);
  const page = await response.text();
  assert.match(page, /emulator/);
  for (const token of Object.values(tokens)) assert.ok(!page.includes(token.slice(0, 20)));
});

test('the front page uses up no fault, and is not in the request log', async (t) => {
  const emulator = await started(t);
  await emulator.control('POST /faults', { body: { request: 'any', status: 503 } });
  const page = async () => (await fetch(emulator.authUrl)).text();
  await page();
  assert.equal((await call(emulator, 'GET', '/account?state=<b>')).status, 503);
  assert.equal((await call(emulator, 'GET', '/account?page=1')).status, 200);
  const shown = await page();
  assert.match(shown, /2 requests/);
  assert.match(shown, /GET \/api\/v4\/account/);
  assert.match(shown, /None: every request gets its own response/);
});

test('the front page shows the latest data, including changes by its forms', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const { authUrl, control, sampleTask } = emulator;
  await createWebhook(emulator, receiver, { events: ['CommentAdded'] });
  for (const path of [`/folders/${sample.folder}/webhooks`, `/spaces/${sample.space}/webhooks`])
    await createWebhook(emulator, receiver, { events: ['TaskCreated'] }, { path });
  await control('POST /faults', { body: { request: 'any', status: 503, when: 'after' } });
  await control('DELETE /users/{id}', { id: sample.ben });
  await control('DELETE /tasks/{id}', { id: sampleTask });
  await control('POST /clock', { body: { freeze: true } });
  /** The rows of the page's tables, after submitting a form. */
  const after = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    assert.equal((await fetch(authUrl, { method: 'POST', body, redirect: 'manual' })).status, 303);
    await control('GET /deliveries', { query: new Map([['settled', 'true']]) });
    const rows = (await (await fetch(authUrl)).text()).match(/<tr><td.*?<\/tr>/gs) ?? [];
    return rows.map((row) => row.replace(/<\/td>\s*/g, '|').replace(/<[^>]*>/g, ''));
  };
  const rows = await after({ do: 'emit', eventType: 'CommentAdded' });
  for (const row of [
    'any|503, after the effect|1|',
    `CommentAdded|${receiver.url}|delivered|200|2026-03-02 12:00:00|`,
    `Ben Okafor|${sample.ben}|Paper Lantern Studio|removed|`,
    `${sampleTask}|Write the launch page|in the recycle bin|2026-03-02 12:00:00|`,
  ])
    assert.ok(rows.includes(row), `${row}\n${rows.join('\n')}`);
  assert.deepEqual(
    rows.flatMap((row) => /\|([^|]*)\|Active\|$/.exec(row)?.[1] ?? []),
    ['account', `folder ${sample.folder}`, `space ${sample.space}`],
  );
  const isFault = (row: string) => row.includes('after the effect');
  assert.ok(!(await after({ do: 'clear-faults' })).some(isFault));
  await after({ do: 'resume' });
  assert.equal((await control('GET /clock')).frozen, false);
  await after({ do: 'advance', advanceSeconds: '60' });
  const made = (await after({ do: 'make-tasks', count: '12' })).filter((row) => /\|Task \d/.test(row));
  assert.equal(made.length, 10);
  assert.ok(!(await after({ do: 'reset' })).some((row) => /\|Task \d|CommentAdded/.test(row)));
});

test('a form of the front page acts once, and only from this origin', async (t) => {
  const { authUrl, control } = await started(t);
  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(authUrl, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
  const done = await submit({ do: 'freeze' }, { Origin: authUrl });
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/?done=freeze#clock']);
  assert.match(await (await fetch(`${authUrl}/?done=freeze`)).text(), /The clock stands still/);
  // A link cannot make the page say what it wants.
  assert.doesNotMatch(await (await fetch(`${authUrl}/?done=Hello`)).text(), /Hello/);
  for (const origin of ['https://elsewhere.example.com', 'null'])
    assert.equal((await submit({ do: 'reset' }, { Origin: origin })).status, 403);
  assert.equal((await control('GET /clock')).frozen, true);
  for (const [fields, why] of [
    [{ do: 'constructor' }, /names no action/],
    [{}, /names no action/],
    [{ do: 'add-fault', request: '<b>' }, /&quot;&lt;b&gt;&quot; is not one of/],
    [{ do: 'advance', advanceSeconds: '-1' }, /-1/],
    [{ do: 'advance', advanceSeconds: 'soon' }, /soon/],
    [{ do: 'emit', eventType: 'TaskCreate' }, /TaskCreate/],
    [{ do: 'make-tasks', count: '0' }, /0/],
  ] as const) {
    const rejected = await submit(fields);
    assert.equal(rejected.status, 400, JSON.stringify(fields));
    assert.match(await rejected.text(), why);
  }
});

test('rejects a body that is not UTF-8', async (t) => {
  const emulator = await started(t);
  const body = Uint8Array.of(0x74, 0x3d, 0xff, 0xfe);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const path = '/tasks/IEAAAAAQKQAB5BNG';
  assert.deepEqual(await outcome(emulator, 'PUT', path, { body, headers }), [400, 'invalid_request']);
});

test('an internal error is a logged 500, and the next request is served', async (t) => {
  const logged: string[] = [];
  const http = { send: () => Promise.reject(new Error('a bug inside')) };
  const world = { server: createServer(), http, clock: handClock(), randomBytes };
  const emulator = await startEmulator(world, { log: (line) => logged.push(line) });
  assert.ok(!('fault' in emulator));
  t.after(() => emulator.close());
  assert.deepEqual(
    await outcome(emulator, 'POST', '/webhooks', {
      form: { hookUrl: 'https://hooks.example.com/', secret: 'x' },
    }),
    [500, 'server_error'],
  );
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /a bug inside/);
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

test('a target in absolute form is the same request; without a path, it is the front page', async (t) => {
  const emulator = await started(t);
  const port = Number(new URL(emulator.baseUrl).port);
  const bearer = `Host: 127.0.0.1\r\nAuthorization: Bearer ${emulator.token}\r\nConnection: close\r\n`;
  const account = await exchangeBytes(port, `GET ${emulator.baseUrl}/account HTTP/1.1\r\n${bearer}\r\n`);
  assert.match(account, /^HTTP\/1\.1 200 OK[\s\S]*"kind":"accounts"/);
  const page = await exchangeBytes(port, `GET ${emulator.authUrl} HTTP/1.1\r\n${bearer}\r\n`);
  assert.match(page, /^HTTP\/1\.1 200 OK[\s\S]*<!doctype html>/);
});

test('rejects a compressed body; identity counts as uncompressed', async (t) => {
  const emulator = await started(t);
  const body = new URLSearchParams({ title: 'x' });
  const send = (encoding: string) =>
    call(emulator, 'PUT', '/tasks/IEAAAAAQKQAB5BNG', { body, headers: { 'Content-Encoding': encoding } });
  const gzip = await send('gzip');
  assert.deepEqual(
    [gzip.status, gzip.body],
    [400, { errorDescription: 'Content-Encoding gzip is not supported', error: 'invalid_request' }],
  );
  const identity = await send('identity');
  assert.deepEqual([identity.status, identity.body.data?.[0].title], [200, 'x']);
});
