// Projects: folders that are created with `project`, changed, converted and converted back, the fields of folders, and the events that
// follow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { settled } from '#test/support/service/control.ts';
import { invalid, records, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';
import { startedWith } from '../seed/any-seed.ts';
import { shows } from '../shows.ts';

const now = '2026-03-02T12:00:00Z';

const create = (emulator: Started, path: string, parameters: Record<string, unknown>) =>
  call(emulator, 'POST', path, { form: parameters });
const change = (emulator: Started, id: string, parameters: Record<string, unknown>) =>
  call(emulator, 'PUT', `/folders/${id}?${query(parameters)}`);

test('creates a folder as a project, with its owners, dates, fields and metadata', async (t) => {
  shows('create-records', 'default');
  const emulator = await started(t);
  const parameters = {
    title: 'Autumn',
    project: {
      ownerIds: [sample.ben],
      startDate: '2026-12-01',
      endDate: '2026-12-24',
      contractType: 'Billable',
      budget: 1200,
    },
    metadata: [{ key: 'build', value: '7' }],
    customFields: [{ id: sample.text, value: 'v' }],
    customColumns: [sample.text],
  };
  const expected = {
    authorId: sample.ada,
    ownerIds: [sample.ben],
    customStatusId: sample.active,
    startDate: '2026-12-01',
    endDate: '2026-12-24',
    createdDate: now,
    contractType: 'Billable',
    budget: 1200,
  };
  for (const path of [`/folders/${sample.folder}/folders`, `/spaces/${sample.space}/folders`]) {
    const { status, headers, body } = await create(emulator, path, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('emulator-assumption'), null, 'a recording shows it');
    const [made] = body.data;
    assert.deepEqual(made.project, expected);
    assert.deepEqual(made.metadata, parameters.metadata);
    assert.deepEqual(made.customFields, parameters.customFields);
    const listed = await call(emulator, 'GET', '/folders?project=true');
    assert.ok(listed.body.data.some(({ id }) => id === made.id));
    assert.deepEqual((await records(emulator, 'GET', `/folders/${made.id}`))[0].project, expected);
  }
  // In a JSON body, the values are JSON too.
  const [json] = await records(emulator, 'POST', `/folders/${sample.folder}/folders`, {
    json: { title: 'x', project: { status: 'Completed' } },
  });
  const { status, ...project } = json.project;
  assert.deepEqual(
    [status, project],
    [
      undefined,
      {
        authorId: sample.ada,
        ownerIds: [],
        customStatusId: sample.completedStatus,
        createdDate: now,
        completedDate: now,
      },
    ],
  );
  for (const [name, value] of [
    ['project', { ownerIds: ['KUNOBODY'] }],
    ['project', { startDate: '2026-13-01' }],
    ['project', { customStatusId: 'IEAAAAAQJMABNONE' }],
    ['project', { budget: 1.5 }],
    ['project', { status: 'Nonsense' }],
    ['project', { owner: sample.ada }],
    ['project', 'null'],
    ['customColumns', ['IEAAAAAQJUABNONE']],
  ] as const) {
    const wrong = await create(emulator, `/folders/${sample.folder}/folders`, { title: 'x', [name]: value });
    assert.deepEqual([wrong.status, wrong.body.error], invalid, JSON.stringify(value));
  }
});

test('a batch can create projects', async (t) => {
  const emulator = await started(t);
  const operation = {
    method: 'POST',
    path: `/folders/${sample.folder}/folders`,
    parameters: { title: 'In a batch', project: { ownerIds: [sample.ada] } },
  };
  const { body } = await create(emulator, '/batch', { operations: [operation] });
  emulator.clock.move(2_000);
  const [job] = await records(emulator, 'GET', `/async_job/${body.data[0].id}`);
  assert.deepEqual(job.results[0].data[0].project.ownerIds, [sample.ada]);
});

test('a folder inherits the workflow of its parent', async (t) => {
  const emulator = await startedWith(t, {
    version: 1,
    users: [{ firstName: 'Mia', email: 'mia@example.org', admin: true }],
    workflows: [{ id: 'OWN', name: 'Own', statuses: [{ name: 'Go', group: 'Active' }] }],
    folders: [{ id: 'SPACE', title: 'Team', kind: 'space', workflowId: 'OWN' }],
  });
  const { body } = await create(emulator, '/spaces/SPACE/folders', { title: 'x', project: {} });
  const { body: below } = await create(emulator, `/folders/${body.data[0].id}/folders`, { title: 'y' });
  assert.deepEqual([body.data[0].workflowId, below.data[0].workflowId], ['OWN', 'OWN']);
});

test('changes a project, turns a folder into one and back, and sends webhooks the events', async (t) => {
  shows('change-folder', 'default');
  const { emulator, receiver } = await withReceiver(t);
  const sampleProject = (await change(emulator, sample.project, { project: {} })).body.data[0].project;
  assert.deepEqual([sampleProject.authorId, sampleProject.createdDate], [sample.ada, '2026-01-05T09:00:00Z']);
  await createWebhook(emulator, receiver);
  const changed = async (parameters: Record<string, unknown>, id: string = sample.folder) => {
    const { status, body } = await change(emulator, id, parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data[0];
  };
  const bare = { authorId: sample.ada, ownerIds: [], customStatusId: sample.active, createdDate: now };
  assert.deepEqual((await changed({ project: {} })).project, bare);
  const { project } = await changed({
    project: {
      ownersAdd: [sample.ada, sample.ben],
      startDate: '2026-12-01',
      endDate: '2026-12-24',
      customStatusId: sample.published,
    },
  });
  const full = {
    ...bare,
    ownerIds: [sample.ada, sample.ben],
    customStatusId: sample.published,
    startDate: '2026-12-01',
    endDate: '2026-12-24',
    completedDate: now,
  };
  assert.deepEqual(project, full);
  const { startDate: _, completedDate: __, ...open } = full;
  assert.deepEqual(
    (
      await changed({
        project: { ownersRemove: [sample.ada], startDate: null, customStatusId: sample.inReview },
      })
    ).project,
    { ...open, ownerIds: [sample.ben], customStatusId: sample.inReview },
  );
  await changed({ customFields: [{ id: sample.text, value: 'New' }], metadata: [{ key: 'a', value: 'b' }] });
  const record = await changed({
    customFields: [{ id: sample.text }],
    metadata: [{ key: 'a', value: null }],
    project: 'null',
  });
  assert.deepEqual([record.project, record.customFields, record.metadata], [undefined, [], []]);
  assert.equal((await changed({ project: 'null' }, sample.project)).customItemTypeId, undefined);
  for (const [id, parameters] of [
    [sample.space, { project: {} }],
    [sample.folder, { project: { ownersAdd: ['KUNOBODY'] } }],
  ] as const)
    assert.equal((await change(emulator, id, parameters)).status, 400);

  await settled(emulator);
  const sent = receiver.received.map(({ events: [event] }) => {
    const { webhookId: _, eventAuthorId: __, lastUpdatedDate: ___, ...rest } = event;
    return rest;
  });
  const folderId = sample.folder;
  const dates = { startDate: '2026-12-01', dueDate: '2026-12-24' };
  const { startDate: ____, ...later } = dates;
  const field = { eventType: 'FolderCustomFieldChanged', folderId, customFieldId: sample.text };
  const status = { eventType: 'ProjectStatusChanged', taskId: folderId };
  assert.deepEqual(sent, [
    { eventType: 'ProjectDatesChanged', folderId, oldValue: {}, dates },
    { eventType: 'ProjectOwnersAdded', folderId, addedOwners: [sample.ada, sample.ben] },
    {
      ...status,
      oldStatus: 'Active',
      status: 'Completed',
      oldCustomStatusId: sample.active,
      customStatusId: sample.published,
    },
    { eventType: 'ProjectDatesChanged', folderId, oldValue: dates, dates: later },
    { eventType: 'ProjectOwnersRemoved', folderId, removedOwners: [sample.ada] },
    {
      ...status,
      oldStatus: 'Completed',
      status: 'Active',
      oldCustomStatusId: sample.published,
      customStatusId: sample.inReview,
    },
    { ...field, oldValue: '"Landing pages"', value: '"New"' },
    { ...field, oldValue: '"New"', value: 'null' },
  ]);
});

test('one request creates or changes a folder and returns the requested fields', async (t) => {
  const emulator = await started(t);
  const folder = `/folders/${sample.folder}`;
  for (const [method, path] of [
    ['POST', `${folder}/folders`],
    ['POST', `/spaces/${sample.space}/folders`],
    ['PUT', folder],
    ['PUT', `${folder},${sample.subfolder}`],
  ] as const) {
    const title = path.includes(',') ? {} : { title: 'x' };
    const sent = (fields: string[]) => call(emulator, method, `${path}?${query({ ...title, fields })}`);
    const { body } = await sent(['space', 'attachmentCount']);
    assert.deepEqual([body.data[0].space, body.data[0].attachmentCount], [false, 0], path);
    const { body: plain } = await sent([]);
    assert.deepEqual([plain.data[0].space, plain.data[0].attachmentCount], [undefined, undefined], path);
    assert.deepEqual((await sent(['nonsense'])).body.error, 'invalid_parameter', path);
  }
});

test('a project status that its workflow cannot store is ignored or rejected, and the response says so', async (t) => {
  const emulator = await started(t);
  const put = (project: object) => change(emulator, sample.folder, { project });
  const ignored = 'emulator-ignored-parameters';
  for (const [update, customStatusId, ignores] of [
    [{ status: 'Green' }, sample.active, 'project.status'],
    [{ status: 'OnHold' }, sample.deferredStatus, null],
    [{ status: 'Yellow' }, sample.active, 'project.status'],
    [{ status: 'Cancelled' }, sample.cancelledStatus, null],
    [{ status: 'New' }, sample.active, null],
    [{ status: 'Active' }, sample.active, null],
    [{ status: 'Red', customStatusId: sample.onHold }, sample.onHold, 'project.status'],
  ] as const) {
    const { status, headers, body } = await put(update);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.data[0].project.customStatusId, headers.get(ignored)], [customStatusId, ignores]);
  }
  const made = await create(emulator, `/folders/${sample.folder}/folders`, {
    title: 'x',
    project: { status: 'Red' },
  });
  assert.deepEqual([made.status, made.headers.get(ignored)], [200, 'project.status']);
  assert.equal(
    (await put({ status: 'Purple' })).body.errorDescription,
    'Parameter \'project\' value is invalid: "Purple" is not one of New, Completed, Deferred, Cancelled, Active, Green, Yellow, Red, OnHold',
  );
});

