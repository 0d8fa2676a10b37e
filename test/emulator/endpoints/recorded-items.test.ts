// Comments, timelogs, dependencies, workflows, the audit log, invitations and scopes, as recordings, notes and the old reference of the
// service have them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const task = `/tasks/${sample.task}`;

const post = (emulator: Started, path: string, parameters: Record<string, unknown>, method = 'POST') =>
  call(emulator, method, path, { form: parameters });

async function read(emulator: Started, path: string) {
  return records(emulator, 'GET', path);
}

const textsOf = (records: readonly { readonly text: string }[]) => records.map(({ text }) => text);

test('lists comments newest first; attachments only on a single comment, the type only on request', async (t) => {
  shows('task-items', 'default');
  const emulator = await started(t);
  const [{ id, ...made }] = (
    await post(emulator, `${task}/comments`, { text: 'first', attachments: ['a.pdf'] })
  ).body.data;
  await post(emulator, `${task}/comments`, { text: 'second' });
  emulator.clock.move(60_000);
  await post(emulator, `${task}/comments`, { text: 'third' });
  const file = (await read(emulator, `${task}/attachments`)).find(
    ({ name }: { name: string }) => name === 'a.pdf',
  );
  const listed = {
    authorId: sample.ada,
    text: 'first',
    updatedDate: '2026-03-02T12:00:00Z',
    createdDate: '2026-03-02T12:00:00Z',
    taskId: sample.task,
  };
  assert.deepEqual(made, { ...listed, attachmentIds: [file.id] });
  assert.equal(file.commentId, id);
  for (const path of ['/comments', `${task}/comments`]) {
    const all = await read(emulator, path);
    assert.deepEqual(textsOf(all), ['third', 'second', 'first'], path);
    assert.deepEqual(all[2], { id, ...listed });
    assert.deepEqual(textsOf(await read(emulator, `${path}?limit=2`)), ['third', 'second']);
    assert.equal((await read(emulator, `${path}?${query({ fields: ['type'] })}`))[0].type, 'Regular');
    assert.equal((await call(emulator, 'GET', `${path}?${query({ fields: ['kind'] })}`)).status, 400);
    const since = query({ updatedDate: { start: '2026-03-02T12:01:00Z' } });
    assert.deepEqual(textsOf(await read(emulator, `${path}?${since}`)), ['third']);
  }
  const [changed] = (await post(emulator, `/comments/${id}`, { text: 'changed' }, 'PUT')).body.data;
  assert.deepEqual(changed, { id, ...listed, text: 'changed', attachmentIds: [file.id] });
  assert.deepEqual(await read(emulator, `/comments/${id}`), [changed]);
});

test('a comment can be changed for five minutes of emulator time', async (t) => {
  shows('item-limits', 'default');
  const emulator = await started(t);
  const [{ id }] = (await post(emulator, `${task}/comments`, { text: 'x' })).body.data;
  emulator.clock.move(300_000);
  assert.equal((await post(emulator, `/comments/${id}`, { text: 'in time' }, 'PUT')).status, 200);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  const late = await post(emulator, `/comments/${id}`, { text: 'late' }, 'PUT');
  assert.deepEqual(
    [late.status, late.body.error, late.headers.get('emulator-assumption')],
    [403, 'access_forbidden', 'item-limits'],
  );
  assert.equal((await read(emulator, `/comments/${id}`))[0].text, 'in time');
  assert.equal((await call(emulator, 'DELETE', `/comments/${id}`)).status, 200);
});

test('without a date, lists the account comments of the last seven days', async (t) => {
  shows('item-lists', 'default');
  const emulator = await started(t);
  await post(emulator, `${task}/comments`, { text: 'old' });
  emulator.clock.move(7 * 86_400_000);
  await post(emulator, `${task}/comments`, { text: 'new' });
  assert.deepEqual(textsOf(await read(emulator, '/comments')), ['new', 'old']);
  emulator.clock.move(1_000);
  const latest = await call(emulator, 'GET', '/comments');
  assert.deepEqual(textsOf(latest.body.data), ['new']);
  assert.match(String(latest.headers.get('emulator-assumption')), /item-lists/);
  for (const path of [
    `/comments?${query({ updatedDate: { start: '2026-03-01T00:00:00Z' } })}`,
    `${task}/comments`,
  ])
    assert.deepEqual(textsOf(await read(emulator, path)), ['new', 'old'], path);
});

