// What other programs request: deleting a task, items of folders, dependencies, lists of folders. Each change causes its events
// by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { numberOf } from '#emulator/task/urls.ts';
import { control, settled } from '#test/support/service/control.ts';
import { invalid, notFound, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, started } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';
import { createWebhook } from '../dispatch/subscribed.ts';
import { shows } from '../shows.ts';

const post = (emulator: Started, path: string, parameters: Record<string, unknown>, method = 'POST') =>
  call(emulator, method, path, { form: parameters });

/** An emulator whose events are received, without the fields that all of them have. */
async function listening(t: Parameters<typeof started>[0]) {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await createWebhook(emulator, receiver, {});
  const events = async () => {
    await settled(emulator);
    return receiver.received
      .splice(0)
      .map(({ events: [{ webhookId: _, eventAuthorId, lastUpdatedDate: __, ...rest }] }) => {
        assert.equal(eventAuthorId, sample.ada);
        return rest;
      });
  };
  return { emulator, events };
}

test('a deleted task is in the recycle bin, not in lists, and can be restored', async (t) => {
  shows('delete-task', 'default');
  const { emulator, events } = await listening(t);
  const { status, body } = await call(emulator, 'DELETE', `/tasks/${sample.milestone}`);
  assert.deepEqual([status, body.kind], [200, 'tasks']);
  const [record] = body.data;
  assert.deepEqual(
    [record.id, record.scope, record.parentIds],
    [sample.milestone, 'RbTask', [sample.recycleBin]],
  );
  assert.deepEqual(await events(), [{ eventType: 'TaskDeleted', taskId: sample.milestone }]);
  const listed = async () => {
    const tasks = await call(emulator, 'GET', `/folders/${sample.folder}/tasks`);
    return tasks.body.data.some(({ id }) => id === sample.milestone);
  };
  assert.equal(await listed(), false);
  assert.deepEqual(await outcome(emulator, 'DELETE', `/tasks/${sample.milestone}`), [400, 'invalid_request']);
  const comment = await post(emulator, `/tasks/${sample.milestone}/comments`, { text: 'x' });
  assert.equal(comment.status, 403);
  const [restored] = await records(emulator, 'PUT', `/tasks/${sample.milestone}?restore=true`);
  assert.deepEqual(restored.parentIds, [sample.folder]);
  assert.equal(await listed(), true);
  assert.deepEqual(await events(), []);
});

test('comments and files on a folder cause folder events', async (t) => {
  shows('task-items', 'default');
  const { emulator, events } = await listening(t);
  const made = await post(emulator, `/folders/${sample.folder}/comments`, {
    text: 'Two <b>words</b>',
    attachments: ['plan.pdf'],
  });
  const [{ id: commentId, folderId, taskId }] = made.body.data;
  assert.deepEqual([folderId, taskId], [sample.folder, undefined]);
  const [added, attached] = await events();
  assert.deepEqual(added, {
    eventType: 'FolderCommentAdded',
    folderId: sample.folder,
    commentId,
    comment: { text: 'Two words', html: 'Two words' },
  });
  const files = await call(emulator, 'GET', `/folders/${sample.folder}/attachments`);
  const [{ id: attachmentId, ...file }] = files.body.data;
  assert.deepEqual([file.name, file.folderId, file.commentId], ['plan.pdf', sample.folder, commentId]);
  assert.deepEqual(attached, { eventType: 'FolderAttachmentAdded', folderId: sample.folder, attachmentId });
  const found = await call(emulator, 'GET', `/folders/${sample.folder}/comments`);
  assert.deepEqual(valuesOf(found.body.data, 'id'), [commentId]);
  assert.equal((await records(emulator, 'GET', `/attachments/${attachmentId}`))[0].name, 'plan.pdf');
  await call(emulator, 'DELETE', `/comments/${commentId}`);
  assert.deepEqual(await events(), [
    { eventType: 'FolderCommentDeleted', folderId: sample.folder, commentId },
    { eventType: 'FolderAttachmentDeleted', folderId: sample.folder, attachmentId },
  ]);
  const inBin = await post(emulator, `/folders/${sample.recycleBin}/comments`, { text: 'x' });
  assert.equal(inBin.status, 403);
});

