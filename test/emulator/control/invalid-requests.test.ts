// What control requests reject, so that a slip in a test is not a fault that never happens or an event that nobody sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions } from '#contract/assumption.ts';
import { control, rejectedControl, settled } from '#test/support/service/control.ts';
import { invalid, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { events as witness } from '#test/witness/events.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';
import { startedWith } from '../seed/any-seed.ts';

const task = 'IEAAAAAQKQAB5BNG';
const ben = 'KUAABENQ';

test('rejects payload values that the event type does not allow', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  for (const [eventType, payload, says] of [
    ['TaskStatusChanged', { status: 'Bogus', oldStatus: 7 }, /status: "Bogus" is not one of/],
    ['TaskStatusChanged', { oldStatus: 7 }, /oldStatus: 7 is not one of/],
    ['TaskStatusChanged', { title: 'x' }, /"title" is not a payload field of TaskStatusChanged/],
    ['TaskTitleChanged', { oldValue: {} }, /oldValue: .* is not text/],
    ['TaskImportanceChanged', { oldValue: 'Highest' }, /is not one of High, Low, Normal/],
    ['TaskDatesChanged', { dates: { start: '2026-01-01' } }, /"start" is not a member/],
    ['TaskCustomFieldChanged', { value: 'bare' }, /value: "bare" is not JSON/],
    ['TaskParentsAdded', { addedParents: 'IEAAAAAQI4AB5FLD' }, /addedParents: .* is not a list/],
    ['TaskResponsiblesAdded', { addedResponsibles: ['Ben'] }, /addedResponsibles: entry 1/],
    ['CommentAdded', { comment: 'Hi' }, /comment: .* is not an object/],
    ['TimelogChanged', { hours: 2.5 }, /hours: 2.5 is not text/],
    ['WorkItemTypeChanged', { newWorkItemTypeId: null }, /newWorkItemTypeId: null/],
    ['TaskCreated', { taskId: 7 }, /7 is not text/],
    ['TaskCreated', { eventAuthorId: 7 }, /7 is not text/],
    ['TaskCreated', { lastUpdatedDate: 'yesterday' }, /"yesterday"/],
    ['TaskCreated', { taskId: 'NOPE1234' }, /^"NOPE1234" is neither a task nor a folder$/],
  ] as const) {
    assert.match(await rejectedControl(emulator, '/events', { eventType, ...payload }), says);
  }
  assert.equal(await rejectedControl(emulator, '/events', []), '[] is not an object');
  await settled(emulator);
  assert.deepEqual(receiver.received, []);
});

const withoutWebhook = ({ webhookId: _, ...event }: Record<string, unknown>) => event;

test('an event accepts its own default values as explicit parameters', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  const delivered = async () => {
    await settled(emulator);
    return receiver.received.flatMap(({ events }) => events.map(withoutWebhook));
  };
  for (const { name } of witness) await control(emulator, 'POST', '/events', { eventType: name });
  const events = await delivered();
  assert.deepEqual(valuesOf(events, 'eventType'), valuesOf(witness, 'name'));
  for (const event of events) await control(emulator, 'POST', '/events', event);
  assert.deepEqual((await delivered()).slice(events.length), events);
});

test('revoking tokens of an unknown user, account or token is an error', async (t) => {
  const emulator = await started(t);
  for (const [body, named] of [
    [{ cause: 'password-reset', userId: 'NOPE1234' }, 'User NOPE1234 was not found'],
    [{ cause: 'password-policy-changed', accountId: 'NOPE1234' }, 'Account NOPE1234 was not found'],
    [{ cause: 'user-revokes', token: 'secret-nope' }, 'The token was not found'],
  ] as const) {
    assert.equal(await rejectedControl(emulator, '/revocations', body, 404), named);
  }
  const prefix = "Parameter 'cause' value is invalid: ";
  for (const [body, why] of [
    [{ cause: 'password-policy-changed', userId: ben }, 'password-policy-changed needs an accountId'],
    [{ cause: 'password-reset', accountId: 'IEAAAAAQ' }, 'password-reset needs a userId or a token'],
  ] as const) {
    assert.equal(await rejectedControl(emulator, '/revocations', body), `${prefix}${why}`);
  }
  const one = { cause: 'user-revokes', token: emulator.token };
  assert.deepEqual(await control(emulator, 'POST', '/revocations', one), { revoked: 1 });
  assert.equal((await call(emulator, 'GET', '/account')).status, 401);
});

