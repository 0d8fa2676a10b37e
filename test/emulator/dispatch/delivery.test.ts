// Deliveries: what task updates cause, signatures, keys, retries on the clock, suspension, filters, additional fields.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { sampleTokens } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { control, settled } from '#test/support/service/control.ts';
import { listening } from '#test/support/service/listening.ts';
import { records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { events as witness } from '#test/witness/events.ts';
import { shows } from '../shows.ts';
import { hmac, type Receiver, receiving } from './receiver.ts';
import { createWebhook, subscribed, withReceiver } from './subscribed.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const project = 'IEAAAAAQI4AB5PRJ';
const task = 'IEAAAAAQKQAB5BNG';

const statusOf = async (emulator: Started, id: string) =>
  (await records(emulator, 'GET', `/webhooks/${id}`))[0].status;

const keysOf = ({ received }: Receiver) => received.map(({ headers }) => headers['idempotency-key']);

/** The dates of the task in the sample. */
const planned = { type: 'Planned', start: '2026-02-02T09:00:00', due: '2026-02-06T17:00:00', duration: 2400 };

test('a response arrives before the delivery that its request causes', async (t) => {
  const { emulator, receiver } = await subscribed(t);
  const order: string[] = [];
  receiver.answer = () => {
    order.push('delivery');
    return 200;
  };
  // The first makes the connection to the receiver, which the others find open.
  for (let i = 1; i <= 5; i++) {
    const headers = { Authorization: `Bearer ${emulator.token}` };
    const url = `${emulator.baseUrl}/tasks/${task}?title=${i}`;
    const answered = once(request(url, { method: 'PUT', headers }).end(), 'response').then(([response]) => {
      order.push('answer');
      response.resume();
    });
    await Promise.all([answered, receiver.count(i)]);
  }
  assert.deepEqual(order, Array(5).fill(['answer', 'delivery']).flat());
});

test('each task update in the witness causes its event', async (t) => {
  const { emulator, events } = await subscribed(t);
  for (const { name, causedBy } of witness.filter((row) => row.causedBy !== undefined)) {
    await records(emulator, 'PUT', `/tasks/${task}?${causedBy}`);
    assert.ok(valuesOf(await events(), 'eventType').includes(name), `${causedBy}: ${name}`);
  }
});

test('an update causes its events, each with the previous values', async (t) => {
  const { emulator, receiver, id: webhookId } = await subscribed(t);
  await update(emulator, {
    title: 'New',
    importance: 'High',
    status: 'Completed',
    dates: { due: '2026-02-20' },
    addParents: [project],
    removeParents: [folder],
    addResponsibles: ['KUAAADAQ'],
    removeResponsibles: ['KUAABENQ'],
    removeShareds: ['KUAABOTQ'],
    customFields: [
      { id: 'IEAAAAAQJUAB5TXT', value: 'Blue' },
      { id: 'IEAAAAAQJUAB5NUM', value: '12' },
      { id: 'IEAAAAAQJUAB5DRP', value: null },
    ],
    convertToCustomItemType: 'IEAAAAAQPIAB5STO',
  });
  await receiver.count(13);
  const common = { webhookId, eventAuthorId: 'KUAAADAQ', lastUpdatedDate: '2026-03-02T12:00:00Z' };
  const { start: startDate, due: dueDate, ...span } = planned;
  const field = (customFieldId: string, oldValue: string, value: string) =>
    ['TaskCustomFieldChanged', { customFieldId, oldValue, value }] as const;
  const expected: readonly (readonly [eventType: string, payload: object])[] = [
    ['TaskTitleChanged', { oldValue: 'Write the launch page', title: 'New' }],
    ['TaskImportanceChanged', { oldValue: 'Normal', importance: 'High' }],
    [
      'TaskStatusChanged',
      {
        ...{ oldStatus: 'Active', oldCustomStatusId: 'IEAAAAAQJMAB5ACT' },
        ...{ status: 'Completed', customStatusId: 'IEAAAAAQJMAB5CMP' },
      },
    ],
    [
      'TaskDatesChanged',
      {
        oldValue: { startDate, dueDate, ...span },
        dates: { type: 'Milestone', dueDate: '2026-02-20T17:00:00' },
      },
    ],
    ['TaskParentsAdded', { addedParents: [project] }],
    ['TaskParentsRemoved', { removedParents: [folder] }],
    ['TaskResponsiblesAdded', { addedResponsibles: ['KUAAADAQ'] }],
    ['TaskResponsiblesRemoved', { removedResponsibles: ['KUAABENQ'] }],
    ['TaskSharedsRemoved', { removedShareds: ['KUAABOTQ'] }],
    field('IEAAAAAQJUAB5TXT', '"Red and <b>gold</b>"', '"Blue"'),
    field('IEAAAAAQJUAB5DRP', '"High"', 'null'),
    field('IEAAAAAQJUAB5NUM', 'null', '12'),
  ];
  const lists = receiver.received.map(({ events }) => events);
  assert.deepEqual(lists, [
    ...expected.map(([eventType, payload]) => [{ ...common, eventType, taskId: task, ...payload }]),
    [
      {
        ...common,
        eventType: 'WorkItemTypeChanged',
        workItemId: task,
        oldWorkItemTypeId: null,
        newWorkItemTypeId: 'IEAAAAAQPIAB5STO',
        newWorkItemTypeTitle: 'Story',
      },
    ],
  ]);
  assert.equal(new Set(keysOf(receiver)).size, 13);
});

test('an update that changes nothing causes no event', async (t) => {
  const { emulator, events } = await subscribed(t);
  await update(emulator, { title: 'Write the launch page', follow: true });
  // Its item type does not change, although the task has one.
  await update(emulator, { title: 'another title' }, 'IEAAAAAQKQAB5BUG');
  assert.deepEqual(valuesOf(await events(), 'eventType'), ['TaskTitleChanged']);
});

test('restoring a task causes no event; changes made with it do', async (t) => {
  const { emulator, events } = await subscribed(t);
  await update(emulator, { restore: true, title: 'Back' }, 'IEAAAAAQKQAB5BIN');
  assert.deepEqual(valuesOf(await events(), 'eventType'), ['TaskTitleChanged']);
});

test('a description change is delivered five minutes later', async (t) => {
  const { emulator, events } = await subscribed(t, {
    events: ['TaskDescriptionChanged', 'TaskTitleChanged'],
  });
  await update(emulator, { description: 'x' });
  emulator.clock.move(299_999);
  await update(emulator, { title: 'x' });
  assert.deepEqual(valuesOf(await events(), 'eventType'), ['TaskTitleChanged']);
  emulator.clock.move(1);
  assert.deepEqual(rowsOf(await events(), 'eventType', 'lastUpdatedDate'), [
    ['TaskDescriptionChanged', '2026-03-02T12:00:00Z'],
  ]);
});

test('with a secret, every delivery is signed over its exact bytes', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  receiver.secret = 'sécret';
  await createWebhook(emulator, receiver, { secret: 'sécret' });
  await update(emulator, { title: 'Grüße, 你好 \u{1F3EE}' });
  await receiver.count(2);
  const delivery = receiver.received[1];
  assert.equal(delivery?.headers['x-hook-signature'], hmac('sécret', delivery?.body ?? ''));
  assert.equal(delivery?.headers['content-type'], 'application/json');
  assert.equal(delivery?.events[0].title, 'Grüße, 你好 \u{1F3EE}');
  assert.equal(delivery?.headers['x-hook-secret'], delivery?.headers['x-hook-signature']);
});

