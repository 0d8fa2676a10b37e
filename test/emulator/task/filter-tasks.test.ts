// The lists of tasks that the emulator returns: of the account, of a folder, of a space, filtered, sorted, in pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

async function ids(emulator: Started, path: string, parameters: Record<string, unknown> = {}) {
  const data = await records(emulator, 'GET', `${path}?${query(parameters)}`);
  return valuesOf(data, 'id');
}

const inFolder = [
  sample.task,
  sample.milestone,
  sample.completed,
  sample.deferred,
  sample.cancelled,
  sample.recurrent,
];

test('a folder has its own tasks; descendants adds those below, subTasks their subtasks', async (context) => {
  shows('folder-subtasks', 'default');
  const emulator = await started(context);
  const path = `/folders/${sample.folder}/tasks`;
  assert.deepEqual(await ids(emulator, path), inFolder);
  const below = [sample.milestone, sample.backlog, ...inFolder.slice(2)];
  assert.deepEqual(await ids(emulator, path, { descendants: true }), [sample.task, ...below]);
  const withSubtasks = [sample.task, sample.subtask, ...below];
  assert.deepEqual(await ids(emulator, path, { descendants: true, subTasks: true }), withSubtasks);
  const above = `/spaces/${sample.space}/tasks`;
  for (const [parameters, expected] of [
    [{ descendants: true }, false],
    [{ subTasks: true }, false],
    [{ descendants: true, subTasks: false }, false],
    [{ descendants: true, subTasks: true }, true],
  ] as const)
    assert.equal((await ids(emulator, above, parameters)).includes(sample.subtask), expected);
  assert.deepEqual(await ids(emulator, `/folders/${sample.subfolder}/tasks`), [sample.backlog]);
});

test('the space has no tasks of its own in the sample; with descendants, those of its folders', async (context) => {
  const emulator = await started(context);
  const path = `/spaces/${sample.space}/tasks`;
  assert.deepEqual(await ids(emulator, path), []);
  const below = await ids(emulator, path, { descendants: true, status: ['Active'] });
  assert.ok(below.includes(sample.backlog) && below.includes(sample.bug), below.join());
  assert.ok(!below.includes(sample.completed), below.join());
});

test('a folder is not a space, and a missing folder is not a folder', async (context) => {
  const emulator = await started(context);
  assert.equal((await call(emulator, 'GET', `/spaces/${sample.folder}/tasks`)).status, 404);
  assert.equal((await call(emulator, 'GET', '/folders/IEAAAAAQI4AAAAAA/tasks')).status, 404);
});

test('filters by status, assignee, part of the title, and dates', async (context) => {
  const emulator = await started(context);
  assert.deepEqual(await ids(emulator, '/tasks', { status: 'Completed' }), [sample.completed]);
  assert.deepEqual(await ids(emulator, '/tasks', { status: '[Deferred,Cancelled]' }), [
    sample.deferred,
    sample.cancelled,
  ]);
  assert.deepEqual(await ids(emulator, '/tasks', { responsibles: [sample.ben] }), [sample.task]);
  assert.deepEqual(await ids(emulator, '/tasks', { title: 'lAUNCH' }), [sample.task, sample.milestone]);
  assert.deepEqual(await ids(emulator, '/tasks', { dueDate: { end: '2026-02-07' } }), [
    sample.task,
    sample.recurrent,
  ]);
  assert.deepEqual(await ids(emulator, '/tasks', { dueDate: { start: '2026-02-07', end: '2026-02-11' } }), [
    sample.bug,
  ]);
  await update(emulator, { title: 'Launch!' }, sample.milestone);
  const now = new Date(emulator.clock.now()).toISOString().replace('.000', '');
  assert.deepEqual(await ids(emulator, '/tasks', { updatedDate: { start: now } }), [sample.milestone]);
});

test('an invalid filter is an error', async (context) => {
  const emulator = await started(context);
  for (const parameters of [
    { status: 'Open' },
    { dueDate: { from: '2026-01-01' } },
    { updatedDate: { start: '2026-01-01' } },
    { sortField: 'Colour' },
    { fields: ['colour'] },
  ])
    assert.equal((await call(emulator, 'GET', `/tasks?${query(parameters)}`)).status, 400);
});

