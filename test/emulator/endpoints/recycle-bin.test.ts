// The recycle bin: what goes into it with a folder comes back with it, and nothing goes in twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { settled } from '#test/support/service/control.ts';
import { forbidden, outcome, records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';
import { shows } from '../shows.ts';

const read = async (emulator: Started, path: string) => {
  const data = await records(emulator, 'GET', path);
  return data[0];
};
const restore = (emulator: Started, path: string) => call(emulator, 'PUT', `${path}?restore=true`);
const made = async (emulator: Started, path: string, parameters: Record<string, unknown>) => {
  const data = await records(emulator, 'POST', path, { form: parameters });
  return data[0].id;
};

test('a restored folder returns to its old parents, with the folders and tasks deleted with it', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const folder = `/folders/${sample.folder}`;
  // One task was deleted before, and one folder: both stay in the bin.
  const early = await made(emulator, `/folders/${sample.subfolder}/tasks`, { title: 'Early' });
  await call(emulator, 'DELETE', `/tasks/${early}`);
  const inner = await made(emulator, `${folder}/folders`, { title: 'Inner' });
  await call(emulator, 'DELETE', `/folders/${inner}`);
  await call(emulator, 'PUT', `${folder}?${query({ addParents: [sample.secondSpace] })}`);

  const { body } = await call(emulator, 'DELETE', folder);
  assert.deepEqual([body.data[0].scope, body.data[0].parentIds], ['RbFolder', [sample.recycleBin]]);
  const deleted = await read(emulator, `/tasks/${sample.task}`);
  assert.deepEqual(
    [deleted.scope, deleted.parentIds, deleted.dependencyIds],
    ['RbTask', [sample.recycleBin], []],
  );
  assert.equal((await call(emulator, 'GET', `/dependencies/${sample.dependency}`)).status, 404);
  for (const parameters of [{ title: 'x' }, { restore: false }, {}]) {
    assert.deepEqual(await outcome(emulator, 'PUT', `${folder}?${query(parameters)}`), forbidden);
  }
  await settled(emulator);
  await createWebhook(emulator, receiver);

  const reply = await restore(emulator, folder);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  const [{ scope, parentIds, childIds }] = reply.body.data;
  assert.deepEqual(
    [scope, parentIds, childIds],
    ['WsFolder', [sample.space, sample.secondSpace], [sample.subfolder]],
  );
  for (const [id, place] of [
    [sample.task, sample.folder],
    [sample.backlog, sample.subfolder],
  ]) {
    const task = await read(emulator, `/tasks/${id}`);
    assert.deepEqual([task.scope, task.parentIds, task.dependencyIds], ['WsTask', [place], []]);
  }
  const scopes = [`/folders/${sample.subfolder}`, `/folders/${inner}`, `/tasks/${early}`].map(
    async (path) => (await read(emulator, path)).scope,
  );
  assert.deepEqual(await Promise.all(scopes), ['WsFolder', 'RbFolder', 'RbTask']);
  const listed = await records(emulator, 'GET', `${folder}/tasks`);
  assert.ok(listed.some(({ id }) => id === sample.task));
  await settled(emulator);
  assert.deepEqual(receiver.received, [], 'the contract shows no event for restoring');
});

