// `wm task undo` of more entries than one request takes, and where the service restores only a part or cannot show it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import type { Http } from '#world/world.ts';
import { alteringTasks } from '../altered-tasks.ts';

const id = sample.task;

const bulk = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];
const entries = (from: number) =>
  Array.from({ length: 100 }, (_, index) => ({ key: `key-${from + index}`, value: 'x' }));

test('undo restores more entries than one request takes, and is undone as one', async (context) => {
  const { wm, task } = await emulated(context);
  const rows = [
    { id, metadata: entries(0), title: 'both' },
    { id, metadata: entries(100) },
  ];
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const { title, metadata } = await task(id);
  await wm(bulk, { input, exit: 0 });
  assert.equal((await task(id)).metadata.length, 201);
  const shown = await wm(['task', 'undo', id, '--dry-run', '--json']);
  assert.equal(shown.output.trim().split('\n').length, 2, shown.output);
  const undone = await wm(['task', 'undo', id, '--yes', '--verbose'], { exit: 0 });
  assert.equal(undone.errors.match(/^PUT /gm)?.length, 2, undone.errors);
  assert.deepEqual((await task(id)).metadata, metadata);
  assert.equal((await task(id)).title, title);
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).metadata.length, 201);
  assert.equal((await task(id)).title, 'both');
});

for (const isReadable of [true, false])
  test(`if the second request fails, ${isReadable ? '' : 'and no read succeeds, '}undo says what was not restored: exit 8`, async (context) => {
    const { wm, task, control } = await emulated(context);
    const input = [entries(0), entries(100)]
      .map((metadata) => `${JSON.stringify({ id, metadata })}\n`)
      .join('');
    await wm(bulk, { input, exit: 0 });
    await control('faults', { request: 'updateTask', delayMs: 0, times: 1 });
    await control('faults', { request: 'updateTask', status: 400, error: 'invalid_parameter', times: 1 });
    const world = isReadable ? {} : { http: unreadableAfterUpdate() };
    const undone = await wm(['task', 'undo', id, '--yes'], { world, exit: 8 });
    assert.match(undone.errors, /Undone only in part/);
    assert.match(undone.errors, /metadata key-100/);
    assert.doesNotMatch(undone.errors, /metadata key-0\b/);
    assert.equal((await task(id)).metadata.length, 101);
    // What was undone is an update of its own, and nothing more is.
    await wm(['task', 'undo', id, '--yes'], { exit: 0 });
    assert.equal((await task(id)).metadata.length, 201);
  });

test('names an element of a list that the service did not restore: exit 8', async (context) => {
  const { wm } = await emulated(context);
  const argv = ['--add-responsibles', sample.ada, '--remove-shareds', sample.bot];
  await wm(['task', 'update', id, ...argv, '--undoable'], { exit: 0 });
  const http = alteringTasks(({ responsibleIds, sharedIds, ...task }, { updates }) =>
    updates === 0
      ? { ...task, responsibleIds, sharedIds }
      : {
          ...task,
          responsibleIds: [...responsibleIds, sample.ada],
          sharedIds: sharedIds.filter((one: string) => one !== sample.bot),
        },
  );
  const undone = await wm(['task', 'undo', id, '--yes'], { world: { http }, exit: 8 });
  const list = `person shared with ${sample.bot} (now (none), before ${sample.bot}), assignee ${sample.ada} (now ${sample.ada}, before (none))`;
  assert.ok(undone.errors.includes(`Undone only in part. Not restored: ${list}`), undone.errors);
  assert.match(undone.errors, /the service accepted the request but did not restore it/);
});

test('an undo counts even if the task cannot be read afterwards', async (context) => {
  const { wm, task } = await emulated(context);
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'x', '--undoable'], { exit: 0 });
  const http = unreadableAfterUpdate();
  const undone = await wm(['task', 'undo', id, '--yes'], { world: { http }, exit: 0 });
  assert.doesNotMatch(undone.errors, /in part/);
  assert.match(undone.output, new RegExp(`^${id}\t.*\t${title}\t`));
  assert.equal((await task(id)).title, title);
  // What it left is known from its response.
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, 'x');
});

test('the read for undo returns no task: sends nothing', async (context) => {
  const { wm, task } = await emulated(context);
  await wm(['task', 'update', id, '--title', 'x', '--undoable'], { exit: 0 });
  const http = alteringTasks(() => undefined);
  const undone = await wm(['task', 'undo', id, '--yes', '--verbose'], { world: { http }, exit: 1 });
  assert.ok(undone.errors.includes(`expected the record ${id}, got 0 records`), undone.errors);
  assert.doesNotMatch(undone.errors, /^PUT /m);
  assert.equal((await task(id)).title, 'x');
});

/** A service that rejects every read once a task was updated. */
function unreadableAfterUpdate(): Http {
  let isUpdated = false;
  return aroundHttp(async ({ method }, pass) => {
    const response = await pass();
    isUpdated ||= method === 'PUT';
    if (!isUpdated || method === 'PUT' || 'fault' in response) return response;
    return { ...response, status: 403, body: Buffer.from('{"error":"not_allowed","errorDescription":"x"}') };
  });
}

test('names what the service did not restore: exit 8', async (context) => {
  const { wm } = await emulated(context);
  const argv = ['task', 'update', id, '--title', 'x', '--importance', 'High', '--undoable'];
  await wm(argv, { exit: 0 });
  const http = alteringTasks((task, { method }) =>
    method === 'PUT' ? { ...task, importance: 'Low' } : task,
  );
  const undone = await wm(['task', 'undo', id, '--yes'], { world: { http }, exit: 8 });
  assert.match(undone.errors, /Not restored: importance \(now Low, before Normal\)\n/);
});
