// The control calls: clock, events on demand, faults, users, revocation, mass actions, reset; and what an emulator keeps.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { control, settled } from '#test/support/service/control.ts';
import { records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { call, rejectedUpdate, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { events as witness } from '#test/witness/events.ts';
import { createClock } from '#world/clock.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { createLock } from '#world/lock.ts';
import { createServer } from '#world/server.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';

const task = 'IEAAAAAQKQAB5BNG';
const ben = 'KUAABENQ';
const benToken = 'pmtB3kWn8ZsTq1XyVr5LcHj7DfGp2MbUe9OoIi4KaRx6YtNwQvCgFhSlJzEu0Dm';

test('advancing the clock runs retries and their consequences', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const id = await createWebhook(emulator, receiver);
  receiver.answer = 500;
  assert.deepEqual(await control(emulator, 'POST', '/clock', { freeze: true, at: '2026-05-01T00:00:00Z' }), {
    now: '2026-05-01T00:00:00Z',
    frozen: true,
  });
  assert.equal((await update(emulator, { title: 'x' })).updatedDate, '2026-05-01T00:00:00Z');
  emulator.clock.move(3_600_000);
  assert.equal((await control(emulator, 'GET', '/clock')).now, '2026-05-01T00:00:00Z');
  await control(emulator, 'POST', '/clock', { advanceSeconds: 89 });
  assert.equal(receiver.received.length, 2);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  assert.equal(receiver.received.length, 3);
  assert.equal((await records(emulator, 'GET', `/webhooks/${id}`))[0].status, 'Suspended');
  assert.deepEqual(await control(emulator, 'POST', '/clock', { resume: true }), {
    now: '2026-05-01T00:01:30Z',
    frozen: false,
  });
  emulator.clock.move(10_000);
  assert.equal((await control(emulator, 'GET', '/clock')).now, '2026-05-01T00:01:40Z');
});

test('the clock stays within the calendar, and a fault needs an existing operation', async (t) => {
  const emulator = await started(t);
  for (const [path, body] of [
    ['/clock', { advanceSeconds: 1e300 }],
    ['/clock', { advanceSeconds: 1e15 }],
    ['/clock', { freeze: true, at: '2026-99-99T00:00:00Z' }],
    ['/faults', { request: 'updateTaks', status: 500 }],
  ] as const) {
    const response = await fetch(`${emulator.controlUrl}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 400, JSON.stringify(body));
  }
  assert.deepEqual(await control(emulator, 'GET', '/clock'), { now: '2026-03-02T12:00:00Z', frozen: false });
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

test('triggers each event on demand, with the fields of its row', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const webhookId = await createWebhook(emulator, receiver);
  for (const { name, payload, idField } of witness) {
    const before = receiver.received.length;
    const { deliveries } = await control(emulator, 'POST', '/events', { eventType: name });
    assert.equal(deliveries, 1, name);
    await settled(emulator);
    const [event] = receiver.received[before]?.events ?? [];
    const expected = new Set(['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate', ...payload]);
    if (idField !== null) expected.add(idField);
    assert.deepEqual(Object.keys(event).sort(), [...expected].sort(), name);
    assert.deepEqual([event.webhookId, event.eventType], [webhookId, name]);
    for (const value of Object.values(event)) assert.notEqual(value, undefined);
  }
});

test('a triggered event carries the given fields, and is filtered like any other', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const recurrent = await createWebhook(emulator, receiver, {
    parameterisedEvents: [{ event: 'TaskCreated', recurrent: true }],
  });
  const single = await createWebhook(emulator, receiver, {
    parameterisedEvents: [{ event: 'TaskCreated', recurrent: false }],
  });
  const comments = await createWebhook(emulator, receiver, { events: ['CommentAdded'] });
  await control(emulator, 'POST', '/events', { eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5REC' });
  await control(emulator, 'POST', '/events', { eventType: 'TaskCreated', taskId: task });
  await control(emulator, 'POST', '/events', {
    eventType: 'CommentAdded',
    taskId: task,
    eventAuthorId: ben,
    comment: { text: 'Hi', html: '<b>Hi</b>' },
  });
  await settled(emulator);
  const received = receiver.events.sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
  const of = (id: string) => received.filter(({ webhookId }) => webhookId === id);
  assert.deepEqual(valuesOf(of(recurrent), 'taskId'), ['IEAAAAAQKQAB5REC']);
  assert.deepEqual(valuesOf(of(single), 'taskId'), [task]);
  assert.deepEqual(
    [of(comments)[0].comment, of(comments)[0].eventAuthorId],
    [{ text: 'Hi', html: '<b>Hi</b>' }, ben],
  );
});

test('faults: a status code, before or after the effect, for a number of responses', async (t) => {
  const emulator = await started(t);
  await control(emulator, 'POST', '/faults', { request: 'updateTask', status: 503, times: 2 });
  for (let i = 0; i < 2; i++) {
    const response = await rejectedUpdate(emulator, { title: 'not set' });
    assert.deepEqual([response.status, response.error], [503, 'server_error']);
  }
  assert.notEqual((await update(emulator, {})).title, 'not set');
  await control(emulator, 'POST', '/faults', {
    request: 'any',
    status: 429,
    error: 'rate_limit_exceeded',
    retryAfter: 7,
    when: 'after',
  });
  const late = await call(emulator, 'PUT', `/tasks/${task}?title=set`);
  assert.deepEqual(
    [late.status, late.body.error, late.headers.get('retry-after')],
    [429, 'rate_limit_exceeded', '7'],
  );
  assert.equal((await update(emulator, {})).title, 'set');
  await control(emulator, 'POST', '/faults', { request: 'token', status: 500 });
  assert.equal((await control(emulator, 'GET', '/faults')).faults.length, 1);
  assert.equal((await fetch(`${emulator.authUrl}/oauth2/token`, { method: 'POST' })).status, 500);
  await control(emulator, 'POST', '/faults', { request: 'any', status: 500 });
  await control(emulator, 'DELETE', '/faults');
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

/** The responses on one connection, which the emulator ends: a client that ended it could lose them. */
function over(emulator: Started, ...requests: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(emulator.baseUrl);
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${emulator.token}\r\n`;
  const bytes = requests.map(
    (line, index) =>
      `${line} HTTP/1.1\r\n${head}${index === requests.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  return new Promise((resolve) => {
    let text = '';
    connect({ host: hostname, port: Number(port) })
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        text += piece;
      })
      .on('error', () => {})
      .on('close', () => resolve(text))
      .write(bytes.join(''));
  });
}

test('a cut response waits for earlier ones on its connection, and has no body for HEAD', async (t) => {
  const emulator = await started(t);
  for (const cutAfter of [0, 40]) {
    await control(emulator, 'POST', '/faults', { request: 'listContacts', cutAfter });
    const text = await over(emulator, 'GET /api/v4/account', 'GET /api/v4/contacts', 'GET /api/v4/account');
    const [head = '', ...responses] = text.split('HTTP/1.1 ').slice(1);
    assert.match(head, /^200 OK[\s\S]*"kind":"accounts"[\s\S]*\}$/);
    assert.deepEqual(
      responses.map(({ length }) => length + 'HTTP/1.1 '.length),
      cutAfter === 0 ? [] : [cutAfter],
    );
  }
  await control(emulator, 'POST', '/faults', { request: 'listContacts', cutAfter: 100_000, when: 'after' });
  assert.match(await over(emulator, 'HEAD /api/v4/contacts'), /^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n$/);
});

test('a request may contain an absolute URL', async (t) => {
  const emulator = await started(t);
  assert.match(await over(emulator, `GET ${emulator.baseUrl}/account`), /^HTTP\/1\.1 200 /);
});

test('faults: a truncated response, no response, a late response', async (t) => {
  const emulator = await started(t);
  for (const cutAfter of [0, 10, 400]) {
    await control(emulator, 'POST', '/faults', { request: 'updateTask', cutAfter, when: 'after' });
    await assert.rejects(call(emulator, 'PUT', `/tasks/${task}?title=cut${cutAfter}`));
    assert.equal((await update(emulator, {})).title, `cut${cutAfter}`);
  }
  await control(emulator, 'POST', '/faults', { request: 'updateTask', silence: true, when: 'after' });
  const gone = new AbortController();
  const silent = call(emulator, 'PUT', `/tasks/${task}?title=silent`, { signal: gone.signal });
  const rejected = assert.rejects(silent);
  while ((await records(emulator, 'GET', `/tasks/${task}`))[0].title !== 'silent');
  gone.abort();
  await rejected;
  assert.match(await (await fetch(emulator.authUrl)).text(), /<span class="bad">none<\/span>/);
  await control(emulator, 'POST', '/faults', { request: 'getAccount', delayMs: 5_000 });
  let hasResponded = false;
  const slow = call(emulator, 'GET', '/account').then((reply) => {
    hasResponded = true;
    return reply;
  });
  // The fault is used up once the request has been taken.
  while ((await control(emulator, 'GET', '/faults')).faults.length > 0);
  assert.equal(hasResponded, false);
  emulator.clock.move(5_000);
  assert.equal((await slow).status, 200);
});

test('licence and access of a user', async (t) => {
  const emulator = await started(t);
  const asBen = (method: string, path: string) => call(emulator, method, path, { token: benToken });
  await control(emulator, 'POST', `/users/${ben}`, {
    licence: 'lowest',
    denied: ['IEAAAAAQKQAB5BUG', 'IEAAAAAQI4AB5SUB'],
  });
  for (const status of ['Deferred', 'Completed', 'Cancelled']) {
    const response = await asBen('PUT', `/tasks/${task}?status=${status}`);
    assert.deepEqual([response.status, response.body.error], [403, 'not_allowed']);
  }
  assert.equal((await asBen('PUT', `/tasks/${task}?status=Active`)).status, 200);
  for (const id of ['IEAAAAAQKQAB5BUG', 'IEAAAAAQKQAB5BLG', 'IEAAAAAQKQAB5PRV']) {
    const response = await asBen('GET', `/tasks/${id}`);
    assert.deepEqual([response.status, response.body.error], [403, 'access_forbidden'], id);
  }
  const folder = await asBen('PUT', `/tasks/${task}?addParents=%5B%22IEAAAAAQI4AB5PRV%22%5D`);
  assert.deepEqual([folder.status, folder.body.error], [403, 'access_forbidden']);
  assert.equal((await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BUG')).status, 200);
});

test('a removed user permanently loses webhooks and tokens', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, {}, { token: benToken });
  const ownWebhook = await createWebhook(emulator, receiver);
  assert.deepEqual(await control(emulator, 'DELETE', `/users/${ben}`), {
    removed: ben,
    webhooks: 1,
    tokens: 1,
  });
  assert.deepEqual(valuesOf(await records(emulator, 'GET', '/webhooks'), 'id'), [ownWebhook]);
  const response = await call(emulator, 'GET', '/account', { token: benToken });
  assert.equal(response.status, 401);
  const { token } = await control(emulator, 'POST', '/tokens', { userId: ben });
  const late = await call(emulator, 'GET', '/account', { token });
  assert.equal(late.status, 401);
  const contacts = await records(emulator, 'GET', '/contacts?active=false');
  assert.deepEqual(rowsOf(contacts, 'id', 'deleted'), [[ben, true]]);
});

for (const [cause, whose] of [
  ['user-revokes', { token: benToken }],
  ['password-reset', { userId: ben }],
  ['user-deactivated', { userId: ben }],
  ['administrator-signs-in', { userId: ben }],
  ['password-policy-changed', { accountId: 'IEAAAAAQ' }],
] as const) {
  test(`${cause} revokes tokens`, async (t) => {
    const emulator = await started(t);
    const status = async (token: string) => (await call(emulator, 'GET', '/account', { token })).status;
    assert.equal(await status(benToken), 200);
    await control(emulator, 'POST', '/revocations', { cause, ...whose });
    assert.equal(await status(benToken), 401);
    assert.equal(await status(emulator.token), cause === 'password-policy-changed' ? 401 : 200);
  });
}

test('a mass action with an unknown task changes none', async (t) => {
  const emulator = await started(t);
  const response = await fetch(`${emulator.controlUrl}/mass-actions`, {
    method: 'POST',
    body: JSON.stringify({ taskIds: [task, 'IEAAAAAQKQAB5NNN'], parameters: { title: 'x' } }),
  });
  assert.equal(response.status, 404);
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
});

test('a mass action changes tasks without notifying webhooks', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await control(emulator, 'POST', '/mass-actions', {
    taskIds: [task, 'IEAAAAAQKQAB5BUG'],
    parameters: { importance: 'Low' },
  });
  assert.equal((await update(emulator, {})).importance, 'Low');
  await update(emulator, { title: 'x' });
  await settled(emulator);
  assert.deepEqual(valuesOf(receiver.events, 'eventType'), ['TaskTitleChanged']);
});

test('creates tasks in bulk, and moves them to the recycle bin', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, { events: ['TaskDeleted'] });
  const { taskIds } = await control(emulator, 'POST', '/tasks', { count: 250, title: 'Bulk' });
  assert.equal(new Set(taskIds).size, 250);
  const titles: string[] = [];
  for (let next = ''; ; ) {
    const { body } = await call(emulator, 'GET', `/tasks?pageSize=100${next}`);
    titles.push(...valuesOf(body.data, 'title'));
    if (body.nextPageToken === undefined) break;
    assert.equal(body.responseSize, 263 - 2);
    next = `&nextPageToken=${body.nextPageToken}`;
  }
  assert.equal(titles.length, 261);
  assert.deepEqual(titles.slice(-2), ['Bulk 249', 'Bulk 250']);
  await control(emulator, 'DELETE', `/tasks/${taskIds[0]}`);
  await settled(emulator);
  assert.deepEqual(
    [receiver.received[0]?.events[0].eventType, receiver.received[0]?.events[0].taskId],
    ['TaskDeleted', taskIds[0]],
  );
  assert.equal((await rejectedUpdate(emulator, { title: 'x' }, taskIds[0])).status, 403);
});

test('reset restores the real time, whether the clock was moved or frozen', async (t) => {
  const emulator = await started(t);
  for (const move of [
    { advanceSeconds: 86_400 },
    { freeze: true, at: '2031-05-01T00:00:00Z' },
    { freeze: true, at: '2020-05-01T00:00:00Z' },
  ]) {
    await control(emulator, 'POST', '/clock', move);
    await control(emulator, 'POST', '/reset');
    const { now, frozen } = await control(emulator, 'GET', '/clock');
    assert.deepEqual([Date.parse(now), frozen], [emulator.clock.now(), false], JSON.stringify(move));
    emulator.clock.move(5_000);
  }
});

test('reset restores the initial data', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'changed' });
  await control(emulator, 'POST', '/faults', { request: 'any', status: 500 });
  await control(emulator, 'POST', '/reset');
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
  assert.deepEqual((await control(emulator, 'GET', '/deliveries')).deliveries, []);
});

test('a reset stops a clock move in progress', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  let shake: (status: number) => void = () => {};
  receiver.answer = () =>
    new Promise((resolve) => {
      shake = resolve;
    });
  await update(emulator, { description: 'told five minutes later' });
  const move = async (advanceSeconds: number) => {
    const body = JSON.stringify({ advanceSeconds, freeze: true });
    const response = await fetch(`${emulator.controlUrl}/clock`, { method: 'POST', body });
    return [response.status, await response.json()];
  };
  const moving = move(86_400);
  await receiver.count(1);
  await control(emulator, 'POST', '/reset');
  shake(200);
  const message = 'The emulator was reset while the clock advanced: it shows the real time again';
  assert.deepEqual(await moving, [400, { errorDescription: message, error: 'invalid_request' }]);
  const { now, frozen } = await control(emulator, 'GET', '/clock');
  assert.deepEqual([Date.parse(now), frozen], [emulator.clock.now(), false]);
  // The next one is as good as any.
  assert.deepEqual(await move(5), [200, { now: '2026-03-02T12:00:05Z', frozen: true }]);
});

test('a reset during a handshake prevents the webhook from being created', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  receiver.secret = 's';
  let shake: (status: number) => void = () => {};
  receiver.answer = () =>
    new Promise((resolve) => {
      shake = resolve;
    });
  const making = call(emulator, 'POST', '/webhooks', { form: { hookUrl: receiver.url, secret: 's' } });
  await receiver.count(1);
  await control(emulator, 'POST', '/reset');
  shake(200);
  assert.equal((await making).status, 401);
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
});

test('rejects unknown and malformed control requests', async (t) => {
  const emulator = await started(t);
  const send = (path: string) => fetch(`${emulator.controlUrl}${path}`, { method: 'POST', body: '{}' });
  assert.equal((await send('/nothing')).status, 404);
  const response = await fetch(`${emulator.controlUrl}/clock`, { method: 'POST', body: '{"advance":3}' });
  assert.equal(response.status, 400);
});

test('control requests cannot create anything that the service could not have', async (t) => {
  const emulator = await started(t);
  for (const [path, body, says] of [
    ['/tasks', { count: 1, folderId: 'IEAAAAAQI7777776' }, /recycle bin/],
    ['/tasks', { count: 10, title: 'x'.repeat(998) }, /1001 characters/],
    ['/tasks', { count: 1.5 }, /1.5 is not a whole number/],
    ['/applications', { clientId: 'a b' }, /is not a client id/],
    ['/events', { eventType: 'TaskCreated', taskId: 'IEAAAAAQI4AB5FLD' }, /is not the id of a task/],
    ['/events', { eventType: 'FolderTitleChanged', folderId: task }, /is not the id of a folder/],
    ['/events', { eventType: 'ProjectStatusChanged', taskId: task }, /is not the id of a folder/],
    ['/faults', { request: 'getAccount', status: 500, times: 0 }, /0 is not 1 or more/],
    ['/faults', { request: 'getAccount', status: 500, times: 1.5 }, /1.5 is not a whole number/],
    ['/faults', { request: 'getAccount', status: 500.5 }, /500.5 is not a whole number/],
  ] as const) {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${emulator.controlUrl}${path}`, init);
    const text = await response.text();
    assert.equal(response.status, 400, `${JSON.stringify(body).slice(0, 80)}: ${text.slice(0, 200)}`);
    assert.match(text, says);
  }
  assert.equal((await records(emulator, 'GET', '/tasks')).length, 11);
  const { taskIds } = await control(emulator, 'POST', '/tasks', { count: 9, title: 'x'.repeat(998) });
  assert.equal(taskIds.length, 9);
  assert.deepEqual((await control(emulator, 'GET', '/faults')).faults, []);
});

test('a rate limit counts the requests of each token per minute', async (t) => {
  const emulator = await started(t, { rateLimit: 3 });
  const status = async (token = emulator.token) =>
    (await call(emulator, 'GET', '/account', { token })).status;
  for (const expected of [200, 200, 200, 429]) assert.equal(await status(), expected);
  assert.equal(await status(benToken), 200);
  emulator.clock.move(20_000);
  const { body, headers } = await call(emulator, 'GET', '/account');
  assert.deepEqual([body.error, headers.get('retry-after')], ['too_many_requests', '40']);
  emulator.clock.move(40_000);
  assert.equal(await status(), 200);
});

test('restores data from a file after a restart', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-emulator-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  const world = {
    server: createServer(),
    http: createHttp({}),
    clock: createClock(),
    files,
    lock: createLock(process.platform, createHurriedClock()),
  };
  const dataFile = join(folder, 'data.json');
  const run = async () => {
    const emulator = await startEmulator(world, { dataFile });
    assert.ok(!('fault' in emulator));
    return { ...emulator, clock: { ...world.clock, move: () => undefined }, logged: [] };
  };
  const first = await run();
  await update(first, { title: 'kept' });
  await call(first, 'POST', '/webhooks', { form: { hookUrl: 'https://hooks.example.com/' } });
  await first.close();
  const second = await run();
  assert.equal((await update(second, {})).title, 'kept');
  assert.equal((await records(second, 'GET', '/webhooks')).length, 1);
  const another = await startEmulator(world, { dataFile });
  const detail = `another emulator (process ${process.pid}) is using it`;
  assert.deepEqual(another, { fault: 'failed', detail });
  // The lock is the kernel's: without the pid in its file, it holds all the same.
  await writeFile(`${dataFile}.lock`, '');
  assert.deepEqual(await startEmulator(world, { dataFile }), {
    fault: 'failed',
    detail: 'another emulator is using it',
  });
  await second.close();
  assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock']);
  await files.write(dataFile, '{"format":"something else"}', { mode: 0o600 });
  const third = await startEmulator(world, { dataFile });
  assert.ok('fault' in third);
  assert.equal(third.fault, 'failed');
  assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock']);
});

test('a port in use is a fault, and other data centres use another port', async (t) => {
  const first = await started(t);
  const world = { server: createServer(), http: createHttp({}), clock: createClock() };
  const port = Number(first.host.split(':')[1]);
  const taken = await startEmulator(world, { port });
  assert.ok('fault' in taken);
  assert.equal(taken.fault, 'in-use');
});

test('a batch creates tasks and folders after a delay; administrators find it in the audit log', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, { events: ['TaskCreated', 'FolderCreated'] });
  const operations = [
    {
      method: 'POST',
      path: '/folders/IEAAAAAQI4AB5FLD/tasks',
      parameters: { title: 'By batch', importance: 'High', colour: 'red' },
    },
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/folders', parameters: { title: 'New folder' } },
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: {} },
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/webhooks', parameters: {} },
  ];
  const asked = await call(emulator, 'POST', '/batch', { form: { operations } });
  assert.deepEqual(
    [asked.status, asked.body.kind, asked.body.data[0].status, asked.body.data[0].progressPercent],
    [200, 'asyncJob', 'InProgress', 0],
  );
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  const { body } = await call(emulator, 'GET', `/async_job/${asked.body.data[0].id}`);
  assert.deepEqual([body.data[0].status, body.data[0].progressPercent], ['Completed', 100]);
  const [task, folder, wrong, unsupported] = body.data[0].results;
  assert.match(emulator.logged.join(), /"colour" of POST \/folders\/\{id\}\/tasks of a batch was ignored/);
  assert.deepEqual([task.data[0].title, task.data[0].importance], ['By batch', 'High']);
  assert.equal(folder.data[0].title, 'New folder');
  assert.deepEqual([wrong.status, wrong.error], [400, 'parameter_required']);
  assert.deepEqual(unsupported, {
    status: 404,
    errorDescription: 'A batch cannot do POST /folders/IEAAAAAQI4AB5FLD/webhooks',
    error: 'method_not_found',
  });
  await settled(emulator);
  assert.deepEqual(valuesOf(receiver.events, 'eventType'), ['TaskCreated', 'FolderCreated']);
  const many = await call(emulator, 'POST', '/batch', {
    json: { operations: Array.from({ length: 101 }, () => operations[0]) },
  });
  assert.equal(many.status, 400);
  const log = await call(emulator, 'GET', '/audit_log');
  assert.deepEqual(valuesOf(log.body.data, 'operation'), ['WebhookCreated']);
  const ofBen = await call(emulator, 'GET', '/audit_log', { token: benToken });
  assert.equal(ofBen.status, 403);
});

