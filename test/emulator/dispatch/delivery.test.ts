// Deliveries: what task updates cause, signatures, keys, retries on the clock, suspension, filters, additional fields.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { control, settled } from '#test/support/service/control.ts';
import { listening } from '#test/support/service/listening.ts';
import { call, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { events as witness } from '#test/witness/events.ts';
import { shows } from '../shows.ts';
import { hmac, receiving } from './receiver.ts';
import { createWebhook, withReceiver } from './subscribed.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const project = 'IEAAAAAQI4AB5PRJ';
const task = 'IEAAAAAQKQAB5BNG';

const statusOf = async (emulator: Started, id: string) =>
  (await call(emulator, 'GET', `/webhooks/${id}`)).body.data[0].status;

test('a response arrives before the delivery that its request causes', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  const before = receiver.received.length;
  const order: string[] = [];
  receiver.answer = () => {
    order.push('delivery');
    return 200;
  };
  // The first makes the connection to the receiver, which the others find open.
  for (let i = 1; i <= 5; i++) {
    const headers = { Authorization: `Bearer ${emulator.token}` };
    const answered = new Promise<void>((resolve, reject) => {
      request(`${emulator.baseUrl}/tasks/${task}?title=${i}`, { method: 'PUT', headers }, (response) => {
        order.push('answer');
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
    await Promise.all([answered, receiver.count(before + i)]);
  }
  assert.deepEqual(
    order,
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'answer' : 'delivery')),
  );
});

test('each task update in the witness causes its event', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  for (const { name, causedBy } of witness.filter((row) => row.causedBy !== undefined)) {
    const before = receiver.received.length;
    assert.equal((await call(emulator, 'PUT', `/tasks/${task}?${causedBy}`)).status, 200, name);
    await settled(emulator);
    const caused = receiver.received.slice(before).flatMap(({ events }) => events);
    assert.ok(
      caused.some(({ eventType }) => eventType === name),
      `${causedBy}: ${name}`,
    );
  }
});

test('an update causes its events, each with the previous values', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const webhookId = await createWebhook(emulator, receiver);
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
  const common = {
    webhookId,
    eventAuthorId: 'KUAAADAQ',
    lastUpdatedDate: '2026-03-02T12:00:00Z',
    taskId: task,
  };
  const expected: Record<string, unknown>[] = [
    { eventType: 'TaskTitleChanged', oldValue: 'Write the launch page', title: 'New' },
    { eventType: 'TaskImportanceChanged', oldValue: 'Normal', importance: 'High' },
    {
      eventType: 'TaskStatusChanged',
      oldStatus: 'Active',
      status: 'Completed',
      oldCustomStatusId: 'IEAAAAAQJMAB5ACT',
      customStatusId: 'IEAAAAAQJMAB5CMP',
    },
    {
      eventType: 'TaskDatesChanged',
      oldValue: {
        type: 'Planned',
        startDate: '2026-02-02T09:00:00',
        dueDate: '2026-02-06T17:00:00',
        duration: 2400,
      },
      dates: { type: 'Milestone', dueDate: '2026-02-20T17:00:00' },
    },
    { eventType: 'TaskParentsAdded', addedParents: [project] },
    { eventType: 'TaskParentsRemoved', removedParents: [folder] },
    { eventType: 'TaskResponsiblesAdded', addedResponsibles: ['KUAAADAQ'] },
    { eventType: 'TaskResponsiblesRemoved', removedResponsibles: ['KUAABENQ'] },
    { eventType: 'TaskSharedsRemoved', removedShareds: ['KUAABOTQ'] },
    {
      eventType: 'TaskCustomFieldChanged',
      customFieldId: 'IEAAAAAQJUAB5TXT',
      oldValue: '"Red and <b>gold</b>"',
      value: '"Blue"',
    },
    {
      eventType: 'TaskCustomFieldChanged',
      customFieldId: 'IEAAAAAQJUAB5DRP',
      oldValue: '"High"',
      value: 'null',
    },
    { eventType: 'TaskCustomFieldChanged', customFieldId: 'IEAAAAAQJUAB5NUM', oldValue: 'null', value: '12' },
  ];
  const received = receiver.received.map(({ events }) => events);
  for (const events of received) assert.ok(Array.isArray(events) && events.length === 1);
  assert.deepEqual(
    received.slice(0, 12).map(([event]) => event),
    expected.map((event) => ({ ...common, ...event })),
  );
  assert.deepEqual(received[12][0], {
    webhookId,
    eventAuthorId: 'KUAAADAQ',
    eventType: 'WorkItemTypeChanged',
    lastUpdatedDate: '2026-03-02T12:00:00Z',
    workItemId: task,
    oldWorkItemTypeId: null,
    newWorkItemTypeId: 'IEAAAAAQPIAB5STO',
    newWorkItemTypeTitle: 'Story',
  });
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size, 13);
});

