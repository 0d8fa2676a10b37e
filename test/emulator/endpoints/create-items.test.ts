// Creating tasks and folders, and attaching a file: requests that the contract names without their shape.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../../../src/emulator/state/sample-ids.ts';
import { control, settled } from '../control/control.ts';
import { call, query, type Started, started } from '../start.ts';
import { receiving } from '../webhooks/receiver.ts';
import { hooked } from '../webhooks/subscribed.ts';

const create = (emulator: Started, path: string, parameters: Record<string, unknown>) =>
  call(emulator, 'POST', path, { body: new URLSearchParams(query(parameters)) });

test('a task is created in a folder or a space, with each parameter, and webhooks get its event', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await hooked(emulator, receiver, { events: ['TaskCreated', 'FolderCreated'] });
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
  const read = await call(emulator, 'GET', `/tasks/${made.id}?fields=["billingType"]`);
  assert.deepEqual(read.body.data, [made]);
  const inSpace = await create(emulator, `/folders/${sample.space}/tasks`, { title: 'In a space' });
  assert.deepEqual(inSpace.body.data[0].parentIds, [sample.space]);
  await settled(emulator);
  assert.deepEqual(
    receiver.got.map(({ events: [{ eventType, taskId }] }) => [eventType, taskId]),
    [
      ['TaskCreated', made.id],
      ['TaskCreated', inSpace.body.data[0].id],
    ],
  );
});

test('a folder is created in a folder or a space, shared as the one above it, and webhooks get its event', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await hooked(emulator, receiver, { events: ['FolderCreated'] });
  const { status, body } = await create(emulator, `/folders/${sample.privateFolder}/folders`, {
    title: 'Bonuses',
    description: 'Of <b>this</b> year',
    shareds: [sample.ben, sample.ada],
  });
  assert.equal(status, 200, JSON.stringify(body));
  const [{ id, ...rest }] = body.data;
  assert.deepEqual(rest, {
    accountId: sample.account,
    title: 'Bonuses',
    description: 'Of <b>this</b> year',
    childIds: [],
    parentIds: [sample.privateFolder],
    sharedIds: [sample.ada, sample.ben],
    scope: 'WsFolder',
    permalink: `${emulator.authUrl}/open?id=${id}`,
    customFields: [],
    space: false,
  });
  const all = await call(emulator, 'GET', '/folders');
  const above = all.body.data.find((one: { id: string }) => one.id === sample.privateFolder);
  assert.deepEqual(above.childIds, [id]);
  await control(emulator, 'POST', '/tasks', { count: 1, folderId: id });
  const unknown = await create(emulator, `/folders/${sample.folder}/folders`, {
    title: 'x',
    shareds: ['KUAANONE'],
  });
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_parameter']);
  await settled(emulator);
  assert.deepEqual(
    receiver.got.map(({ events: [{ eventType, folderId }] }) => [eventType, folderId]),
    [['FolderCreated', id]],
  );
});

for (const what of ['tasks', 'folders']) {
  test(`creating ${what}: what is missing, invalid, deleted or not allowed is an error`, async (t) => {
    const emulator = await started(t);
    const before = (await call(emulator, 'GET', `/${what}`)).body.data.length;
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
    assert.equal((await call(emulator, 'GET', `/${what}`)).body.data.length, before);
  });
}

test('a file is attached by its bytes, with its name in a header', async (t) => {
  const emulator = await started(t);
  const path = `/tasks/${sample.task}/attachments`;
  const attach = (name: string, bytes: Uint8Array) =>
    call(emulator, 'POST', path, {
      headers: { 'X-File-Name': name, 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
  // No text, and longer than any other body may be.
  const { status, body } = await attach(
    'd%C3%A9j%C3%A0%20vu.bin',
    new Uint8Array(17 * 1024 * 1024).fill(0xff),
  );
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body.kind, body.data[0].name, body.data[0].size, body.data[0].taskId],
    ['attachments', 'déjà vu.bin', 17 * 1024 * 1024, sample.task],
  );
  assert.deepEqual((await call(emulator, 'GET', path)).body.data, body.data);
  for (const name of ['%', '']) {
    const wrong = await attach(name, new Uint8Array(1));
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_parameter'], name);
  }
  const deleted = await call(emulator, 'POST', `/tasks/${sample.deletedTask}/attachments`, {
    headers: { 'X-File-Name': 'a' },
    body: 'x',
  });
  assert.equal(deleted.status, 403);
  const bytesAlone = await call(emulator, 'POST', path, {
    headers: { 'Content-Type': 'application/octet-stream' },
    body: 'x',
  });
  assert.deepEqual(
    [bytesAlone.status, bytesAlone.body],
    [400, { errorDescription: 'The file has no name: send it in X-File-Name', error: 'parameter_required' }],
  );
  const nameless = await call(emulator, 'POST', path, { body: new URLSearchParams({}) });
  assert.deepEqual([nameless.status, nameless.body.error], [400, 'parameter_required']);
});