test('lists timelogs in creation order, with subtasks and nested folders, and filters them', async (t) => {
  shows('task-items', 'default');
  shows('item-lists', 'default');
  const emulator = await started(t);
  const hoursById = new Map<string, number>();
  for (const [id, hours, parameters] of [
    [sample.task, 1, { categoryId: sample.writing }],
    [sample.subtask, 2, {}],
    [sample.backlog, 3, { categoryId: sample.design }],
  ] as const) {
    const made = await post(emulator, `/tasks/${id}/timelogs`, {
      hours,
      trackedDate: '2026-03-02',
      ...parameters,
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    hoursById.set(made.body.data[0].id, hours);
  }
  const hours = async (path: string, parameters: Record<string, unknown> = {}) =>
    valuesOf(await read(emulator, `${path}/timelogs?${query(parameters)}`), 'hours');
  const folder = `/folders/${sample.folder}`;
  for (const [path, parameters, expected] of [
    ['', {}, [1, 2, 3]],
    [task, {}, [1, 2]],
    [task, { subTasks: false }, [1]],
    [`/tasks/${sample.subtask}`, { subTasks: false }, [2]],
    [folder, {}, [1, 2, 3]],
    [folder, { subTasks: false }, [1, 3]],
    [folder, { descendants: false }, [1, 2]],
    [folder, { descendants: false, subTasks: false }, [1]],
    ['', { timelogCategories: [sample.writing, sample.design] }, [1, 3]],
    ['', { billingTypes: ['NonBillable'] }, [2, 3]],
    ['', { trackedDate: { equal: '2026-03-02' } }, [1, 2, 3]],
    ['', { trackedDate: { equal: '2026-03-03' } }, []],
    ['', { trackedDate: { start: '2026-03-01', end: '2026-03-02' } }, [1, 2, 3]],
    ['', { createdDate: { start: '2026-03-02T12:00:01Z' } }, []],
    ['', { me: true }, [1, 2, 3]],
    [`/contacts/${sample.ada}`, {}, [1, 2, 3]],
    [`/contacts/${sample.ben}`, {}, []],
  ] as const)
    assert.deepEqual(await hours(path, parameters), expected, `${path} ${JSON.stringify(parameters)}`);
  const bens = { token: emulator.tokens.ben };
  assert.deepEqual(await records(emulator, 'GET', '/timelogs?me=true', bens), []);
  const [id = ''] = hoursById.keys();
  const plain = {
    id,
    taskId: sample.task,
    userId: sample.ada,
    hours: 1,
    createdDate: '2026-03-02T12:00:00Z',
    updatedDate: '2026-03-02T12:00:00Z',
    trackedDate: '2026-03-02',
    comment: '',
    categoryId: sample.writing,
  };
  assert.deepEqual(await read(emulator, `/timelogs/${id}`), [plain]);
  const fields = ['exportStatus', 'approvalStatus', 'billingType', 'lockStatus', 'finance'];
  const states = {
    exportStatus: 'NotExported',
    approvalStatus: 'NotSubmitted',
    billingType: 'Billable',
    lockStatus: 'Unlocked',
    finance: { currency: 'Euro' },
  };
  for (const path of ['/timelogs', `/timelogs/${id}`])
    assert.deepEqual((await read(emulator, `${path}?${query({ fields })}`))[0], { ...plain, ...states });
  assert.deepEqual(await read(emulator, '/timelog_categories'), [
    { id: sample.writing, name: 'Writing', order: 0, hidden: false },
    { id: sample.design, name: 'Design', order: 1, hidden: false },
  ]);
});

test('a timelog has up to 24 hours, and an existing category', async (t) => {
  shows('item-limits', 'default');
  const emulator = await started(t);
  for (const [parameters, status, row] of [
    [{ hours: 24 }, 200, null],
    [{ hours: 0 }, 200, null],
    [{ hours: 24.5 }, 400, 'item-limits'],
    [{ hours: -1 }, 400, 'item-limits'],
    [{ hours: 1, categoryId: 'NOPE' }, 400, 'unresolved-id'],
  ] as const) {
    const reply = await post(emulator, `${task}/timelogs`, { trackedDate: '2026-03-02', ...parameters });
    const told = reply.headers.get('emulator-assumption');
    assert.deepEqual([reply.status, told], [status, row], JSON.stringify(parameters));
  }
  const [{ id }] = await read(emulator, '/timelogs');
  assert.equal((await call(emulator, 'PUT', `/timelogs/${id}?hours=25`)).status, 400);
  const [put] = await records(emulator, 'PUT', `/timelogs/${id}?categoryId=${sample.design}`);
  assert.equal(put.categoryId, sample.design);
});

test('a dependency needs dates on both tasks, and its relation can be changed', async (t) => {
  shows('task-dependencies', 'default');
  shows('reference-endpoints', 'default');
  const emulator = await started(t);
  const path = `/tasks/${sample.bug}/dependencies`;
  for (const [parameters, status] of [
    [{ predecessorId: sample.backlog }, 400],
    [{ successorId: sample.backlog }, 400],
    [{ successorId: sample.milestone }, 400],
    [{ predecessorId: sample.milestone }, 200],
    [{ successorId: sample.recurrent }, 200],
  ] as const)
    assert.equal((await post(emulator, path, parameters)).status, status, JSON.stringify(parameters));
  const [{ id, ...rest }] = await read(emulator, path);
  assert.equal(rest.relationType, 'FinishToStart');
  const relationType = 'StartToStart';
  const changed = await call(emulator, 'PUT', `/dependencies/${id}?relationType=${relationType}`);
  assert.deepEqual(changed.body, { kind: 'dependencies', data: [{ id, ...rest, relationType }] });
  assert.deepEqual(await read(emulator, `/dependencies/${id}`), changed.body.data);
  for (const [parameters, status] of [
    ['', 400],
    ['relationType=After', 400],
  ] as const)
    assert.equal((await call(emulator, 'PUT', `/dependencies/${id}?${parameters}`)).status, status);
  await call(emulator, 'DELETE', `/dependencies/${id}`);
  for (const method of ['GET', 'PUT', 'DELETE'])
    assert.equal(
      (await call(emulator, method, `/dependencies/${id}?relationType=${relationType}`)).status,
      404,
    );
});

test('account workflows leave out those of spaces; each ends with its description', async (t) => {
  const emulator = await started(t);
  const ids = async (path: string) => valuesOf(await read(emulator, path), 'id');
  assert.deepEqual(await ids('/workflows'), [sample.standardWorkflow]);
  assert.deepEqual(await ids(`/spaces/${sample.space}/workflows`), [
    sample.standardWorkflow,
    sample.customWorkflow,
  ]);
  const [workflow] = await read(emulator, `/workflows/${sample.customWorkflow}`);
  assert.deepEqual([Object.keys(workflow).at(-1), workflow.description], ['description', '']);
  const inSpace = ({ id }: { id: string }) => id === sample.contacts;
  assert.ok((await read(emulator, '/customfields')).some(inSpace));
});

test('the audit log is newest first, and can be filtered and paged', async (t) => {
  shows('audit-log', 'default');
  const emulator = await started(t);
  const hook = { hookUrl: 'https://hooks.example.com/' };
  const [{ id }] = (await post(emulator, '/webhooks', hook)).body.data;
  emulator.clock.move(60_000);
  await call(emulator, 'DELETE', `/webhooks/${id}`);
  const [deleted, created] = await read(emulator, '/audit_log');
  assert.deepEqual(
    { ...deleted, id: '' },
    {
      id: '',
      operation: 'WebhookDeleted',
      userId: sample.ada,
      userEmail: 'ada@paper-lantern.example',
      eventDate: '2026-03-02T12:01:00Z',
      ipAddress: '127.0.0.1',
      objectType: 'Webhook',
      objectName: hook.hookUrl,
      objectId: id,
      details: {},
    },
  );
  assert.equal(created.operation, 'WebhookCreated');
  for (const [parameters, found] of [
    [{ operations: ['WebhookCreated'] }, [created]],
    [{ eventDate: { start: '2026-03-02T12:00:30Z' } }, [deleted]],
    [{ eventDate: { end: '2026-03-02T12:00:30Z' } }, [created]],
    [{ pageSize: 1 }, [deleted]],
  ] as const)
    assert.deepEqual(await read(emulator, `/audit_log?${query(parameters)}`), found);
});

test('an invitation has its status, inviter, date and role', async (t) => {
  shows('invitations', 'default');
  const emulator = await started(t);
  assert.deepEqual(await read(emulator, '/invitations'), [
    {
      id: sample.invitation,
      accountId: sample.account,
      email: 'cleo@paper-lantern.example',
      status: 'Pending',
      inviterUserId: sample.ada,
      invitationDate: '2026-01-05T09:00:00Z',
      role: 'User',
      external: false,
    },
  ]);
});

test('users, groups and invitations need their own scopes; the version needs none', async (t) => {
  shows('operation-scopes', 'default');
  const emulator = await started(t);
  const paths = [`/users/${sample.ben}`, '/groups', '/invitations', '/workflows', '/tasks', '/version'];
  for (const [scope, ...allowed] of [
    ['Default', '/workflows', '/tasks'],
    ['wsReadOnly', '/workflows', '/tasks'],
    ['wsReadWrite', '/workflows', '/tasks'],
    ['amReadOnlyWorkflow', '/workflows'],
    ['amReadOnlyUser', `/users/${sample.ben}`],
    ['amReadOnlyGroup', '/groups'],
    ['amReadWriteGroup', '/groups'],
    ['amReadOnlyInvitation', '/invitations'],
    ['amReadWriteInvitation', '/invitations'],
    // A permanent token gives access to all data of the account.
    [undefined, ...paths],
  ]) {
    const of = scope === undefined ? {} : { scopes: [scope] };
    const { token } = await control(emulator, 'POST', '/tokens', { userId: sample.ada, ...of });
    for (const path of paths) {
      const { status } = await call(emulator, 'GET', path, { token });
      const isAllowed = path === '/version' || allowed.includes(path);
      assert.equal(status, isAllowed ? 200 : 403, `${scope} ${path}`);
    }
  }
});