test('a subtask created by a batch is linked to its parent task', async (t) => {
  const emulator = await started(t);
  const operations = [
    {
      method: 'POST',
      path: '/folders/IEAAAAAQI4AB5FLD/tasks',
      parameters: { title: 'Below', superTasks: [task] },
    },
  ];
  const { body } = await call(emulator, 'POST', '/batch', { form: { operations } });
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  const job = await call(emulator, 'GET', `/async_job/${body.data[0].id}`);
  const [made] = job.body.data[0].results[0].data;
  assert.deepEqual(made.superTaskIds, [task]);
  assert.deepEqual((await update(emulator, {})).subTaskIds, ['IEAAAAAQKQAB5SUB', made.id]);
});

test('retries pause while the endpoints of a host keep failing', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  for (let i = 0; i < 10; i++) await createWebhook(emulator, receiver);
  receiver.answer = 500;
  await update(emulator, { title: 'x' });
  await settled(emulator);
  assert.equal(receiver.received.length, 10);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 60 });
  // The tenth failure began the pause, also for the nine before it, whose retries were due.
  assert.equal(receiver.received.length, 10);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 239 });
  assert.equal(receiver.received.length, 10);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  assert.equal(receiver.received.length, 20);
  // So did the twentieth.
  await control(emulator, 'POST', '/clock', { advanceSeconds: 299 });
  assert.equal(receiver.received.length, 20);
  // A first attempt is not paused.
  await update(emulator, { title: 'y' });
  await settled(emulator);
  assert.equal(receiver.received.length, 30);
  // A reset forgets the failures too.
  await control(emulator, 'POST', '/reset');
  await createWebhook(emulator, receiver);
  const before = receiver.received.length;
  await update(emulator, { title: 'x' });
  await control(emulator, 'POST', '/clock', { advanceSeconds: 30 });
  assert.equal(receiver.received.length, before + 2);
});