test('an update that changes nothing causes no event', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'Write the launch page', follow: true });
  await update(emulator, { importance: 'Low' });
  await receiver.count(1);
  assert.equal(receiver.received[0]?.events[0].eventType, 'TaskImportanceChanged');
});

test('restoring a task causes no event; changes made with it do', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await update(emulator, { restore: true, title: 'Back' }, 'IEAAAAAQKQAB5BIN');
  await settled(emulator);
  assert.deepEqual(
    receiver.received.map(({ events }) => events[0].eventType),
    ['TaskTitleChanged'],
  );
});

test('a description change is delivered five minutes later', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, { events: ['TaskDescriptionChanged', 'TaskTitleChanged'] });
  await update(emulator, { description: 'x' });
  emulator.clock.move(299_999);
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  assert.equal(receiver.received[0]?.events[0].eventType, 'TaskTitleChanged');
  emulator.clock.move(1);
  await receiver.count(2);
  assert.deepEqual(
    [receiver.received[1]?.events[0].eventType, receiver.received[1]?.events[0].lastUpdatedDate],
    ['TaskDescriptionChanged', '2026-03-02T12:00:00Z'],
  );
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
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  assert.ok(!('x-hook-signature' in (receiver.received[0]?.headers ?? {})));
});

for (const status of [200, 201, 202, 204]) {
  test(`${status} counts as delivered`, async (t) => {
    const { emulator, receiver } = await withReceiver(t);
    const id = await createWebhook(emulator, receiver);
    receiver.answer = status;
    await update(emulator, { title: 'x' });
    await update(emulator, { title: 'y' });
    await receiver.count(2);
    emulator.clock.move(3_600_000);
    await update(emulator, { title: 'z' });
    await receiver.count(3);
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
    await receiver.count(1);
    await settled(emulator);
    emulator.clock.move(29_999);
    await settled(emulator);
    assert.equal(receiver.received.length, 1);
    emulator.clock.move(1);
    await receiver.count(2);
    await settled(emulator);
    emulator.clock.move(59_999);
    await settled(emulator);
    assert.equal(receiver.received.length, 2);
    assert.equal(await statusOf(emulator, id), 'Active');
    emulator.clock.move(1);
    await receiver.count(3);
    await settled(emulator);
    assert.equal(await statusOf(emulator, id), 'Suspended');
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    assert.ok(receiver.received.every(({ path }) => path === '/hook'));
    const { mails } = await control(emulator, 'GET', '/mails');
    assert.deepEqual(
      mails.map(({ to }: { to: string }) => to),
      ['ada@paper-lantern.example'],
    );
    // Nothing more is sent until it is active again; what happened meanwhile is not told later.
    await update(emulator, { title: 'meanwhile' });
    receiver.answer = 200;
    await call(emulator, 'PUT', `/webhooks/${id}?status=Active`);
    await update(emulator, { title: 'again' });
    await receiver.count(4);
    assert.equal(receiver.received[3]?.events[0].title, 'again');
  });
}

for (const status of [400, 401, 404, 410, 451, 499]) {
  test(`${status} suspends the webhook at once`, async (t) => {
    const { emulator, receiver } = await withReceiver(t);
    const id = await createWebhook(emulator, receiver);
    receiver.answer = status;
    await update(emulator, { title: 'x' });
    await receiver.count(1);
    await settled(emulator);
    assert.equal(await statusOf(emulator, id), 'Suspended');
    assert.deepEqual((await control(emulator, 'GET', '/mails')).mails, []);
    emulator.clock.move(3_600_000);
    await settled(emulator);
    assert.equal(receiver.received.length, 1);
  });
}

test('a retry that succeeds leaves the webhook active', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const id = await createWebhook(emulator, receiver);
  receiver.answer = () => (receiver.received.length < 3 ? 500 : 200);
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  await settled(emulator);
  emulator.clock.move(30_000);
  await receiver.count(2);
  await settled(emulator);
  emulator.clock.move(60_000);
  await receiver.count(3);
  await settled(emulator);
  assert.equal(await statusOf(emulator, id), 'Active');
  const { deliveries } = await control(emulator, 'GET', '/deliveries');
  assert.equal(deliveries.length, 1);
  assert.equal(deliveries[0].state, 'delivered');
  assert.deepEqual(deliveries[0].attempts, [
    { date: '2026-03-02T12:00:00Z', result: 500, verdict: 'retry' },
    { date: '2026-03-02T12:00:30Z', result: 500, verdict: 'retry' },
    { date: '2026-03-02T12:01:30Z', result: 200, verdict: 'delivered' },
  ]);
});