for (const mode of ['bare', 'strict'] as const)
  test(`only handshakes carry X-Hook-Secret, in ${mode} mode`, async (t) => {
    shows('delivery-secret-header', 'bare', 'strict');
    const { emulator, receiver } = await withReceiver(t, { mode });
    receiver.secret = 'secret';
    await createWebhook(emulator, receiver, { secret: 'secret' });
    await update(emulator, { title: 'x' });
    await receiver.count(2);
    assert.ok(receiver.received[0] !== undefined && 'x-hook-secret' in receiver.received[0].headers);
    const delivery = receiver.received[1];
    assert.ok(delivery !== undefined && 'x-hook-signature' in delivery.headers);
    assert.ok(!('x-hook-secret' in delivery.headers));
  });

for (const mode of ['default', 'bare', 'strict'] as const)
  for (const compact of [false, true])
    test(`a delivery is JSON ${compact ? 'on one line' : 'with two spaces'}, in ${mode} mode`, async (t) => {
      shows('delivery-spacing', 'default');
      const { emulator, receiver } = await withReceiver(t, { mode, compact });
      await createWebhook(emulator, receiver);
      await update(emulator, { title: 'x' });
      await receiver.count(1);
      const [{ body, events } = { body: '', events: undefined }] = receiver.received;
      assert.equal(body, compact ? JSON.stringify(events) : JSON.stringify(events, null, 2));
    });