test('a fault body can have any type; without a status it comes with 200', async (t) => {
  const emulator = await started(t);
  const respond = async (fault: object) => {
    await control(emulator, 'POST', '/faults', { request: 'token', ...fault });
    const response = await fetch(`${emulator.authUrl}/oauth2/token`, { method: 'POST' });
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  const token = '{"access_token":"a","token_type":"bearer"}';
  assert.deepEqual(await respond({ body: token }), [200, 'application/json;charset=utf-8', token]);
  assert.deepEqual(await respond({ body: 'Hi', status: 502 }), [502, 'text/plain;charset=utf-8', 'Hi']);
  assert.deepEqual(await respond({ body: '7' }), [200, 'text/plain;charset=utf-8', '7']);
  assert.deepEqual(await respond({ body: '<p>', contentType: 'text/html' }), [200, 'text/html', '<p>']);
  assert.deepEqual(await respond({ body: token, contentType: 'text/plain' }), [200, 'text/plain', token]);
  // A body takes the place of the request's effect, as a status does.
  await control(emulator, 'POST', '/faults', { request: 'updateTask', body: '{}' });
  await call(emulator, 'PUT', `/tasks/${task}?title=not%20set`);
  assert.notEqual((await records(emulator, 'GET', `/tasks/${task}`))[0].title, 'not set');
});

test('rejects a fault that would have no effect', async (t) => {
  const emulator = await started(t);
  for (const fault of [
    {},
    { times: 2 },
    { when: 'after' },
    { error: 'not_allowed' },
    { retryAfter: 7 },
    { contentType: 'text/html' },
    { body: 'x', error: 'not_allowed' },
    { body: 'x', contentType: 'text/html\r\nX: y' },
    { silence: false },
  ]) {
    await rejectedControl(emulator, '/faults', { request: 'any', ...fault });
  }
  assert.deepEqual(await control(emulator, 'GET', '/faults'), { faults: [] });
});

test('filters contacts by type; an unknown type is invalid', async (t) => {
  const emulator = await started(t);
  const ids = async (type: string) =>
    valuesOf(await records(emulator, 'GET', `/contacts?type=${type}`), 'id');
  for (const type of ['Robot', 'robot', 'ROBOT']) assert.deepEqual(await ids(type), ['KUAABOTQ']);
  assert.deepEqual(await ids('person'), ['KUAAADAQ', 'KUAABENQ']);
  assert.deepEqual(await ids('group'), []);
  assert.deepEqual(await outcome(emulator, 'GET', '/contacts?type=machine'), invalid);
  assert.ok(assumptions.some(({ about }) => about === 'the type by which contacts are filtered'));
});

test('the error for an unknown control request lists the valid ones', async (t) => {
  const emulator = await started(t);
  assert.match(
    await rejectedControl(emulator, '/clok', {}, 404),
    /Control endpoints: GET \/applications, .*POST \/revocations/,
  );
});

test('creates tokens for registered applications only', async (t) => {
  const emulator = await started(t);
  const of = (applicationId: string) => ({ userId: ben, applicationId });
  assert.equal(
    await rejectedControl(emulator, '/tokens', of('Nope1234'), 404),
    'Application Nope1234 was not found',
  );
  const { token } = await control(emulator, 'POST', '/tokens', of('Tw0hX5nB'));
  assert.equal((await call({ ...emulator, token }, 'GET', '/account')).status, 200);
});

test('creates tasks only in an existing folder other than the recycle bin', async (t) => {
  const emulator = await started(t);
  const into = (folderId: string) => ({ count: 1, folderId });
  assert.equal(
    await rejectedControl(emulator, '/tasks', into('NOPE1234'), 404),
    'Folder NOPE1234 was not found',
  );
  assert.equal(
    await rejectedControl(emulator, '/tasks', into('IEAAAAAQI7777776')),
    '"IEAAAAAQI7777776" is the recycle bin',
  );
});

test('an event needs an existing record of its kind, unless it names one', async (t) => {
  const emulator = await startedWith(t, { version: 1 });
  const says = (eventType: string) => rejectedControl(emulator, '/events', { eventType });
  assert.equal(await says('TaskCreated'), 'taskId is missing: the emulator has no task');
  assert.equal(await says('FolderCreated'), 'folderId is missing: the emulator has no folder');
});

test('only existing tasks, folders and spaces can be denied to a user', async (t) => {
  const emulator = await started(t);
  assert.match(
    await rejectedControl(emulator, `/users/${ben}`, { denied: [task, 'NOTHING'] }),
    /^"NOTHING" is not the id of a task, folder or space$/,
  );
  const { users } = await control(emulator, 'GET', '/users');
  for (const { denied } of users) assert.deepEqual(denied, []);
});

test('rejects freeze with resume, and silence with a response', async (t) => {
  const emulator = await started(t);
  const both = await rejectedControl(emulator, '/clock', { freeze: true, resume: true });
  assert.match(both, /resume cannot be combined with freeze/);
  assert.equal((await control(emulator, 'GET', '/clock')).frozen, false);
  for (const more of [{ status: 503 }, { delayMs: 5 }, { cutAfter: 1 }, { json: {} }])
    assert.match(
      await rejectedControl(emulator, '/faults', { request: 'any', silence: true, ...more }),
      /Silence sends no response/,
    );
});

test('the bare control prefix lists the control requests', async (t) => {
  const emulator = await started(t);
  for (const path of ['', '/']) {
    const { controlRequests, commands } = await control(emulator, 'GET', path);
    assert.ok(controlRequests.includes('POST /_emulator/faults'));
    assert.equal(commands, 'wm emulator --help');
  }
});