test('a folder webhook covers its own tasks; a recursive one also covers those below', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const flat = await createWebhook(
    emulator,
    receiver,
    { events: ['TaskTitleChanged'] },
    { path: `/folders/${folder}/webhooks` },
  );
  const deep = await createWebhook(
    emulator,
    receiver,
    { events: ['TaskTitleChanged'], recursive: true },
    { path: `/folders/${folder}/webhooks` },
  );
  const space = await createWebhook(
    emulator,
    receiver,
    { events: ['TaskTitleChanged'], recursive: true },
    { path: '/spaces/IEAAAAAQI5AB5SPC/webhooks' },
  );
  const events = ['TaskTitleChanged'];
  await createWebhook(emulator, receiver, { events }, { path: '/spaces/IEAAAAAQI5AB5SPC/webhooks' });
  const receivedEvents = async (taskId: string, title: string) => {
    const before = receiver.received.length;
    await update(emulator, { title }, taskId);
    await settled(emulator);
    return receiver.received
      .slice(before)
      .map(({ events }) => events[0].webhookId)
      .sort();
  };
  assert.deepEqual(await receivedEvents(task, 'in the folder'), [flat, deep, space].sort());
  assert.deepEqual(await receivedEvents('IEAAAAAQKQAB5BLG', 'in the subfolder'), [deep, space].sort());
  assert.deepEqual(await receivedEvents('IEAAAAAQKQAB5SUB', 'a subtask'), [deep, space].sort());
  assert.deepEqual(await receivedEvents('IEAAAAAQKQAB5BUG', 'in the project'), [space]);
  assert.deepEqual(await receivedEvents('IEAAAAAQKQAB5PRV', 'in another space'), []);
});

test('an account webhook delivers only what its author can see', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const { body } = await call(emulator, 'POST', '/webhooks', {
    body: new URLSearchParams({ hookUrl: receiver.url }),
    headers: { Authorization: 'Bearer pmtB3kWn8ZsTq1XyVr5LcHj7DfGp2MbUe9OoIi4KaRx6YtNwQvCgFhSlJzEu0Dm' },
  });
  assert.equal(body.kind, 'webhooks');
  await update(emulator, { title: 'secret' }, 'IEAAAAAQKQAB5PRV');
  await update(emulator, { title: 'public' });
  await settled(emulator);
  assert.deepEqual(
    receiver.received.map(({ events }) => events[0].title),
    ['public'],
  );
});

test('filters: events, custom item types, custom fields; additional fields in the payload', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const titles = await createWebhook(emulator, receiver, { events: ['TaskTitleChanged'] });
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
  const receivedEvents = async (parameters: Record<string, unknown>, taskId = task) => {
    const before = receiver.received.length;
    await update(emulator, parameters, taskId);
    await settled(emulator);
    return Object.fromEntries(
      receiver.received.slice(before).map(({ events }) => [events[0].webhookId, events[0].fields]),
    );
  };
  assert.deepEqual(await receivedEvents({ title: 'x' }), {
    [titles]: undefined,
    [colours]: {
      status: 'Active',
      dates: {
        type: 'Planned',
        startDate: '2026-02-02T09:00:00',
        dueDate: '2026-02-06T17:00:00',
        duration: 2400,
      },
      responsibleIds: ['KUAABENQ', 'KXAAINVQ'],
    },
  });
  assert.deepEqual(await receivedEvents({ importance: 'Low' }), {});
  assert.deepEqual(await receivedEvents({ importance: 'Low' }, 'IEAAAAAQKQAB5BUG'), { [bugs]: undefined });
  assert.deepEqual(await receivedEvents({ customFields: [{ id: 'IEAAAAAQJUAB5NUM', value: '1' }] }), {});
  assert.deepEqual(await receivedEvents({ customFields: [{ id: 'IEAAAAAQJUAB5TXT', value: 'x' }] }), {
    [colours]: { title: 'x', customItemTypeId: null },
  });
});

