// Seeds: the service has the data of the file, a snapshot writes it again, and every problem has a path.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyApplication } from '#emulator/state/default-members.ts';
import { control, settled } from '#test/support/service/control.ts';
import { records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { call, query, started, update } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';
import { assertOwnIds, problemsOf, seedOf, snapshot, startedWith, testAnySeed } from './any-seed.ts';

const small = {
  version: 1,
  users: [
    { firstName: 'Mia', email: 'mia@example.org', admin: true },
    { firstName: 'Noa', lastName: 'Levi' },
  ],
  folders: [
    { title: 'Team', kind: 'space' },
    { title: 'Site', parentIds: ['Team'] },
    { title: 'Private', sharedIds: ['mia@example.org'] },
  ],
  customFields: [{ title: 'Risk', type: 'DropDown', values: ['Low', 'High'] }],
  workflows: [
    {
      name: 'Editorial',
      statuses: [
        { name: 'In review', group: 'Active' },
        { name: 'Out', group: 'Completed' },
      ],
    },
  ],
  tasks: [
    {
      title: 'Launch',
      parentIds: ['Site'],
      responsibleIds: ['Noa Levi'],
      customStatusId: 'Out',
      customFields: [{ id: 'Risk', value: 'High' }],
      dates: { type: 'Planned', start: '2026-03-02T09:00:00', due: '2026-03-03T17:00:00', duration: 960 },
    },
    { title: 'Pictures', superTaskIds: ['Launch'] },
    { title: 'Old', scope: 'RbTask' },
  ],
  comments: [{ taskId: 'Launch', text: 'Well done' }],
  timelogs: [{ taskId: 'Launch', hours: 1.5, userId: 'Noa Levi' }],
  applications: [{ clientId: 'mine', clientSecret: 's3cret', redirectUris: ['https://app.example.com/cb'] }],
  tokens: [{ token: 'token-of-noa', userId: 'Noa Levi', scopes: ['wsReadOnly'] }],
};

test('the service has the records of a seed, which refers to them by name', async (t) => {
  const emulator = await startedWith(t, small);
  const { body } = await call(emulator, 'GET', '/tasks');
  const [launch, pictures, ...more] = body.data;
  assert.deepEqual(
    [launch.title, launch.status, pictures.title, more.length],
    ['Launch', 'Completed', 'Pictures', 0],
  );
  const contacts = await records(emulator, 'GET', '/contacts');
  assert.deepEqual(valuesOf(contacts, 'firstName'), ['Mia', 'Noa']);
  const whole = (await records(emulator, 'GET', `/tasks/${launch.id}`))[0];
  assert.deepEqual(whole.responsibleIds, [contacts[1].id]);
  assert.deepEqual(whole.subTaskIds, [pictures.id]);
  assert.equal(whole.customFields[0].value, 'High');
  const folders = await records(emulator, 'GET', '/folders');
  const site = folders.find((folder: { title: string }) => folder.title === 'Site');
  assert.deepEqual(whole.parentIds, [site.id]);
  const asNoa = { headers: { Authorization: 'Bearer token-of-noa' } };
  const visible = await records(emulator, 'GET', '/folders', asNoa);
  assert.ok(!visible.some((folder: { title: string }) => folder.title === 'Private'));
  const denied = await call(emulator, 'PUT', `/tasks/${launch.id}?title=x`, asNoa);
  assert.equal(denied.status, 403, 'the token has the scopes of the seed');
  assert.equal((await records(emulator, 'GET', `/tasks/${launch.id}/comments`))[0].text, 'Well done');
  // The same names have the same ids in every run, and whatever else the file says.
  const again = seedOf({ ...small, tasks: [{ title: 'First' }, ...small.tasks] });
  assert.equal(again.tasks.find(({ title }) => title === 'Launch')?.id, launch.id);
  // What works on the sample works on a seed.
  assert.equal((await update(emulator, { title: 'Changed' }, launch.id)).title, 'Changed');
  await control(emulator, 'POST', '/events', { eventType: 'CommentAdded' });
  await control(emulator, 'POST', '/tasks', { count: 2 });
  await control(emulator, 'POST', '/reset', {});
  const reset = await records(emulator, 'GET', '/tasks');
  assert.deepEqual(valuesOf(reset, 'title'), ['Launch', 'Pictures']);
});

test('a seed may be a single task: the emulator adds an account, an administrator and a workflow', async (t) => {
  const emulator = await startedWith(t, { version: 1, tasks: [{ title: 'Only' }] });
  const [task] = await records(emulator, 'GET', '/tasks');
  assert.equal((await update(emulator, { status: 'Completed' }, task.id)).status, 'Completed');
  assert.deepEqual([emulator.sampleTask, emulator.sampleFolder, emulator.sampleSpace], [task.id, '', '']);
  const created = await call(
    emulator,
    'POST',
    `/webhooks?${query({ hookUrl: 'https://hooks.example.com/x' })}`,
  );
  assert.equal(created.status, 200);
});

test('missing values of a seed record follow from the others', () => {
  const customFields = [{ title: 'Owner', type: 'Contacts' }];
  const owned = (value: string) => ({
    title: 'a',
    status: 'Deferred',
    customFields: [{ id: 'Owner', value }],
  });
  const data = {
    version: 1,
    users: [
      { firstName: 'Mia', admin: true },
      { firstName: 'Лю', id: 'KUAAALIU' },
    ],
    folders: [{ title: 'Site' }],
    customFields,
    workflows: [
      { name: 'Own', standard: true, statuses: [{ name: 'Open', group: 'Active' }] },
      { name: 'Other', statuses: [{ name: 'Held', group: 'Deferred' }] },
    ],
    comments: [{ folderId: 'Site', text: 'x' }],
    applications: [{ clientId: readyApplication.id }],
  };
  const { users, workflows, tasks, comments, applications } = seedOf({ ...data, tasks: [owned('KUAAALIU')] });
  assert.deepEqual(valuesOf(users, 'email'), ['mia@example.com', 'kuaaaliu@example.com']);
  assert.equal(tasks[0]?.customStatusId, workflows[1]?.statuses[0].id);
  assert.equal(comments[0]?.authorId, users[0]?.id);
  assert.equal(applications[0]?.secret, readyApplication.secret);
  assert.match(
    problemsOf({ ...data, tasks: [owned('KUNOBODY')] }).join(),
    /^tasks\.0\.customFields\.0\.value: .*"KUNOBODY", which is not a user$/,
  );
});

test('a project in a seed is complete, and may refer to its members by name', () => {
  const [mia, workflow] = [
    { firstName: 'Mia', admin: true },
    { name: 'Own', id: 'OWN' },
  ];
  const statuses = [
    { name: 'Going', group: 'Active' },
    { name: 'Done', group: 'Completed' },
  ];
  const folders = [
    { title: 'Bare', kind: 'project' },
    { title: 'Named', project: { authorId: 'Noa Levi', ownerIds: ['Noa Levi'], customStatusId: 'Done' } },
    { title: 'Own', workflowId: 'Own', createdDate: '2026-02-02T09:00:00Z', project: { budget: 1 } },
    { title: 'Group', workflowId: 'Own', project: { status: 'Completed' } },
  ];
  const users = [mia, { firstName: 'Noa', lastName: 'Levi' }];
  const seed = seedOf({ version: 1, users, workflows: [{ ...workflow, statuses }], folders });
  const [admin, noa] = seed.users.map(({ id }) => id);
  const [standard, own] = seed.workflows.map((row) => row.statuses.map(({ id }) => id));
  const bare = {
    authorId: admin,
    ownerIds: [],
    createdDate: '2026-01-05T09:00:00Z',
    customStatusId: standard?.[0],
  };
  assert.deepEqual(
    rowsOf(
      seed.folders.filter(({ project }) => project !== undefined),
      'kind',
      'project',
    ),
    [
      bare,
      { ...bare, authorId: noa, ownerIds: [noa], customStatusId: own?.[1] },
      { ...bare, createdDate: '2026-02-02T09:00:00Z', customStatusId: own?.[0], budget: 1 },
      { ...bare, customStatusId: own?.[1] },
    ].map((project) => ['project', project]),
  );
});

test('a webhook in a seed gets deliveries from the start, and after a reset', async (t) => {
  const receiver = await receiving(t);
  const hook = { hookUrl: 'https://hooks.example.com/seeded', spaceId: 'Team', recursive: true };
  const webhooks = [{ ...hook, secret: 'canary', events: ['TaskStatusChanged'] }];
  const emulator = await started(t, {
    seed: seedOf({ ...small, webhooks }),
    connectTo: [{ host: 'hooks.example.com', address: '127.0.0.1', port: receiver.port }],
  });
  for (const _ of ['the start', 'a reset']) {
    await update(emulator, { status: 'Deferred' });
    assert.deepEqual(valuesOf((await settled(emulator)).deliveries, 'eventType'), ['TaskStatusChanged']);
    await control(emulator, 'POST', '/reset', {});
  }
});

test('the sample is its own seed: starting an emulator with its snapshot gives the same snapshot', async (t) => {
  const emulator = await started(t);
  await update(emulator, { description: '<b>x</b>', addResponsibles: ['KUAAADAQ'] });
  await call(emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/x' })}`);
  assert.equal(
    (await call(emulator, 'POST', `/tasks/${emulator.sampleTask}/comments?${query({ text: 'one' })}`)).status,
    200,
  );
  const first = await snapshot(emulator);
  const second = await snapshot(await startedWith(t, first));
  assert.deepEqual(second, first);
  assert.equal(JSON.stringify(second), JSON.stringify(first), 'in the same order');
});

testAnySeed({ valid: 3, any: 20 });

test('a duration that follows from a start and a due date may exceed the limit of a request', async (t) => {
  const emulator = await started(t);
  await update(emulator, { dates: { start: '2026-01-01', due: '2099-12-01' } });
  const first = await snapshot(emulator);
  assert.deepEqual(await snapshot(await startedWith(t, first)), first);
});

test('a value that no request could set is a mistake, with its place', () => {
  const [long, comment, text] = ['x'.repeat(1_001), 'x'.repeat(10_001), 'x'.repeat(1_000_001)];
  const entries = Array.from({ length: 101 }, (_, at) => ({ key: `k${at}`, value: 'x' }));
  const customFields = entries.map(({ key }) => ({ title: key, type: 'Text' }));
  const withValues = { title: 'a', customFields: entries.map(({ key }) => ({ id: key, value: 'x' })) };
  const task = (more: object) => ({ tasks: [{ title: 'a', ...more }] });
  const timelog = (more: object) => ({ ...task({}), timelogs: [{ taskId: 'a', hours: 1, ...more }] });
  const sized = (value: string) => ({
    customFields: [{ title: 'Size', type: 'Numeric' }],
    ...task({ customFields: [{ id: 'Size', value }] }),
  });
  const webhook = (more: object) => ({ webhooks: [{ hookUrl: 'https://hooks.example.com/', ...more }] });
  const twice = { events: ['TaskCreated'], parameterisedEvents: [{ event: 'TaskCreated' }] };
  for (const [place, lists] of [
    ['tasks.0.title', task({ title: long })],
    ['tasks.0.metadata', task({ metadata: [{ key: 'a b', value: 'x' }] })],
    ['tasks.0.metadata', task({ metadata: [{ key: 'a', value: 'x'.repeat(1_000) }] })],
    ['tasks.0.metadata', task({ metadata: entries })],
    ['tasks.0.description', task({ description: text })],
    ['tasks.0.customFields', { customFields, tasks: [withValues] }],
    ['folders.0.customFields', { customFields, folders: [withValues] }],
    ['folders.0.description', { folders: [{ title: 'a', description: text }] }],
    ['folders.0.title', { folders: [{ title: long }] }],
    ['comments.0.text', { ...task({}), comments: [{ taskId: 'a', text: comment }] }],
    ['tasks.0.dates', task({ dates: { type: 'Planned', start: '2026-03-02' } })],
    ['tasks.0.dates', task({ dates: { type: 'Milestone', duration: 5 } })],
    [
      'tasks.0.dates',
      task({ dates: { type: 'Planned', start: '2026-01-01T09:00:00', duration: 9_000_000 } }),
    ],
    ['timelogs.0.comment', timelog({ comment })],
    ['timelogs.0.trackedDate', timelog({ trackedDate: 'today' })],
    ['tasks.0.customFields.0.value', sized('many')],
    ['webhooks.0.parameterisedEvents', webhook(twice)],
    ['webhooks.0.events', webhook({ events: [] })],
    [
      'applications.0.redirectUris',
      { applications: [{ clientId: 'a', redirectUris: ['http://app.example.com/cb'] }] },
    ],
  ] as const) {
    const places = problemsOf({ version: 1, ...lists }).map((problem) => problem.split(': ')[0]);
    assert.deepEqual(places, [place]);
  }
  seedOf({ version: 1, ...sized('12') });
});

test('each mistake has its place, and says what to do', () => {
  const lists =
    'accounts, users, invitations, groups, folders, tasks, comments, timelogs, timelogCategories, dependencies, customFields, workflows, customItemTypes, workSchedules, placeholders, applications, webhooks, tokens';
  for (const [seed, problem] of [
    [[], `: is not a map of lists: ${lists}`],
    [{}, ': has no version: write version: 1'],
    [{ version: 2 }, 'version: version is not 1, the only one that this emulator reads'],
  ] as const)
    assert.deepEqual(problemsOf(seed), [problem]);
  const task = (more: object) => ({ tasks: [{ title: 'a', ...more }] });
  const project = (project: unknown) => ({ folders: [{ title: 'a', project }] });
  const folder = (id: string, parent: string) => ({ id, title: id, parentIds: [parent] });
  const workflows = [{ name: 'Own', standard: true, statuses: [{ name: 'Open', group: 'Active' }] }];
  for (const [lists, ...problems] of [
    [{ task: [] }, 'task: "task" is not a list of a seed. Did you mean tasks?'],
    [{ holidays: [] }, /"holidays" is not a list of a seed\. There are: accounts, /],
    [{ tasks: {} }, 'tasks: tasks is not a list'],
    [{ tasks: [{}] }, 'tasks.0: has no title, which a task needs'],
    [task({ dueDate: 1 }), /^tasks\.0\.dueDate: a task has no "dueDate"/],
    [
      task({ importance: 'Huge' }),
      'tasks.0.importance: importance: "Huge" is not one of High, Low, Normal; did you mean High?',
    ],
    [
      { folders: [{ title: 'Site' }], ...task({ parentIds: ['Sitee'] }) },
      'tasks.0.parentIds.0: no folder in this file is called "Sitee". Did you mean Site?',
    ],
    [
      { folders: [{ title: 'A' }, { title: 'A' }], ...task({ parentIds: ['A'] }) },
      'tasks.0.parentIds.0: "A" is the name of several: write the id of the folder',
    ],
    [
      {
        ...task({ accountId: null, parentIds: null, customFields: null }),
        webhooks: [{ hookUrl: 'https://x.example', folderId: null }],
      },
      'tasks.0.accountId: null is not an id or a name',
      'tasks.0.parentIds: null is not a list',
      'tasks.0.customFields: null is not a list',
      'webhooks.0.folderId: null is not an id or a name',
    ],
    [
      { users: [{ firstName: 'A' }] },
      'users: the account "Seed" has no administrator: write admin: true for one of its users',
    ],
    [
      { folders: [folder('F1', 'F2'), folder('F2', 'F1')] },
      'folders.0.parentIds: leads back to this folder itself',
      'folders.1.parentIds: leads back to this folder itself',
    ],
    [
      task({ customStatusId: 'Nwe' }),
      'tasks.0.customStatusId: "Nwe" is not a status in this file. Did you mean New?',
    ],
    [
      task({ customStatusId: 'New', status: 'Completed' }),
      'tasks.0.status: "Completed" is not the group of New, which is Active: omit status',
    ],
    [
      project({ ownerIds: ['Noa'], customStatusId: 'Nwe' }),
      'folders.0.project.ownerIds.0: no user in this file is called "Noa". Add it to users, or correct the name',
    ],
    [
      project({ customStatusId: 'Nonsense', status: 'Red' }),
      'folders.0.project.customStatusId: "Nonsense" is not a status in this file. Add it to a workflow',
    ],
    [project({ status: 'Red' }), 'folders.0.project: no workflow has a status of the group "Red"'],
    [project({ startDate: 'x' }), /^folders\.0\.project: project: startDate: "x" /],
    [project({ owner: 'Ada' }), /^folders\.0\.project: project: "owner" is not a member of /],
    [project(null), 'folders.0.project: project: null is not an object (Project)'],
    [
      { folders: [{ title: 'a', kind: 'space', project: {} }] },
      'folders.0.project: a space cannot be a project',
    ],
    [
      { workflows, tasks: [{ title: 'a' }, { title: 'b', status: 'Completed' }] },
      'tasks.1: no workflow has a status of the group "Completed"',
    ],
    [
      { webhooks: [{ hookUrl: 'https://x.example', folderId: 'A', spaceId: 'B' }] },
      'webhooks.0.spaceId: a webhook has either a folder or a space: remove one of them',
    ],
    [
      { webhooks: [{ hookUrl: 'http://10.0.0.1/' }] },
      /^webhooks\.0\.hookUrl: hookUrl: "http:\/\/10\.0\.0\.1\/"/,
    ],
  ] as const) {
    const found = problemsOf({ version: 1, ...lists });
    const [first] = problems;
    if (typeof first === 'string') assert.deepEqual(found, problems);
    else assert.match(found[0] ?? '', first);
  }
});

test('tasks have their own ids, the same at each start; an error about a given id names the record', () => {
  assertOwnIds(500);
  const id = 'IEAAAAAQKQAB5BNG';
  const twice = problemsOf({
    version: 1,
    tasks: [
      { title: 'First', id },
      { title: 'Second', id },
    ],
  });
  assert.deepEqual(twice, [`tasks.1: has the same id "${id}" as the task "First"`]);
});

test('the root comes before the recycle bin, as in the sample', async (t) => {
  const orders = await Promise.all(
    [await started(t), await startedWith(t, { version: 1 })].map(async (emulator) =>
      valuesOf(await records(emulator, 'GET', '/folders'), 'scope'),
    ),
  );
  for (const [first, ...rest] of orders) {
    assert.equal(first, 'WsRoot');
    assert.ok(!rest.includes('WsRoot'));
  }
});

test('a snapshot keeps what is shared with a group', async (t) => {
  const shared = { sharedIds: ['Mia', 'Editors'] };
  const emulator = await startedWith(t, {
    version: 1,
    users: [{ firstName: 'Mia', admin: true }],
    groups: [{ title: 'Editors' }],
    folders: [{ title: 'Site', ...shared }],
    tasks: [{ title: 'Launch', ...shared }],
    customFields: [{ title: 'Risk', type: 'Text', ...shared }],
  });
  const seed = await snapshot(emulator);
  const [group] = seed.groups;
  for (const list of ['folders', 'tasks', 'customFields'])
    assert.equal(seed[list].at(-1).sharedIds[1], group.id, list);
  await startedWith(t, seed);
});