test('a plain-text comment keeps its characters and line breaks', async (t) => {
  shows('comment-plain-text', 'default');
  const { emulator, events } = await listening(t);
  const text = '1 < 2 & <b>3</b>\n&amp; 4';
  const made = await post(emulator, `/tasks/${sample.task}/comments`, { text, plainText: true });
  const [{ id: commentId, text: shown }] = made.body.data;
  assert.equal(shown, text);
  const html = '1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;<br />&amp;amp; 4';
  assert.equal((await records(emulator, 'GET', `/comments/${commentId}`))[0].text, html);
  const [added] = await events();
  assert.deepEqual(added?.comment, { text, html });
  const changed = await post(emulator, `/comments/${commentId}`, { text: '<i>', plainText: true }, 'PUT');
  assert.equal(changed.body.data[0].text, '<i>');
});

test('a dependency is in the records of both its tasks', async (t) => {
  shows('task-dependencies', 'default');
  const emulator = await started(t);
  const idsOf = async (id: string) => (await records(emulator, 'GET', `/tasks/${id}`))[0].dependencyIds;
  const path = `/tasks/${sample.bug}/dependencies`;
  const made = await post(emulator, path, { successorId: sample.recurrent, lagTime: 60 });
  const [{ id, ...rest }] = made.body.data;
  assert.deepEqual(rest, {
    predecessorId: sample.bug,
    successorId: sample.recurrent,
    relationType: 'FinishToStart',
    lagTime: 60,
  });
  assert.deepEqual([await idsOf(sample.bug), await idsOf(sample.recurrent)], [[id], [id]]);
  assert.deepEqual(await records(emulator, 'GET', `/dependencies/${id}`), made.body.data);
  const [ofSample] = await records(emulator, 'GET', `/tasks/${sample.task}/dependencies`);
  assert.deepEqual(ofSample.id, sample.dependency);
  const statusForBen = async () =>
    (await call(emulator, 'GET', `/dependencies/${id}`, { token: emulator.tokens.ben })).status;
  const deny = (...denied: string[]) =>
    emulator.control('POST /users/{id}', { id: sample.ben, body: { denied } });
  await deny(sample.bug);
  assert.equal(await statusForBen(), 200, 'he sees the task at the other end');
  await deny(sample.bug, sample.recurrent);
  assert.equal(await statusForBen(), 403);
  for (const [parameters, status, error] of [
    [{}, 400, 'parameter_required'],
    [{ successorId: sample.bug }, 400, 'invalid_parameter'],
    [{ successorId: sample.task, predecessorId: sample.recurrent }, 400, 'invalid_parameter'],
    [{ successorId: sample.task, relationType: 'After' }, 400, 'invalid_parameter'],
    [{ successorId: 'NOPE' }, 404, 'resource_not_found'],
    [{ successorId: sample.deletedTask }, 403, 'access_forbidden'],
    // It exists already; it would close a loop.
    [{ successorId: sample.recurrent, relationType: 'StartToStart' }, 400, 'invalid_parameter'],
    [{ predecessorId: sample.recurrent }, 400, 'invalid_parameter'],
  ] as const) {
    const { status: actual, body } = await post(emulator, path, parameters);
    assert.deepEqual([actual, body.error], [status, error], JSON.stringify(parameters));
  }
  await call(emulator, 'DELETE', `/dependencies/${id}`);
  assert.deepEqual([await idsOf(sample.bug), await idsOf(sample.recurrent)], [[], []]);
  assert.equal((await call(emulator, 'GET', `/dependencies/${id}`)).status, 404);
});

