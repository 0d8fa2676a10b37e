// Creating tasks and folders, and attaching a file: requests that the contract names without their shape.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control, settled } from '#test/support/service/control.ts';
import { invalid, outcome, records, rowsOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';
import { createWebhook } from '../dispatch/subscribed.ts';
import { shows } from '../shows.ts';

const create = (emulator: Started, path: string, parameters: Record<string, unknown>) =>
  call(emulator, 'POST', path, { form: parameters });

test('creates a task in a folder or a space, with each parameter, and sends webhooks its event', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await createWebhook(emulator, receiver, { events: ['TaskCreated', 'FolderCreated'] });
  const { status, body } = await create(emulator, `/folders/${sample.folder}/tasks`, {
    title: 'Proofread',
    description: '<b>All</b> of <script>x</script>it',
    status: 'Deferred',
    importance: 'High',
    dates: { start: '2026-12-01', due: '2026-12-04' },
    shareds: [sample.bot],
    parents: [sample.project],
    responsibles: [sample.ben],
    followers: [sample.ben],
    follow: false,
    superTasks: [sample.task],
    metadata: [{ key: 'build', value: '7' }],
    customFields: [{ id: sample.numeric, value: '12' }],
    billingType: 'NonBillable',
    fields: ['billingType'],
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.kind, 'tasks');
  const [made] = body.data;
  assert.deepEqual(
    [made.title, made.description, made.status, made.importance, made.dates.type, made.billingType],
    ['Proofread', '<b>All</b> of it', 'Deferred', 'High', 'Planned', 'NonBillable'],
  );
  assert.deepEqual(made.parentIds, [sample.folder, sample.project]);
  assert.deepEqual(made.responsibleIds, [sample.ben]);
  assert.deepEqual(made.followerIds, [sample.ben]);
  assert.deepEqual(made.superTaskIds, [sample.task]);
  assert.deepEqual(made.metadata, [{ key: 'build', value: '7' }]);
  assert.deepEqual(made.customFields, [{ id: sample.numeric, value: '12' }]);
  assert.ok(made.sharedIds.includes(sample.bot));
  const read = await call(emulator, 'GET', `/tasks/${made.id}?fields=["billingType","attachmentCount"]`);
  assert.deepEqual(read.body.data, [made]);
  const inSpace = await create(emulator, `/folders/${sample.space}/tasks`, { title: 'In a space' });
  assert.deepEqual(inSpace.body.data[0].parentIds, [sample.space]);
  await settled(emulator);
  assert.deepEqual(rowsOf(receiver.events, 'eventType', 'taskId'), [
    ['TaskCreated', made.id],
    ['TaskCreated', inSpace.body.data[0].id],
  ]);
});

test('creates a folder in a folder or a space, shared like its parent, and sends webhooks its event', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await createWebhook(emulator, receiver, { events: ['FolderCreated'] });
  const { status, body } = await create(emulator, `/folders/${sample.privateFolder}/folders`, {
    title: 'Bonuses',
    description: 'Of <b>this</b> year',
    shareds: [sample.ben, sample.ada],
  });
  assert.equal(status, 200, JSON.stringify(body));
  const [{ id, permalink, ...rest }] = body.data;
  assert.match(permalink, /^http:\/\/127\.0\.0\.1:\d+\/open\.htm\?id=\d{1,16}$/);
  assert.deepEqual(rest, {
    accountId: sample.account,
    title: 'Bonuses',
    description: 'Of <b>this</b> year',
    childIds: [],
    parentIds: [sample.privateFolder],
    sharedIds: [sample.ada, sample.ben],
    scope: 'WsFolder',
    superParentIds: [],
    hasAttachments: false,
    metadata: [],
    customFields: [],
    createdDate: '2026-03-02T12:00:00Z',
    updatedDate: '2026-03-02T12:00:00Z',
    workflowId: 'IEAAAAAQK4AB5STD',
  });
  const all = await call(emulator, 'GET', '/folders');
  const above = all.body.data.find(({ id }) => id === sample.privateFolder);
  assert.deepEqual(above.childIds, [id]);
  await control(emulator, 'POST', '/tasks', { count: 1, folderId: id });
  const unknown = await create(emulator, `/folders/${sample.folder}/folders`, {
    title: 'x',
    shareds: ['KUAANONE'],
  });
  assert.deepEqual([unknown.status, unknown.body.error], invalid);
  await settled(emulator);
  assert.deepEqual(rowsOf(receiver.events, 'eventType', 'folderId'), [['FolderCreated', id]]);
});

for (const what of ['tasks', 'folders']) {
  test(`creating ${what}: a missing, invalid, deleted or forbidden value is an error`, async (t) => {
    const emulator = await started(t);
    const before = (await records(emulator, 'GET', `/${what}`)).length;
    for (const [folder, parameters, status, error] of [
      [sample.folder, {}, 400, 'parameter_required'],
      [sample.folder, { title: '' }, 400, 'invalid_parameter'],
      [sample.folder, { title: 'x'.repeat(1_001) }, 400, 'invalid_parameter'],
      [sample.folder, { title: 'x', shareds: ['ben'] }, 400, 'invalid_parameter'],
      ['IEAAAAAQI4NOTHERE', { title: 'x' }, 404, 'resource_not_found'],
      [sample.recycleBin, { title: 'x' }, 403, 'access_forbidden'],
    ] as const) {
      const made = await create(emulator, `/folders/${folder}/${what}`, parameters);
      assert.deepEqual([made.status, made.body.error], [status, error], JSON.stringify(parameters));
    }
    assert.equal((await records(emulator, 'GET', `/${what}`)).length, before);
  });
}