for (const [sortField, order] of [
  ['Title', [sample.milestone, sample.recurrent, sample.task]],
  ['DueDate', [sample.task, sample.recurrent, sample.milestone]],
  ['UpdatedDate', [sample.recurrent, sample.milestone, sample.task]],
  ['Importance', [sample.milestone, sample.task, sample.recurrent]],
  ['Status', [sample.task, sample.milestone, sample.recurrent]],
  ['CreatedDate', [sample.task, sample.milestone, sample.recurrent]],
] as const) {
  test(`sorted by ${sortField}`, async (context) => {
    const emulator = await started(context);
    await update(emulator, { importance: 'High' }, sample.milestone);
    emulator.clock.move(1000);
    await update(emulator, { importance: 'Low' }, sample.task);
    const three = async (parameters: Record<string, unknown>) =>
      (await ids(emulator, `/folders/${sample.folder}/tasks`, {
        status: 'Active',
        ...parameters,
      })) as string[];
    const sorted = await three({ sortField });
    assert.deepEqual(sorted, order);
    if (!['Status', 'CreatedDate'].includes(sortField) && sortField !== 'DueDate')
      assert.deepEqual(await three({ sortField, sortOrder: 'Desc' }), [...order].reverse());
  });
}

test('tasks without a date are last in both directions; without a field, the order is by priority', async (context) => {
  const emulator = await started(context);
  for (const sortOrder of ['Asc', 'Desc']) {
    const all = await ids(emulator, '/tasks', { sortField: 'CompletedDate', sortOrder });
    assert.equal(all[0], sample.completed);
  }
  const [first] = await ids(emulator, '/tasks', { sortOrder: 'Asc' });
  assert.equal(first, sample.task);
  const last = await ids(emulator, '/tasks', { sortOrder: 'Desc' });
  assert.equal(last.at(-1), sample.task);
});

test('returns fields on request, and pages keep the filter', async (context) => {
  const emulator = await started(context);
  const path = `/folders/${sample.folder}/tasks`;
  const { body } = await call(
    emulator,
    'GET',
    `${path}?${query({ fields: ['billingType', 'parentIds'], pageSize: '2' })}`,
  );
  assert.equal(body.data[0].billingType, 'Billable');
  assert.equal(body.responseSize, inFolder.length);
  assert.deepEqual(
    await ids(emulator, path, { pageSize: '2', nextPageToken: body.nextPageToken }),
    inFolder.slice(2, 4),
  );
  const [plain] = await records(emulator, 'GET', path);
  assert.equal(plain.billingType, undefined);
});

test('filters by each other field of a record', async (context) => {
  shows('task-lists', 'default');
  const emulator = await started(context);
  const { permalink } = (await records(emulator, 'GET', `/tasks/${sample.bug}`))[0];
  for (const [parameters, expected] of [
    [{ permalink }, [sample.bug]],
    [{ customStatuses: [sample.inProgress] }, [sample.bug]],
    [{ importance: 'High' }, [sample.bug]],
    [{ type: 'Milestone' }, [sample.milestone]],
    [{ authors: [sample.ben] }, []],
    [{ metadata: { key: 'source' } }, [sample.task]],
    [{ metadata: { key: 'source', value: 'other' } }, []],
    [{ customField: { id: sample.dropDown, value: 'High' } }, [sample.task]],
    [{ customField: { id: sample.dropDown, value: 'Low' } }, []],
    [{ startDate: { equal: '2026-02-09' } }, [sample.bug]],
    [{ completedDate: { start: '2026-01-01T00:00:00Z' } }, [sample.completed]],
    [{ createdDate: { start: '2026-01-06T00:00:00Z' } }, []],
    [{ title: 'launch', descendants: true }, [sample.task, sample.milestone]],
    [{ customItemTypes: [sample.bugType] }, [sample.bug]],
    [{ billingTypes: ['Billable'] }, [sample.task]],
    [{ billingTypes: ['NonBillable'], importance: 'High' }, [sample.bug]],
    [{ scheduledDate: { start: '2026-02-09', end: '2026-02-10' } }, [sample.bug]],
    [{ scheduledDate: { equal: '2026-02-09' } }, [sample.bug]],
  ] as const)
    assert.deepEqual(await ids(emulator, '/tasks', parameters), expected, JSON.stringify(parameters));
  const path = `/folders/${sample.folder}/tasks`;
  assert.deepEqual((await ids(emulator, path, { subTasks: true })).slice(0, 2), [
    sample.task,
    sample.subtask,
  ]);
  assert.ok(!(await ids(emulator, '/tasks', { subTasks: false })).includes(sample.subtask));
  assert.deepEqual(await ids(emulator, path, { limit: '2' }), inFolder.slice(0, 2));
});