test('lists the folders of a folder or a space, and the ones below', async (t) => {
  shows('folder-lists', 'default');
  const emulator = await started(t);
  const ids = async (path: string) => {
    const data = await records(emulator, 'GET', path);
    return valuesOf(data, 'id');
  };
  const space = `/spaces/${sample.space}/folders`;
  assert.deepEqual(await ids(`/folders/${sample.folder}/folders`), [sample.folder, sample.subfolder]);
  const tree = [sample.space, sample.folder, sample.subfolder, sample.project];
  for (const path of [space, `${space}?descendants=true`]) assert.deepEqual(await ids(path), tree);
  const direct = [sample.space, sample.folder, sample.project];
  assert.deepEqual(await ids(`${space}?descendants=false`), direct);
  assert.deepEqual(await ids(`${space}?project=true`), [sample.project]);
  assert.deepEqual(await ids(`${space}?project=false`), tree.slice(0, 3));
  const [record] = await records(emulator, 'GET', `/folders/${sample.project}`);
  assert.deepEqual(await ids(`/folders?permalink=${encodeURIComponent(record.permalink)}`), [sample.project]);
  assert.deepEqual(await ids('/folders?descendants=false'), [sample.space, sample.secondSpace]);
  assert.deepEqual(await ids(`${space}?title=copy`), [sample.subfolder]);
  assert.equal((await call(emulator, 'GET', `/spaces/${sample.folder}/folders`)).status, 404);
});

for (const mode of ['default', 'bare', 'strict'] as const)
  test(`finds a record by its permalink, and by the number in it, in ${mode} mode`, async (t) => {
    shows('permalinks', 'default', 'bare');
    const emulator = await started(t, { mode });
    const get = async (path: string) => await records(emulator, 'GET', path);
    const [task] = await get(`/tasks/${sample.task}`);
    const [, number = ''] = /^http:\/\/[^/]+\/open\.htm\?id=(\d{10})$/.exec(task.permalink) ?? [];
    assert.deepEqual(valuesOf(await get(`/tasks?permalink=${encodeURIComponent(task.permalink)}`), 'id'), [
      sample.task,
    ]);
    const ids = await call(emulator, 'GET', `/ids?type=ApiV2Task&ids=%5B%22${number}%22%2C%2299%22%5D`);
    assert.deepEqual(ids.body, {
      kind: 'ids',
      data: [{ id: sample.task, ...(mode === 'bare' ? {} : { apiV2Id: number }) }],
    });
    assert.equal(ids.headers.get('emulator-assumption'), null);
    const elsewhere = encodeURIComponent(`https://www.example.com/open.htm?id=${number}`);
    assert.deepEqual((await get(`/tasks?permalink=${elsewhere}`))[0]?.id, sample.task);
    if (mode === 'bare') return;
    const [folder] = await get(`/folders/${sample.folder}`);
    const [other] = await get(`/tasks/${sample.bug}`);
    const both = [number, other.permalink.split('=')[1]];
    const converted = async (numbers: readonly string[]) =>
      valuesOf(await get(`/ids?type=ApiV2Task&ids=${encodeURIComponent(JSON.stringify(numbers))}`), 'id');
    assert.deepEqual(await converted(both), [sample.bug, sample.task]);
    assert.deepEqual(await converted(both.toReversed()), [sample.bug, sample.task], 'an order of its own');
    assert.deepEqual(
      valuesOf(await get(`/folders?permalink=${encodeURIComponent(folder.permalink)}`), 'id'),
      [sample.folder],
    );
    const folderNumber = folder.permalink.split('=')[1];
    assert.deepEqual(await get(`/ids?type=ApiV2Folder&ids=%5B%22${folderNumber}%22%5D`), [
      { id: sample.folder, apiV2Id: folderNumber },
    ]);
    assert.deepEqual(await get(`/ids?type=ApiV2Folder&ids=%5B%22${number}%22%5D`), []);
    assert.deepEqual(
      [folder.createdDate, folder.updatedDate, folder.workflowId],
      ['2026-01-05T09:00:00Z', '2026-01-05T09:00:00Z', 'IEAAAAAQK4AB5STD'],
    );
    emulator.clock.move(60_000);
    const [changed] = await records(emulator, 'PUT', `/folders/${sample.folder}?title=x`);
    assert.deepEqual(
      [changed.createdDate, changed.updatedDate],
      [folder.createdDate, '2026-03-02T12:01:00Z'],
    );
    assert.equal((await fetch(folder.permalink)).status, 200);
    const file = numberOf(sample.attachment);
    assert.deepEqual(await get(`/ids?type=ApiV2Attachment&ids=%5B%22${file}%22%5D`), [
      { id: sample.attachment, apiV2Id: file },
    ]);
    for (const parameters of [
      '',
      'type=ApiV2Task',
      'type=Task&ids=%5B%221%22%5D',
      'type=ApiV2Task&ids=%5B%22x%22%5D',
    ])
      assert.equal((await call(emulator, 'GET', `/ids?${parameters}`)).status, 400, parameters);
    const [secret] = await get(`/folders/${sample.privateFolder}`);
    const hidden = await call(
      emulator,
      'GET',
      `/ids?type=ApiV2Folder&ids=%5B%22${secret.permalink.split('=')[1]}%22%5D`,
      { token: sampleTokens.ben },
    );
    assert.deepEqual(hidden.body.data, []);
  });