test('attaches a file as raw bytes, with its name in a header', async (t) => {
  const emulator = await started(t);
  const path = `/tasks/${sample.task}/attachments`;
  const named = (name: string) => ({ 'X-File-Name': name, 'Content-Type': 'application/octet-stream' });
  // No text, and longer than any other body may be.
  const body = new Uint8Array(17 * 1024 * 1024).fill(0xff);
  const made = await records(emulator, 'POST', path, { body, headers: named('d%C3%A9j%C3%A0%20vu.bin') });
  assert.deepEqual(rowsOf(made, 'name', 'size', 'taskId'), [['déjà vu.bin', body.length, sample.task]]);
  assert.deepEqual(await records(emulator, 'GET', path), made);
  const bytes = { 'Content-Type': 'application/octet-stream' };
  for (const [headers, error] of [
    [named('%'), 'invalid_parameter'],
    [named(''), 'invalid_parameter'],
    [bytes, 'parameter_required'],
  ] as const)
    assert.deepEqual(await outcome(emulator, 'POST', path, { body: 'x', headers }), [400, error]);
  assert.deepEqual(await outcome(emulator, 'POST', path, { form: {} }), [400, 'parameter_required']);
});

test('renames, moves, shares and deletes a folder with what is only in it, and sends webhooks the events', async (t) => {
  shows('change-folder', 'default');
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  const made = async (parent: string, title: string): Promise<string> =>
    (await create(emulator, `/folders/${parent}/folders`, { title })).body.data[0].id;
  const [outer, other] = [await made(sample.folder, 'Outer'), await made(sample.folder, 'Other')];
  const inner = await made(outer, 'Inner');
  const task = async (parents: readonly [string, ...string[]]) =>
    (await create(emulator, `/folders/${parents[0]}/tasks`, { title: 'T', parents })).body.data[0].id;
  const [alone, both] = [await task([inner]), await task([inner, other])];
  const listed = async () =>
    (await records(emulator, 'GET', `/folders/${outer}/tasks?descendants=true`)).length;
  assert.equal(await listed(), 2);
  await createWebhook(emulator, receiver);
  const put = (id: string, parameters: Record<string, unknown>) =>
    call(emulator, 'PUT', `/folders/${id}?${query(parameters)}`);

  const { body } = await put(inner, {
    title: 'New',
    description: '<b>All</b><script>x</script>',
    addParents: [other],
    removeParents: [outer],
    removeShareds: [sample.bot],
  });
  const [{ title, description, parentIds, sharedIds, scope }] = body.data;
  assert.deepEqual([title, description, parentIds, scope], ['New', '<b>All</b>', [other], 'WsFolder']);
  assert.ok(!sharedIds.includes(sample.bot));
  assert.equal(await listed(), 0, 'a remembered list is made anew');

  const everyone = [...sharedIds, sample.bot];
  for (const [id, parameters, status, error] of [
    [other, { addParents: [inner] }, 400, 'invalid_parameter'],
    [other, { addParents: [other] }, 400, 'invalid_parameter'],
    [other, { removeParents: [sample.folder] }, 400, 'invalid_parameter'],
    [other, { addShareds: ['KUNOBODY'] }, 400, 'invalid_parameter'],
    [other, { removeShareds: everyone }, 400, 'invalid_parameter'],
    ['IEAAAAAQI7777777', { title: 'x' }, 403, 'access_forbidden'],
    ['IEAAAAAQI7777776', { title: 'x' }, 403, 'access_forbidden'],
    ['IEAAAAAQI4NOWHER', { title: 'x' }, 404, 'resource_not_found'],
  ] as const) {
    const reply = await put(id, parameters);
    assert.deepEqual([reply.status, reply.body.error], [status, error], JSON.stringify(parameters));
  }

  const gone = await call(emulator, 'DELETE', `/folders/${outer}`);
  assert.deepEqual([gone.status, gone.body.data[0].scope], [200, 'RbFolder']);
  assert.equal((await call(emulator, 'DELETE', `/folders/${outer}`)).status, 400);
  assert.equal((await create(emulator, `/folders/${outer}/tasks`, { title: 'x' })).status, 403);
  const outside = await made(sample.folder, 'Outside');
  await call(emulator, 'PUT', `/tasks/${both}?${query({ addParents: [outside] })}`);
  assert.equal((await call(emulator, 'DELETE', `/folders/${other}`)).status, 200);
  const tasks = await records(emulator, 'GET', `/tasks/${alone},${both}`);
  assert.deepEqual(rowsOf(tasks, 'scope', 'parentIds'), [
    ['RbTask', ['IEAAAAAQI7777776']],
    ['WsTask', [outside]],
  ]);
  const below = (await records(emulator, 'GET', `/folders/${inner}`))[0];
  assert.deepEqual([below.scope, below.parentIds], ['RbFolder', [other]]);
  await settled(emulator);
  const about = receiver.received.map(({ events: [event] }) => [
    event?.['eventType'],
    event?.['folderId'] ?? event?.['taskId'],
  ]);
  assert.deepEqual(about, [
    ['FolderTitleChanged', inner],
    ['FolderParentsAdded', inner],
    ['FolderParentsRemoved', inner],
    ['FolderSharedsRemoved', inner],
    ['FolderDescriptionChanged', inner],
    ['FolderDeleted', outer],
    ['FolderCreated', outside],
    ['TaskParentsAdded', both],
    ['FolderDeleted', other],
    ['FolderDeleted', inner],
    ['TaskDeleted', alone],
    ['TaskParentsRemoved', both],
  ]);
  const [restored] = await records(emulator, 'PUT', `/tasks/${alone}?restore=true`);
  assert.deepEqual(restored.parentIds, ['IEAAAAAQI7777777']);
});