test('connectTo sends deliveries for a host to this machine, keeping the host name', async (t) => {
  const receiver = await receiving(t);
  const emulator = await started(t, {
    connectTo: [{ host: 'hooks.example.com', address: '127.0.0.1', port: receiver.port }],
  });
  await call(emulator, 'POST', '/webhooks', {
    body: new URLSearchParams({ hookUrl: 'http://hooks.example.com/wm?a=1' }),
  });
  await update(emulator, { title: 'x' });
  await receiver.count(1);
  assert.deepEqual(
    [receiver.received[0]?.path, receiver.received[0]?.headers.host],
    ['/wm?a=1', 'hooks.example.com'],
  );
});

test('the delivery in flight when a webhook is suspended is the last', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const id = await createWebhook(emulator, receiver);
  const held: ((status: number) => void)[] = [];
  receiver.answer = () => new Promise((resolve) => held.push(resolve));
  await update(emulator, { title: 'on its way' });
  await update(emulator, { title: 'behind it' });
  await receiver.count(1);
  await call(emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
  await call(emulator, 'PUT', `/webhooks/${id}?status=Active`);
  held[0]?.(500);
  await settled(emulator);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 3_600 });
  assert.equal(receiver.received.length, 1);
  const { deliveries } = await control(emulator, 'GET', '/deliveries');
  assert.deepEqual(
    deliveries.map(({ state }: { state: string }) => state),
    ['dropped', 'dropped'],
  );
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

test('a task with an item type causes no WorkItemTypeChanged unless the type changes', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'another title' }, 'IEAAAAAQKQAB5BUG');
  await settled(emulator);
  const types = receiver.received.flatMap(({ events }) =>
    events.map(({ eventType }: { eventType: string }) => eventType),
  );
  assert.deepEqual(types, ['TaskTitleChanged']);
});

test('closing the emulator aborts a delivery in flight', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true, deliveryTimeoutMs: 3_600_000 });
  let onRequest = () => {};
  let onAbort = () => {};
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  // It never responds.
  const silent = createServer((_, response) => {
    response.on('close', onAbort);
    onRequest();
  });
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const port = await listening(silent);
  await call(emulator, 'POST', '/webhooks', {
    body: new URLSearchParams({ hookUrl: `http://127.0.0.1:${port}/` }),
  });
  await update(emulator, { title: 'another title' });
  await requested;
  await emulator.close();
  await aborted;
});

test('a custom field value in an event is JSON: text is quoted, numbers and lists are not', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  for (const [id, value, was, is] of [
    ['IEAAAAAQJUAB5NUM', '07.50', 'null', '7.5'],
    ['IEAAAAAQJUAB5NUM', '', '7.5', '""'],
    ['IEAAAAAQJUAB5CHK', 'true', 'null', 'true'],
    ['IEAAAAAQJUAB5MUL', '["Mail"]', '["Print","Web"]', '["Mail"]'],
    ['IEAAAAAQJUAB5DRP', 'Low', '"High"', '"Low"'],
    ['IEAAAAAQJUAB5DRP', null, '"Low"', 'null'],
  ] as const) {
    const before = receiver.received.length;
    await update(emulator, { customFields: [{ id, value }] });
    await settled(emulator);
    const [event] = receiver.received[before]?.events ?? [];
    assert.deepEqual([event.customFieldId, event.oldValue, event.value], [id, was, is]);
  }
});

test('a webhook whose receiver cannot be reached for the handshake is not created', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  receiver.answer = 500;
  // Nobody listens on port 1.
  for (const [url, why] of [
    ['http://127.0.0.1:1/', 'the receiver could not be reached (connection-refused)'],
    [receiver.url, 'the receiver responded with 500'],
  ] as const) {
    const { status, body } = await call(emulator, 'POST', '/webhooks', {
      body: new URLSearchParams({ hookUrl: url, secret: 's' }),
    });
    assert.deepEqual(
      [status, body.errorDescription],
      [400, `Parameter 'hookUrl' value is invalid: could not verify the secret: ${why}`],
    );
  }
  assert.deepEqual((await call(emulator, 'GET', '/webhooks')).body.data, []);
});

test('a webhook with both lists gets the events of both; additional fields come only with their own entry', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver, {
    events: ['TaskTitleChanged'],
    parameterisedEvents: [{ event: 'TaskImportanceChanged', fields: ['status'] }],
  });
  await update(emulator, { title: 'x', importance: 'Low', follow: false, description: 'y' });
  await settled(emulator);
  assert.deepEqual(
    receiver.received.map(({ events: [{ eventType, fields }] }) => [eventType, fields]),
    [
      ['TaskTitleChanged', undefined],
      ['TaskImportanceChanged', { status: 'Active' }],
    ],
  );
});
