// The control calls: clock, events on demand, faults, users, revocation, mass actions, reset; and what an emulator keeps.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { control, rejectedControl, settled } from '#test/support/service/control.ts';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { forbidden, outcome, records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { send } from '#test/support/service/send.ts';
import { call, rejectedUpdate, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { events as witness } from '#test/witness/events.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import { randomBytes } from '#world/random.ts';
import { createServer } from '#world/server.ts';
import type { Receiver } from '../dispatch/receiver.ts';
import { createWebhook, subscribed, withReceiver } from '../dispatch/subscribed.ts';
import { dataFileWorld } from '../state/data-file-world.ts';

const task = 'IEAAAAAQKQAB5BNG';
const ben = 'KUAABENQ';
const benToken = 'pmtB3kWn8ZsTq1XyVr5LcHj7DfGp2MbUe9OoIi4KaRx6YtNwQvCgFhSlJzEu0Dm';

const clock = (emulator: Started, body: object) => control(emulator, 'POST', '/clock', body);
const nowOf = async (emulator: Started) => (await control(emulator, 'GET', '/clock')).now;
const typesOf = (events: readonly object[]) => valuesOf(events, 'eventType');

test('advancing the clock runs retries and their consequences', async (t) => {
  const { emulator, receiver, id } = await subscribed(t);
  receiver.answer = 500;
  const at = '2026-05-01T00:00:00Z';
  assert.deepEqual(await clock(emulator, { freeze: true, at }), { now: at, frozen: true });
  assert.equal((await update(emulator, { title: 'x' })).updatedDate, at);
  emulator.clock.move(3_600_000);
  assert.equal(await nowOf(emulator), at);
  await clock(emulator, { advanceSeconds: 89 });
  assert.equal(receiver.received.length, 2);
  await clock(emulator, { advanceSeconds: 1 });
  assert.equal(receiver.received.length, 3);
  assert.equal((await records(emulator, 'GET', `/webhooks/${id}`))[0].status, 'Suspended');
  const resumed = { now: '2026-05-01T00:01:30Z', frozen: false };
  assert.deepEqual(await clock(emulator, { resume: true }), resumed);
  emulator.clock.move(10_000);
  assert.equal(await nowOf(emulator), '2026-05-01T00:01:40Z');
});

test('the clock stays within the calendar, and a fault needs an existing operation', async (t) => {
  const emulator = await started(t);
  for (const [path, body] of [
    ['/clock', { advanceSeconds: 1e300 }],
    ['/clock', { advanceSeconds: 1e15 }],
    ['/clock', { advance: 3 }],
    ['/clock', { freeze: true, at: '2026-99-99T00:00:00Z' }],
    ['/faults', { request: 'updateTaks', status: 500 }],
  ] as const)
    await rejectedControl(emulator, path, body);
  assert.deepEqual(await control(emulator, 'GET', '/clock'), { now: '2026-03-02T12:00:00Z', frozen: false });
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

test('triggers each event on demand, with the fields of its row', async (t) => {
  const { emulator, id: webhookId, events } = await subscribed(t);
  for (const { name, payload, idField } of witness) {
    const { deliveries } = await control(emulator, 'POST', '/events', { eventType: name });
    assert.equal(deliveries, 1, name);
    const [event] = await events();
    const expected = ['webhookId', 'eventAuthorId', 'eventType', 'lastUpdatedDate', ...payload];
    const names = new Set(idField === null ? expected : [...expected, idField]);
    assert.deepEqual(Object.keys(event).sort(), [...names].sort(), name);
    assert.deepEqual([event.webhookId, event.eventType], [webhookId, name]);
    for (const value of Object.values(event)) assert.notEqual(value, undefined);
  }
});

test('a triggered event carries the given fields, and is filtered like any other', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const created = (recurrent: boolean) =>
    createWebhook(emulator, receiver, { parameterisedEvents: [{ event: 'TaskCreated', recurrent }] });
  const [recurrent, single] = [await created(true), await created(false)];
  const comments = await createWebhook(emulator, receiver, { events: ['CommentAdded'] });
  const comment = { text: 'Hi', html: '<b>Hi</b>' };
  for (const [eventType, taskId, more] of [
    ['TaskCreated', 'IEAAAAAQKQAB5REC', {}],
    ['TaskCreated', task, {}],
    ['CommentAdded', task, { eventAuthorId: ben, comment }],
  ] as const)
    await control(emulator, 'POST', '/events', { eventType, taskId, ...more });
  await settled(emulator);
  const of = (id: string) => receiver.events.filter(({ webhookId }) => webhookId === id);
  assert.deepEqual(valuesOf(of(recurrent), 'taskId'), ['IEAAAAAQKQAB5REC']);
  assert.deepEqual(valuesOf(of(single), 'taskId'), [task]);
  assert.deepEqual(rowsOf(of(comments), 'comment', 'eventAuthorId'), [[comment, ben]]);
});

test('faults: a status code, before or after the effect, for a number of responses', async (t) => {
  const emulator = await started(t);
  const fault = (body: object) => control(emulator, 'POST', '/faults', body);
  await fault({ request: 'updateTask', status: 503, times: 2 });
  for (let i = 0; i < 2; i++) {
    const { status, error } = await rejectedUpdate(emulator, { title: 'not set' });
    assert.deepEqual([status, error], [503, 'server_error']);
  }
  assert.notEqual((await update(emulator, {})).title, 'not set');
  const error = 'rate_limit_exceeded';
  await fault({ request: 'any', status: 429, error, retryAfter: 7, when: 'after' });
  const late = await call(emulator, 'PUT', `/tasks/${task}?title=set`);
  assert.deepEqual([late.status, late.body.error, late.headers.get('retry-after')], [429, error, '7']);
  assert.equal((await update(emulator, {})).title, 'set');
  await fault({ request: 'token', status: 500 });
  assert.equal((await control(emulator, 'GET', '/faults')).faults.length, 1);
  assert.equal((await fetch(`${emulator.authUrl}/oauth2/token`, { method: 'POST' })).status, 500);
  await fault({ request: 'any', status: 500 });
  await control(emulator, 'DELETE', '/faults');
  assert.equal((await call(emulator, 'GET', '/account')).status, 200);
});

/** The responses on one connection, which the emulator ends: a client that ended it could lose them. */
function over(emulator: Started, ...requests: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(emulator.baseUrl);
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${emulator.token}\r\n`;
  const bytes = requests.map((line, index) => {
    const isLast = index === requests.length - 1;
    return `${line} HTTP/1.1\r\n${head}${isLast ? 'Connection: close\r\n' : ''}\r\n`;
  });
  return exchangeBytes(Number(port), bytes.join(''));
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
  const asBen = (method: string, path: string) => outcome(emulator, method, path, { token: benToken });
  await control(emulator, 'POST', `/users/${ben}`, {
    licence: 'lowest',
    denied: ['IEAAAAAQKQAB5BUG', 'IEAAAAAQI4AB5SUB'],
  });
  for (const status of ['Deferred', 'Completed', 'Cancelled'])
    assert.deepEqual(await asBen('PUT', `/tasks/${task}?status=${status}`), [403, 'not_allowed']);
  assert.deepEqual(await asBen('PUT', `/tasks/${task}?status=Active`), [200, undefined]);
  for (const [method, path] of [
    ['GET', '/tasks/IEAAAAAQKQAB5BUG'],
    ['GET', '/tasks/IEAAAAAQKQAB5BLG'],
    ['GET', '/tasks/IEAAAAAQKQAB5PRV'],
    ['PUT', `/tasks/${task}?addParents=%5B%22IEAAAAAQI4AB5PRV%22%5D`],
  ] as const)
    assert.deepEqual(await asBen(method, path), forbidden, path);
  assert.equal((await call(emulator, 'GET', '/tasks/IEAAAAAQKQAB5BUG')).status, 200);
});

test('a removed user permanently loses webhooks and tokens', async (t) => {
  const { emulator, receiver, id: ownWebhook } = await subscribed(t);
  await createWebhook(emulator, receiver, {}, { token: benToken });
  const removed = { removed: ben, webhooks: 1, tokens: 1 };
  assert.deepEqual(await control(emulator, 'DELETE', `/users/${ben}`), removed);
  assert.deepEqual(valuesOf(await records(emulator, 'GET', '/webhooks'), 'id'), [ownWebhook]);
  const { token: late } = await control(emulator, 'POST', '/tokens', { userId: ben });
  for (const token of [benToken, late])
    assert.equal((await call(emulator, 'GET', '/account', { token })).status, 401);
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
  const body = { taskIds: [task, 'IEAAAAAQKQAB5NNN'], parameters: { title: 'x' } };
  await rejectedControl(emulator, '/mass-actions', body, 404);
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
});

test('a mass action changes tasks without notifying webhooks', async (t) => {
  const { emulator, events } = await subscribed(t);
  await control(emulator, 'POST', '/mass-actions', {
    taskIds: [task, 'IEAAAAAQKQAB5BUG'],
    parameters: { importance: 'Low' },
  });
  assert.equal((await update(emulator, {})).importance, 'Low');
  await update(emulator, { title: 'x' });
  assert.deepEqual(typesOf(await events()), ['TaskTitleChanged']);
});

test('creates tasks in bulk, and moves them to the recycle bin', async (t) => {
  const { emulator, events } = await subscribed(t, { events: ['TaskDeleted'] });
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
  assert.deepEqual(rowsOf(await events(), 'eventType', 'taskId'), [['TaskDeleted', taskIds[0]]]);
  assert.equal((await rejectedUpdate(emulator, { title: 'x' }, taskIds[0])).status, 403);
});

test('reset restores the real time, whether the clock was moved or frozen', async (t) => {
  const emulator = await started(t);
  for (const move of [
    { advanceSeconds: 86_400 },
    { freeze: true, at: '2031-05-01T00:00:00Z' },
    { freeze: true, at: '2020-05-01T00:00:00Z' },
  ]) {
    await clock(emulator, move);
    await control(emulator, 'POST', '/reset');
    const { now, frozen } = await control(emulator, 'GET', '/clock');
    assert.deepEqual([Date.parse(now), frozen], [emulator.clock.now(), false], JSON.stringify(move));
    emulator.clock.move(5_000);
  }
});

test('reset restores the initial data', async (t) => {
  const { emulator } = await subscribed(t);
  await update(emulator, { title: 'changed' });
  await control(emulator, 'POST', '/faults', { request: 'any', status: 500 });
  await control(emulator, 'POST', '/reset');
  assert.equal((await update(emulator, {})).title, 'Write the launch page');
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
  assert.deepEqual((await control(emulator, 'GET', '/deliveries')).deliveries, []);
});

/** Lets a receiver respond only when the test says so. */
function hold(receiver: Receiver): (status: number) => void {
  let respond: (status: number) => void = () => {};
  receiver.answer = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  return (status) => respond(status);
}

test('a reset stops a clock move in progress', async (t) => {
  const { emulator, receiver } = await subscribed(t);
  const respond = hold(receiver);
  await update(emulator, { description: 'told five minutes later' });
  const moving = rejectedControl(emulator, '/clock', { advanceSeconds: 86_400, freeze: true });
  await receiver.count(1);
  await control(emulator, 'POST', '/reset');
  respond(200);
  const message = 'The emulator was reset while the clock advanced: it shows the real time again';
  assert.equal(await moving, message);
  const { now, frozen } = await control(emulator, 'GET', '/clock');
  assert.deepEqual([Date.parse(now), frozen], [emulator.clock.now(), false]);
  // The next one is as good as any.
  const next = { now: '2026-03-02T12:00:05Z', frozen: true };
  assert.deepEqual(await clock(emulator, { advanceSeconds: 5, freeze: true }), next);
});

test('a reset during a handshake prevents the webhook from being created', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  receiver.secret = 's';
  const respond = hold(receiver);
  const making = call(emulator, 'POST', '/webhooks', { form: { hookUrl: receiver.url, secret: 's' } });
  await receiver.count(1);
  await control(emulator, 'POST', '/reset');
  respond(200);
  assert.equal((await making).status, 401);
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
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
  ] as const)
    assert.match(await rejectedControl(emulator, path, body), says);
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

test('a data file in use is locked, even without the process id in its lock file', async (t) => {
  const { dataFile, begin, start } = await dataFileWorld(t);
  await start();
  for (const detail of [
    `another emulator (process ${process.pid}) is using it`,
    'another emulator is using it',
  ]) {
    assert.deepEqual(await begin(), { fault: 'failed', detail });
    await writeFile(`${dataFile}.lock`, '');
  }
});

test('a batch creates tasks and folders after a delay; administrators find it in the audit log', async (t) => {
  const { emulator, events } = await subscribed(t, { events: ['TaskCreated', 'FolderCreated'] });
  const path = '/folders/IEAAAAAQI4AB5FLD';
  const operations = [
    {
      method: 'POST',
      path: `${path}/tasks`,
      parameters: { title: 'By batch', importance: 'High', colour: 'red' },
    },
    { method: 'POST', path: `${path}/folders`, parameters: { title: 'New folder' } },
    { method: 'POST', path: `${path}/tasks`, parameters: {} },
    { method: 'POST', path: `${path}/webhooks`, parameters: {} },
  ];
  const { status, body } = await call(emulator, 'POST', '/batch', { form: { operations } });
  const [asked] = body.data;
  assert.deepEqual(
    [status, body.kind, asked.status, asked.progressPercent],
    [200, 'asyncJob', 'InProgress', 0],
  );
  await clock(emulator, { advanceSeconds: 1 });
  const [job] = await records(emulator, 'GET', `/async_job/${asked.id}`);
  assert.deepEqual([job.status, job.progressPercent], ['Completed', 100]);
  const [made, folder, wrong, unsupported] = job.results;
  assert.match(emulator.logged.join(), /"colour" of POST \/folders\/\{id\}\/tasks of a batch was ignored/);
  assert.deepEqual(rowsOf(made.data, 'title', 'importance'), [['By batch', 'High']]);
  assert.equal(folder.data[0].title, 'New folder');
  assert.deepEqual([wrong.status, wrong.error], [400, 'parameter_required']);
  assert.deepEqual(unsupported, {
    status: 404,
    errorDescription: `A batch cannot do POST ${path}/webhooks`,
    error: 'method_not_found',
  });
  assert.deepEqual(typesOf(await events()), ['TaskCreated', 'FolderCreated']);
  const log = await records(emulator, 'GET', '/audit_log');
  assert.deepEqual(valuesOf(log, 'operation'), ['WebhookCreated']);
  assert.equal((await call(emulator, 'GET', '/audit_log', { token: benToken })).status, 403);
});

test('a subtask created by a batch is linked to its parent task', async (t) => {
  const emulator = await started(t);
  const parameters = { title: 'Below', superTasks: [task] };
  const operations = [{ method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters }];
  const [{ id }] = await records(emulator, 'POST', '/batch', { form: { operations } });
  await clock(emulator, { advanceSeconds: 1 });
  const [job] = await records(emulator, 'GET', `/async_job/${id}`);
  const [made] = job.results[0].data;
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
  // The tenth failure began the pause, also for the nine before it, whose retries were due. So did the twentieth.
  for (const [advanceSeconds, received] of [
    [60, 10],
    [239, 10],
    [1, 20],
    [299, 20],
  ] as const) {
    await clock(emulator, { advanceSeconds });
    assert.equal(receiver.received.length, received);
  }
  // A first attempt is not paused.
  await update(emulator, { title: 'y' });
  await settled(emulator);
  assert.equal(receiver.received.length, 30);
  // A reset forgets the failures too.
  await control(emulator, 'POST', '/reset');
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'x' });
  await clock(emulator, { advanceSeconds: 30 });
  assert.equal(receiver.received.length, 32);
});

test('the deliveries of a webhook can be read even after it was deleted', async (t) => {
  const { emulator, receiver, id } = await subscribed(t, { events: ['TaskTitleChanged'] });
  const other = await createWebhook(emulator, receiver, { events: ['TaskImportanceChanged'] });
  const delivered = async (webhookId: string) =>
    typesOf((await control(emulator, 'GET', `/deliveries?settled=true&webhookId=${webhookId}`)).deliveries);
  assert.deepEqual(await delivered(id), []);
  await update(emulator, { title: 'x', importance: 'Low' });
  assert.deepEqual(await delivered(other), ['TaskImportanceChanged']);
  await call(emulator, 'DELETE', `/webhooks/${id}`);
  assert.deepEqual(await delivered(id), ['TaskTitleChanged']);
});

test('deleting a task twice is one event; deleting an unknown task is an error', async (t) => {
  const { emulator, events } = await subscribed(t);
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await control(emulator, 'DELETE', `/tasks/${task}`), { deleted: task });
  assert.deepEqual(typesOf(await events()), ['TaskDeleted']);
  const [deleted] = await records(emulator, 'GET', `/tasks/${task}`);
  assert.deepEqual([deleted.scope, deleted.parentIds], ['RbTask', ['IEAAAAAQI7777776']]);
  const { status, text } = await send(`${emulator.controlUrl}/tasks/NOPE1234`, { method: 'DELETE' });
  assert.deepEqual([status, JSON.parse(text).errorDescription], [404, 'Task NOPE1234 was not found']);
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
    const world = { server: { listen }, http: createHttp({}), clock: createClock(), randomBytes };
    const emulator = await startEmulator(world, { port });
    assert.ok(!('fault' in emulator));
    await emulator.close();
    assert.deepEqual(asked, expected);
  }
});

test('a data file needs files and a lock', async () => {
  const world = { server: createServer(), http: createHttp({}), clock: createClock(), randomBytes };
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
