// The people of a task, the place of a subtask, the date of completion, and custom fields without a value or of another space.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { invalid, records } from '#test/support/service/records.ts';
import { call, query, rejectedUpdate, started, update } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

test('an assigned user becomes the first follower of the task, and shares it', async (t) => {
  shows('new-assignee', 'default');
  const emulator = await started(t);
  const path = `/folders/${sample.privateFolder}/tasks`;
  const { body } = await call(emulator, 'POST', path, { form: { title: 'x' } });
  const [{ id, sharedIds, followerIds }] = body.data;
  assert.deepEqual([sharedIds, followerIds], [[sample.ada], [sample.ada]], 'the author alone');
  const people = async (parameters: Record<string, unknown>) => {
    const task = await update(emulator, parameters, id);
    return [task.responsibleIds, task.sharedIds, task.followerIds];
  };
  const { ada, ben, bot } = sample;
  assert.deepEqual(await people({ addResponsibles: [ben] }), [[ben], [ada, ben], [ben, ada]]);
  assert.deepEqual(await people({ addFollowers: [bot] }), [[ben], [ada, ben], [ben, ada, bot]]);
  assert.deepEqual(await people({ addResponsibles: [ben, ada] }), [
    [ben, ada],
    [ada, ben],
    [ben, ada, bot],
  ]);
  assert.deepEqual(await people({ removeResponsibles: [ben] }), [[ada], [ada, ben], [ben, ada, bot]]);
  // An invitation cannot follow.
  assert.deepEqual(await people({ addResponsibles: [sample.invitation], withInvitations: true }), [
    [ada, sample.invitation],
    [ada, ben, sample.invitation],
    [ben, ada, bot],
  ]);
});

test('a subtask in no folder has the root as its parent, which does not list it', async (t) => {
  shows('subtask-parent', 'default');
  const emulator = await started(t);
  const subtask = async () => {
    const { parentIds, superParentIds } = (await records(emulator, 'GET', `/tasks/${sample.subtask}`))[0];
    return [parentIds, superParentIds];
  };
  assert.deepEqual(await subtask(), [[sample.root], [sample.folder]]);
  assert.deepEqual(await records(emulator, 'GET', `/folders/${sample.root}/tasks`), []);
  await update(emulator, { addParents: [sample.project] }, sample.subtask);
  assert.deepEqual(await subtask(), [[sample.project], [sample.folder]]);
});

test('only a completed task has a completion date', async (t) => {
  shows('completed-date', 'default');
  const emulator = await started(t);
  const { completedDate } = await update(emulator, { status: 'Completed' });
  assert.equal(completedDate, '2026-03-02T12:00:00Z');
  emulator.clock.move(60_000);
  for (const again of [{ status: 'Completed' }, { customStatus: sample.published }])
    assert.equal((await update(emulator, again)).completedDate, completedDate);
  const reply = await call(emulator, 'PUT', `/tasks/${sample.task}?status=Active`);
  assert.equal(reply.headers.get('emulator-assumption'), 'completed-date');
  assert.equal('completedDate' in reply.body.data[0], false);
  await update(emulator, { status: 'Completed' });
  const active = await update(emulator, { customStatus: sample.inReview });
  assert.equal('completedDate' in active, false);
});

test('a customFields entry without a value clears the field, and is rejected with --strict', async (t) => {
  shows('field-without-value', 'default', 'strict');
  const emulator = await started(t);
  const parameters = { customFields: [{ id: sample.text }] };
  for (const path of [`/tasks/${sample.task}`, `/folders/${sample.folder}`]) {
    const { status, headers, body } = await call(emulator, 'PUT', `${path}?${query(parameters)}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(headers.get('emulator-assumption')?.split(', ').includes('field-without-value'));
    assert.ok(body.data[0].customFields.every(({ id }: { id: string }) => id !== sample.text));
  }
  const strict = await started(t, { mode: 'strict' });
  const { status, error } = await rejectedUpdate(strict, parameters);
  assert.deepEqual([status, error], invalid);
});

test('a custom field of a space is not stored on tasks or folders outside it', async (t) => {
  shows('field-of-other-space', 'default');
  const emulator = await started(t);
  const customFields = [{ id: sample.contacts, value: sample.ben }];
  for (const [path, isStored] of [
    [`/tasks/${sample.task}`, true],
    [`/tasks/${sample.subtask}`, true],
    [`/tasks/${sample.privateTask}`, false],
    [`/folders/${sample.subfolder}`, true],
    [`/folders/${sample.space}`, true],
    [`/folders/${sample.privateFolder}`, false],
  ] as const) {
    const { status, headers, body } = await call(emulator, 'PUT', `${path}?${query({ customFields })}`);
    assert.equal(status, 200, JSON.stringify(body));
    const stored = body.data[0].customFields.some(({ id }: { id: string }) => id === sample.contacts);
    assert.equal(stored, isStored, path);
    assert.equal(headers.get('emulator-assumption')?.includes('field-of-other-space') ?? false, !isStored);
  }
});