test('without a secret, nothing is signed', async (t) => {
  const { emulator, receiver } = await subscribed(t);
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  assert.ok(!('x-hook-signature' in (receiver.received[0]?.headers ?? {})));
});

for (const status of [200, 201, 202, 204]) {
  test(`${status} counts as delivered`, async (t) => {
    const { emulator, receiver, id, events } = await subscribed(t);
    receiver.answer = status;
    await update(emulator, { title: 'x' });
    await update(emulator, { title: 'y' });
    assert.deepEqual(valuesOf(await events(), 'title'), ['x', 'y']);
    emulator.clock.move(3_600_000);
    await update(emulator, { title: 'z' });
    assert.deepEqual(valuesOf(await events(), 'title'), ['z']);
    assert.equal(await statusOf(emulator, id), 'Active');
  });
}

for (const status of [500, 503, 408, 429, 302, 203]) {
  test(`${status} is retried after 30 and 60 seconds with the same key, then suspends`, async (t) => {
    shows('other-statuses', 'default');
    const { emulator, receiver } = await withReceiver(t);
    const id = await createWebhook(emulator, receiver, { hookUrl: `${receiver.url}/hook` });
    receiver.answer = status;
    await update(emulator, { title: 'x' });
    for (const [attempts, milliseconds] of [
      [1, 29_999],
      [1, 1],
      [2, 59_999],
      [2, 1],
    ] as const) {
      await settled(emulator);
      assert.equal(receiver.received.length, attempts);
      assert.equal(await statusOf(emulator, id), 'Active');
      emulator.clock.move(milliseconds);
    }
    await settled(emulator);
    assert.equal(receiver.received.length, 3);
    assert.equal(await statusOf(emulator, id), 'Suspended');
    assert.equal(new Set(keysOf(receiver)).size, 1);
    assert.equal(new Set(valuesOf(receiver.received, 'body')).size, 1);
    assert.deepEqual(valuesOf(receiver.received, 'path'), ['/hook', '/hook', '/hook']);
    const { mails } = await control(emulator, 'GET', '/mails');
    assert.deepEqual(valuesOf(mails, 'to'), ['ada@paper-lantern.example']);
    // Nothing more is sent until it is active again; what happened meanwhile is not told later.
    await update(emulator, { title: 'meanwhile' });
    receiver.answer = 200;
    await call(emulator, 'PUT', `/webhooks/${id}?status=Active`);
    await update(emulator, { title: 'again' });
    await receiver.count(4);
    assert.equal(receiver.events[3].title, 'again');
  });
}

for (const status of [400, 401, 404, 410, 451, 499]) {
  test(`${status} suspends the webhook at once`, async (t) => {
    const { emulator, receiver, id } = await subscribed(t);
    receiver.answer = status;
    await update(emulator, { title: 'x' });
    await settled(emulator);
    assert.equal(await statusOf(emulator, id), 'Suspended');
    assert.deepEqual((await control(emulator, 'GET', '/mails')).mails, []);
    emulator.clock.move(3_600_000);
    await settled(emulator);
    assert.equal(receiver.received.length, 1);
  });
}

test('a retry that succeeds leaves the webhook active', async (t) => {
  const { emulator, receiver, id } = await subscribed(t);
  receiver.answer = () => (receiver.received.length < 3 ? 500 : 200);
  await update(emulator, { title: 'x' });
  for (const wait of [30_000, 60_000]) {
    await settled(emulator);
    emulator.clock.move(wait);
  }
  const { deliveries } = await settled(emulator);
  assert.equal(await statusOf(emulator, id), 'Active');
  assert.deepEqual(valuesOf(deliveries, 'state'), ['delivered']);
  assert.deepEqual(deliveries[0].attempts, [
    { date: '2026-03-02T12:00:00Z', result: 500, verdict: 'retry' },
    { date: '2026-03-02T12:00:30Z', result: 500, verdict: 'retry' },
    { date: '2026-03-02T12:01:30Z', result: 200, verdict: 'delivered' },
  ]);
});