test('an empty folder title or description changes nothing', async (t) => {
  const emulator = await started(t);
  const [before] = await records(emulator, 'GET', `/folders/${sample.folder}`);
  const { status, body } = await change(emulator, sample.folder, { title: '', description: '' });
  assert.deepEqual([status, body.data[0]], [200, before]);
});

test('one request changes several tasks or folders, all or none', async (t) => {
  shows('several-records', 'default');
  const emulator = await started(t);
  const fields = [{ id: sample.text, value: 'all' }];
  const put = (path: string, parameters: Record<string, unknown>) =>
    call(emulator, 'PUT', `${path}?${query(parameters)}`);
  for (const [list, ids, other] of [
    ['tasks', [sample.backlog, sample.bug], sample.deletedTask],
    ['folders', [sample.subfolder, sample.project], sample.recycleBin],
  ] as const) {
    const values = async () => valuesOf(await records(emulator, 'GET', `/${list}/${ids}`), 'customFields');
    for (const [path, parameters, status] of [
      [`/${list}/${ids},${other}`, { customFields: fields }, 403],
      [`/${list}/${ids},NOWHERE`, { customFields: fields }, 404],
      [`/${list}/${ids}`, { customFields: [{ id: sample.numeric, value: 'many' }] }, 400],
      [`/${list}/${Array(101).fill(ids[0])}`, { customFields: fields }, 400],
    ] as const)
      assert.equal((await put(path, parameters)).status, status, path);
    assert.deepEqual(await values(), [[], []]);
    const { status, headers, body } = await put(`/${list}/${ids}`, { customFields: fields });
    assert.deepEqual([status, headers.get('emulator-assumption')], [200, 'several-records']);
    assert.deepEqual([body.kind, valuesOf(body.data, 'id')], [list, ids]);
    assert.deepEqual(await values(), [fields, fields]);
  }
  const effort = { mode: 'Basic', totalEffort: 60 };
  await put(`/tasks/${sample.backlog},${sample.bug}`, { effortAllocation: effort });
  const [read] = await records(emulator, 'GET', `/tasks/${sample.bug}?fields=["effortAllocation"]`);
  assert.deepEqual(read.effortAllocation, effort);
});