test('the deliveries of a webhook can be read even after it was deleted', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const id = await createWebhook(emulator, receiver, { events: ['TaskTitleChanged'] });
  const other = await createWebhook(emulator, receiver, { events: ['TaskImportanceChanged'] });
  const events = async (webhookId: string) =>
    valuesOf(
      (await control(emulator, 'GET', `/deliveries?settled=true&webhookId=${webhookId}`)).deliveries,
      'eventType',
    );
  assert.deepEqual(await events(id), []);
  await update(emulator, { title: 'x', importance: 'Low' });
  assert.deepEqual(await events(id), ['TaskTitleChanged']);
  assert.deepEqual(await events(other), ['TaskImportanceChanged']);
  await call(emulator, 'DELETE', `/webhooks/${id}`);
  assert.deepEqual(await events(id), ['TaskTitleChanged']);
  const unknown = await fetch(`${emulator.controlUrl}/deliveries?webhookId=NOPE1234`);
  assert.equal(unknown.status, 404);
  assert.equal(JSON.parse(await unknown.text()).errorDescription, 'Webhook NOPE1234 was not found');
});

test('deleting a task twice is one event; deleting an unknown task is an error', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(await control(emulator, 'DELETE', `/tasks/${task}`), { deleted: task });
  }
  await settled(emulator);
  assert.deepEqual(valuesOf(receiver.events, 'eventType'), ['TaskDeleted']);
  const { body } = await call(emulator, 'GET', `/tasks/${task}`);
  assert.deepEqual([body.data[0].scope, body.data[0].parentIds], ['RbTask', ['IEAAAAAQI7777776']]);
  const unknown = await fetch(`${emulator.controlUrl}/tasks/NOPE1234`, { method: 'DELETE' });
  assert.equal(unknown.status, 404);
  assert.equal(JSON.parse(await unknown.text()).errorDescription, 'Task NOPE1234 was not found');
});