for (const filters of [{}, { status: ['Active', 'Deferred', 'Cancelled'] }, { sortField: 'Title' }]) {
  test(`the next page starts after the last task, whatever changed meanwhile: ${JSON.stringify(filters)}`, async (context) => {
    shows('list-pages', 'default');
    const emulator = await started(context);
    const path = `/folders/${sample.folder}/tasks`;
    const all = await ids(emulator, path, filters);
    const first = await call(emulator, 'GET', `${path}?${query({ ...filters, pageSize: '2' })}`);
    const { nextPageToken, responseSize } = first.body;
    assert.equal(responseSize, all.length);
    // The first of the page goes, so that those after it move up; the last no longer fits.
    await call(emulator, 'DELETE', `/tasks/${all[0]}`);
    await update(emulator, { status: 'Completed' }, all[1]);
    const rest = await ids(emulator, path, { nextPageToken });
    assert.deepEqual(rest, all.slice(2, 4));
  });
}

test('a range includes its start and excludes its end, for tasks', async (context) => {
  const emulator = await started(context);
  const { createdDate, dates } = (await records(emulator, 'GET', `/tasks/${sample.bug}`))[0];
  const found = async (parameters: Record<string, unknown>) =>
    (await ids(emulator, '/tasks', { ...parameters, importance: 'High' })).length;
  assert.equal(await found({ createdDate: { start: createdDate } }), 1);
  assert.equal(await found({ createdDate: { end: createdDate } }), 0);
  assert.equal(await found({ dueDate: { start: dates.due, end: '2099-01-01' } }), 1);
  assert.equal(await found({ dueDate: { end: dates.due } }), 0);
  const day = dates.due.slice(0, 10);
  assert.equal(await found({ dueDate: { end: day } }), 0);
  assert.equal(await found({ dueDate: { start: day } }), 1);
  assert.equal(await found({ scheduledDate: { start: day } }), 1);
  assert.equal(await found({ scheduledDate: { end: dates.start } }), 0);
  assert.equal(await found({ sortField: 'LastAccessDate' }), 1);
});

test('a list read again after a change shows the change', async (context) => {
  const emulator = await started(context);
  const filters = { status: ['Active'], sortField: 'Title' };
  const before = await ids(emulator, '/tasks', filters);
  assert.deepEqual(await ids(emulator, '/tasks', filters), before);
  await update(emulator, { title: 'A first one' }, before.at(-1));
  assert.deepEqual(await ids(emulator, '/tasks', filters), [before.at(-1), ...before.slice(0, -1)]);
  await control(emulator, 'POST', `/users/${sample.ada}`, { denied: [before[0]] });
  assert.ok(!(await ids(emulator, '/tasks', filters)).includes(before[0]));
});

test('a task denied to a user is not in any list of its folder', async (context) => {
  const emulator = await started(context);
  const path = `/folders/${sample.folder}/tasks`;
  await control(emulator, 'POST', `/users/${sample.ada}`, { denied: [sample.milestone] });
  const { body } = await call(emulator, 'GET', `${path}?pageSize=10`);
  assert.equal(body.data.length, inFolder.length - 1);
  assert.ok(!body.data.some(({ id }) => id === sample.milestone));
});

test('a cached list has changed tasks where a new search would put them', async (context) => {
  const emulator = await started(context);
  const below = `/folders/${sample.folder}/tasks`;
  const lists: readonly (readonly [path: string, parameters: Record<string, unknown>])[] = [
    ['/tasks', { sortField: 'Title' }],
    ['/tasks', { status: ['Active'], sortField: 'Importance', sortOrder: 'Desc' }],
    [below, { descendants: true, sortOrder: 'Desc' }],
    [below, { descendants: true, subTasks: true }],
  ];
  const check = async (what: string) => {
    // No cached list has a limit.
    for (const [path, parameters] of lists)
      assert.deepEqual(
        (await ids(emulator, path, parameters)).slice(0, 1_000),
        await ids(emulator, path, { ...parameters, limit: 1_000 }),
        `${what}: ${path} ${JSON.stringify(parameters)}`,
      );
  };
  await check('at first');
  const steps: readonly (readonly [id: string, parameters: Record<string, unknown>])[] = [
    [sample.task, { title: 'Zebra', importance: 'Low' }],
    [sample.milestone, { status: 'Completed' }],
    [sample.completed, { status: 'Active', priorityBefore: sample.task }],
    [sample.backlog, { removeParents: [sample.subfolder], addParents: [sample.project] }],
    [sample.task, { removeParents: [sample.folder], addParents: [sample.project] }],
  ];
  for (const [id, parameters] of steps) {
    await update(emulator, parameters, id);
    await check(JSON.stringify(parameters));
  }
  await call(emulator, 'DELETE', `/tasks/${sample.deferred}`);
  await control(emulator, 'POST', '/tasks', { count: 3_000 });
  await check('many new tasks');
  await call(emulator, 'DELETE', `/folders/${sample.subfolder}`);
  await check('a folder less');
});