test('a folder webhook covers its own tasks; a recursive one also covers those below', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const covering = (path: string, more: object = {}) =>
    createWebhook(emulator, receiver, { events: ['TaskTitleChanged'], ...more }, { path });
  const flat = await covering(`/folders/${folder}/webhooks`);
  const deep = await covering(`/folders/${folder}/webhooks`, { recursive: true });
  const space = await covering('/spaces/IEAAAAAQI5AB5SPC/webhooks', { recursive: true });
  await covering('/spaces/IEAAAAAQI5AB5SPC/webhooks');
  for (const [taskId, title, ids] of [
    [task, 'in the folder', [flat, deep, space]],
    ['IEAAAAAQKQAB5BLG', 'in the subfolder', [deep, space]],
    ['IEAAAAAQKQAB5SUB', 'a subtask', [deep, space]],
    ['IEAAAAAQKQAB5BUG', 'in the project', [space]],
    ['IEAAAAAQKQAB5PRV', 'in another space', []],
  ] as const) {
    receiver.received.splice(0);
    await update(emulator, { title }, taskId);
    await settled(emulator);
    assert.deepEqual(valuesOf(receiver.events, 'webhookId').sort(), ids.toSorted(), title);
  }
});

test('an account webhook delivers only what its author can see', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, {}, { token: sampleTokens.ben });
  await update(emulator, { title: 'secret' }, 'IEAAAAAQKQAB5PRV');
  await update(emulator, { title: 'public' });
  await settled(emulator);
  assert.deepEqual(valuesOf(receiver.events, 'title'), ['public']);
});

test('filters: events, custom item types, custom fields; additional fields in the payload', async (t) => {
  const { emulator, receiver, id: titles, events } = await subscribed(t, { events: ['TaskTitleChanged'] });
  const bugs = await createWebhook(emulator, receiver, { customItemTypes: ['IEAAAAAQPIAB5BUG'] });
  const colours = await createWebhook(emulator, receiver, {
    parameterisedEvents: [
      {
        event: 'TaskCustomFieldChanged',
        customFields: ['IEAAAAAQJUAB5TXT'],
        fields: ['title', 'customItemTypeId'],
      },
      { event: 'TaskTitleChanged', fields: ['status', 'dates', 'responsibleIds'] },
    ],
  });
  const { start: startDate, due: dueDate, ...span } = planned;
  const people = { responsibleIds: ['KUAABENQ', 'KXAAINVQ'] };
  const field = (id: string, value: string) => ({ customFields: [{ id, value }] });
  for (const [parameters, taskId, expected] of [
    [
      { title: 'x' },
      task,
      [
        [titles, undefined],
        [colours, { status: 'Active', dates: { startDate, dueDate, ...span }, ...people }],
      ],
    ],
    [{ importance: 'Low' }, task, []],
    [{ importance: 'Low' }, 'IEAAAAAQKQAB5BUG', [[bugs, undefined]]],
    [field('IEAAAAAQJUAB5NUM', '1'), task, []],
    [field('IEAAAAAQJUAB5TXT', 'x'), task, [[colours, { title: 'x', customItemTypeId: null }]]],
  ] as const) {
    await update(emulator, parameters, taskId);
    const got = new Map(rowsOf(await events(), 'webhookId', 'fields').map(([id, fields]) => [id, fields]));
    assert.deepEqual(got, new Map<unknown, unknown>(expected), JSON.stringify(parameters));
  }
});

test('connectTo sends deliveries for a host to this machine, keeping the host name', async (t) => {
  const receiver = await receiving(t);
  const emulator = await started(t, {
    connectTo: [{ host: 'hooks.example.com', address: '127.0.0.1', port: receiver.port }],
  });
  await createWebhook(emulator, receiver, { hookUrl: 'http://hooks.example.com/wm?a=1' });
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  const [delivery] = receiver.received;
  assert.deepEqual([delivery?.path, delivery?.headers.host], ['/wm?a=1', 'hooks.example.com']);
});

test('the delivery in flight when a webhook is suspended is the last', async (t) => {
  const { emulator, receiver, id } = await subscribed(t);
  const held: ((status: number) => void)[] = [];
  receiver.answer = () => new Promise((resolve) => held.push(resolve));
  await update(emulator, { title: 'on its way' });
  await update(emulator, { title: 'behind it' });
  await receiver.count(1);
  for (const status of ['Suspended', 'Active'])
    await call(emulator, 'PUT', `/webhooks/${id}?status=${status}`);
  held[0]?.(500);
  await settled(emulator);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 3_600 });
  assert.equal(receiver.received.length, 1);
  assert.deepEqual(valuesOf((await settled(emulator)).deliveries, 'state'), ['dropped', 'dropped']);
});