test('a restored folder gets back its tasks that were also elsewhere', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  const [x, y, both] = [sample.folder, sample.secondSpace, sample.subfolder];
  const task = await made(emulator, `/folders/${x}/tasks`, { title: 'In both', parents: [y] });
  const superTasks = [sample.bug];
  const subtask = await made(emulator, `/folders/${x}/tasks`, { title: 'A subtask in X', superTasks });
  const below = await made(emulator, `/folders/${sample.project}/tasks`, {
    title: 'A subtask of a task in X',
    superTasks: [sample.task],
  });
  await call(emulator, 'PUT', `/folders/${both}?${query({ addParents: [y] })}`);
  const member = async (name: string, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await read(emulator, `/tasks/${id}`))[name]));
  const parents = () => member('parentIds', [task, subtask]);
  const remove = (id: string) => call(emulator, 'DELETE', `/folders/${id}`);
  assert.deepEqual(await parents(), [[x, y], [x]]);

  await remove(x);
  assert.deepEqual(await parents(), [[y], [sample.root]]);
  assert.deepEqual(await member('superParentIds', [below]), [[]]);
  const { body } = await call(emulator, 'GET', `/folders/${sample.recycleBin}/folders`);
  const ids = valuesOf(body.data, 'id');
  assert.deepEqual([ids.includes(x), ids.includes(both)], [true, false]);
  await settled(emulator);
  await createWebhook(emulator, receiver, { events: ['TaskParentsAdded'] });
  await restore(emulator, `/folders/${x}`);
  assert.deepEqual(await parents(), [[y, x], [x]]);
  assert.deepEqual(await member('superParentIds', [below]), [[x]]);
  await settled(emulator);
  assert.deepEqual(
    rowsOf(receiver.events, 'taskId', 'addedParents'),
    [task, subtask].map((id) => [id, [x]]),
  );

  // The second to be deleted takes the task with it, and the first to be restored brings it back.
  for (const [first, second] of [
    [x, y],
    [y, x],
  ] as const) {
    await remove(x);
    await remove(y);
    assert.deepEqual(await member('scope', [task]), ['RbTask']);
    await restore(emulator, `/folders/${first}`);
    assert.deepEqual((await parents())[0], [first]);
    await restore(emulator, `/folders/${second}`);
    assert.deepEqual((await parents())[0], [first, second]);
  }
});

test('a record restored while its folder is in the bin goes to the root', async (t) => {
  const emulator = await started(t);
  await call(emulator, 'DELETE', `/folders/${sample.folder}`);
  const task = await restore(emulator, `/tasks/${sample.task}`);
  assert.deepEqual(task.body.data[0].parentIds, [sample.root]);
  const folder = await restore(emulator, `/folders/${sample.subfolder}`);
  assert.deepEqual(folder.body.data[0].parentIds, [sample.root]);
  assert.equal((await read(emulator, `/tasks/${sample.backlog}`)).scope, 'WsTask');
  assert.equal((await read(emulator, `/tasks/${sample.milestone}`)).scope, 'RbTask');
});

test('deleting twice is an error, and so is restoring a folder that is not in the bin', async (t) => {
  shows('already-deleted', 'default');
  const emulator = await started(t);
  const folder = `/folders/${sample.folder}`;
  assert.equal((await call(emulator, 'DELETE', folder)).status, 200);
  for (const [method, path, error] of [
    ['DELETE', folder, 'invalid_request'],
    // In it with the folder above.
    ['DELETE', `/folders/${sample.subfolder}`, 'invalid_request'],
    ['DELETE', `/tasks/${sample.deletedTask}`, 'invalid_request'],
    ['DELETE', `/tasks/${sample.task}`, 'invalid_request'],
    ['PUT', `/folders/${sample.project}?restore=true`, 'invalid_parameter'],
  ] as const) {
    const { status, headers, body } = await call(emulator, method, path);
    assert.deepEqual([status, body.error], [400, error], path);
    assert.equal(headers.get('emulator-assumption'), 'already-deleted');
  }
  for (const id of [sample.root, sample.recycleBin])
    assert.equal((await restore(emulator, `/folders/${id}`)).status, 403);
});

test('a deleted task loses its parent task and its dependencies; its subtasks stay', async (t) => {
  shows('delete-task', 'default');
  const emulator = await started(t);
  const { headers, body } = await call(emulator, 'DELETE', `/tasks/${sample.subtask}`);
  assert.equal(headers.get('emulator-assumption'), null, 'a recording shows it');
  const [{ scope, parentIds, superTaskIds, superParentIds, dependencyIds }] = body.data;
  assert.deepEqual(
    [scope, parentIds, superTaskIds, superParentIds, dependencyIds],
    ['RbTask', [sample.recycleBin], [], [], []],
  );
  const [back] = (await restore(emulator, `/tasks/${sample.subtask}`)).body.data;
  assert.deepEqual(back.superTaskIds, [sample.task]);
  const [parent] = await records(emulator, 'DELETE', `/tasks/${sample.task}`);
  assert.deepEqual([parent.dependencyIds, parent.subTaskIds], [[], [sample.subtask]]);
  assert.equal((await read(emulator, `/tasks/${sample.subtask}`)).scope, 'WsTask');
  assert.deepEqual((await read(emulator, `/tasks/${sample.milestone}`)).dependencyIds, []);
});