test('no two records have the same permalink number', async (t) => {
  const emulator = await started(t);
  const { taskIds } = await control(emulator, 'POST', '/tasks', { count: 2_000, title: 'Many' });
  assert.ok(taskIds.every((id: string) => /^IEAAAAAQKQ[A-Z2-7]{6}$/.test(id)));
  const links = new Set<string>();
  for (const path of ['/tasks', '/folders'])
    for (const { permalink } of await records(emulator, 'GET', path))
      if (permalink !== undefined) links.add(permalink);
  assert.ok(links.size >= 2_011, String(links.size));
  for (const link of links) assert.match(link, /\?id=[1-9]\d{9}$/);
});

test('reads records by id, all or none; and empty lists', async (t) => {
  shows('read-by-id', 'default');
  shows('version', 'default');
  shows('timelog-groups', 'default');
  const emulator = await started(t);
  for (const [path, kind, ...ids] of [
    ['/contacts/', 'contacts', sample.ben, sample.ada],
    ['/spaces/', 'spaces', sample.secondSpace, sample.space],
    ['/folders/', 'folders', sample.project, sample.space],
    ['/customfields/', 'customfields', sample.numeric, sample.text],
    ['/workflows/', 'workflows', sample.customWorkflow, sample.standardWorkflow],
  ] as const) {
    const { body } = await call(emulator, 'GET', `${path}${ids.join(',')}`);
    assert.deepEqual([body.kind, valuesOf(body.data, 'id')], [kind, ids]);
    assert.deepEqual(
      await outcome(emulator, 'GET', `${path}${ids[0]},${ids[0].slice(0, -1)}0`),
      notFound,
      path,
    );
  }
  const { body } = await call(emulator, 'GET', `/users/${sample.ben}`);
  assert.deepEqual([body.kind, body.data.length, body.data[0].id], ['users', 1, sample.ben]);
  assert.deepEqual(await outcome(emulator, 'GET', `/users/${sample.ben},${sample.ada}`), invalid);
  assert.deepEqual(await records(emulator, 'GET', '/version'), [{ major: 4, minor: 0 }]);
  for (const [path, kind] of [
    ['/timesheets', 'timesheet'],
    [`/tasks/${sample.task}/timelog_lock_periods`, 'timelogLockPeriods'],
    [`/folders/${sample.folder}/timelog_lock_periods`, 'timelogLockPeriods'],
    [`/spaces/${sample.space}/timelog_lock_periods`, 'timelogLockPeriods'],
  ])
    assert.deepEqual((await call(emulator, 'GET', String(path))).body, { kind, data: [] });
});