test('replaces a port in use or above the maximum with a free one, except for the main data centre', async () => {
  const server = createServer();
  for (const [port, isTaken, expected] of [
    [4010, 4011, [4010, 4011, 0, 4012]],
    [65_534, undefined, [65_534, 65_535, 0]],
  ] as const) {
    const asked: number[] = [];
    const listen: typeof server.listen = async (at, handler) => {
      asked.push(at.port);
      return at.port === isTaken
        ? { fault: 'in-use', detail: 'taken' }
        : server.listen({ ...at, port: 0 }, handler);
    };
    const world = { server: { listen }, http: createHttp({}), clock: createClock() };
    const emulator = await startEmulator(world, { port });
    assert.ok(!('fault' in emulator));
    await emulator.close();
    assert.deepEqual(asked, expected);
  }
});

test('a data file needs files and a lock', async () => {
  const world = { server: createServer(), http: createHttp({}), clock: createClock() };
  assert.deepEqual(await startEmulator(world, { dataFile: 'data.json' }), {
    fault: 'failed',
    detail: 'a data file needs `files` and `lock`',
  });
});

test('accepts requests that change nothing: a running clock, a user without tokens, a licence by itself', async (t) => {
  const emulator = await started(t);
  assert.deepEqual(await control(emulator, 'POST', '/clock', { resume: true }), {
    now: '2026-03-02T12:00:00Z',
    frozen: false,
  });
  for (const revoked of [1, 0]) {
    const body = { cause: 'password-reset', userId: ben };
    assert.deepEqual(await control(emulator, 'POST', '/revocations', body), { revoked });
  }
  await control(emulator, 'POST', `/users/${ben}`, { denied: [task] });
  const { users } = await control(emulator, 'POST', `/users/${ben}`, { licence: 'lowest' });
  assert.deepEqual([users.length, users[0].licence, users[0].denied], [1, 'lowest', [task]]);
});