test('a webhook gets one delivery at a time, in order; all webhooks share the connection limit', async (t) => {
  const { emulator, receiver } = await withReceiver(t, { deliveryConnections: 2 });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++)
    ids.push(await createWebhook(emulator, receiver, { events: ['TaskTitleChanged'] }));
  const held: ((status: number) => void)[] = [];
  receiver.answer = () => new Promise((resolve) => held.push(resolve));
  await update(emulator, { title: 'first' });
  await update(emulator, { title: 'second' });
  const delivered = () =>
    receiver.received.map(({ events }) => `${ids.indexOf(events[0].webhookId)} ${events[0].title}`);
  await receiver.count(2);
  await update(emulator, { importance: 'Low' });
  assert.deepEqual(delivered().toSorted(), ['0 first', '1 first']);
  held[0]?.(200);
  await receiver.count(3);
  assert.deepEqual(delivered()[2], '2 first');
  for (let next = 1; next < 6; next++) {
    await receiver.count(next + 1);
    held[next]?.(200);
  }
  await settled(emulator);
  assert.deepEqual(delivered().slice(3).toSorted(), ['0 second', '1 second', '2 second']);
  // No delivery had to wait for the time limit of another.
  const { deliveries } = await control(emulator, 'GET', '/deliveries');
  for (const { attempts } of deliveries) assert.deepEqual([attempts.length, attempts[0].result], [1, 200]);
});

test('closing the emulator aborts a delivery in flight', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true, deliveryTimeoutMs: 3_600_000 });
  const aborted = gate();
  const silent = createServer((_, response) => response.on('close', aborted.open));
  const requested = once(silent, 'request');
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const hookUrl = `http://127.0.0.1:${await listening(silent)}/`;
  await records(emulator, 'POST', '/webhooks', { form: { hookUrl } });
  await update(emulator, { title: 'another title' });
  await requested;
  await emulator.close();
  await aborted.opened;
});

test('a custom field value in an event is JSON: text is quoted, numbers and lists are not', async (t) => {
  const { emulator, events } = await subscribed(t);
  for (const [id, value, was, is] of [
    ['IEAAAAAQJUAB5NUM', '07.50', 'null', '7.5'],
    ['IEAAAAAQJUAB5NUM', '', '7.5', '""'],
    ['IEAAAAAQJUAB5CHK', 'true', 'null', 'true'],
    ['IEAAAAAQJUAB5MUL', '["Mail"]', '["Print","Web"]', '["Mail"]'],
    ['IEAAAAAQJUAB5DRP', 'Low', '"High"', '"Low"'],
    ['IEAAAAAQJUAB5DRP', null, '"Low"', 'null'],
  ] as const) {
    await update(emulator, { customFields: [{ id, value }] });
    assert.deepEqual(rowsOf(await events(), 'customFieldId', 'oldValue', 'value'), [[id, was, is]]);
  }
});

test('a webhook whose receiver cannot be reached for the handshake is not created', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  receiver.answer = 500;
  // Nobody listens on port 1.
  for (const [hookUrl, why] of [
    ['http://127.0.0.1:1/', 'the receiver could not be reached (connection-refused)'],
    [receiver.url, 'the receiver responded with 500'],
  ] as const) {
    const { status, body } = await call(emulator, 'POST', '/webhooks', { form: { hookUrl, secret: 's' } });
    const message = `Parameter 'hookUrl' value is invalid: could not verify the secret: ${why}`;
    assert.deepEqual([status, body.errorDescription], [400, message]);
  }
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
});

test('a webhook with both lists gets the events of both; additional fields come only with their own entry', async (t) => {
  const { emulator, events } = await subscribed(t, {
    events: ['TaskTitleChanged'],
    parameterisedEvents: [{ event: 'TaskImportanceChanged', fields: ['status'] }],
  });
  await update(emulator, { title: 'x', importance: 'Low', follow: false, description: 'y' });
  assert.deepEqual(rowsOf(await events(), 'eventType', 'fields'), [
    ['TaskTitleChanged', undefined],
    ['TaskImportanceChanged', { status: 'Active' }],
  ]);
});
