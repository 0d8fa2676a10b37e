// `wm task undo` restores whole parts: all members of the dates, the weekends of every type of task, an effort with its
// allocations, and more entries than one request takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import type { Http } from '#world/world.ts';
import { alteringTasks } from '../altered-tasks.ts';

const id = sample.task;
const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];

/** The dates of the task first, and then the update that is undone. */
const dates: readonly [name: string, before: object, update: object][] = [
  [
    'a duration that start and due do not give',
    { start: '2026-03-02', due: '2026-03-06', duration: 600 },
    { start: '2026-04-01', due: '2026-04-03', duration: 60 },
  ],
  [
    'a duration, after the dates were cleared',
    { start: '2026-03-02', due: '2026-03-06', duration: 600, workOnWeekends: true },
    { type: 'Backlog' },
  ],
  [
    'the weekends of a planned task',
    { start: '2026-03-02', due: '2026-03-10', duration: 600, workOnWeekends: true },
    { workOnWeekends: false },
  ],
  [
    'weekends that were off',
    { start: '2026-03-02', due: '2026-03-10', duration: 600, workOnWeekends: false },
    { type: 'Milestone', due: '2026-04-01', workOnWeekends: true },
  ],
  [
    'the weekends of a milestone',
    { type: 'Milestone', due: '2026-03-10', workOnWeekends: true },
    { start: '2026-03-02', due: '2026-03-10', workOnWeekends: false },
  ],
  ['the weekends of a backlog task', { type: 'Backlog', workOnWeekends: true }, { workOnWeekends: false }],
  [
    'the duration and the weekends of a backlog task',
    { type: 'Backlog', duration: 600, workOnWeekends: true },
    { type: 'Milestone', due: '2026-03-10', workOnWeekends: false },
  ],
  ['no duration of a backlog task', { type: 'Backlog' }, { type: 'Backlog', duration: 60 }],
  [
    'the times of a day',
    { start: '2026-03-02T11:00:00', due: '2026-03-02T15:30:00' },
    { start: '2026-03-03', due: '2026-03-04' },
  ],
];

for (const [name, before, update] of dates) {
  test(`undo restores ${name}`, async (context) => {
    const { wm, task } = await emulated(context);
    const datesArgument = (value: object) => ['task', 'update', id, '--dates', JSON.stringify(value)];
    await wm(datesArgument(before), { exit: 0 });
    const then = (await task(id)).dates;
    await wm([...datesArgument(update), '--undoable'], { exit: 0 });
    assert.notDeepEqual((await task(id)).dates, then);
    const undone = await wm(['task', 'undo', id, '--yes'], { exit: 0 });
    // A task that never had the switch set shows none; once set, it can only be switched off.
    const isShown = 'workOnWeekends' in then || 'workOnWeekends' in update;
    assert.deepEqual((await task(id)).dates, isShown ? { workOnWeekends: false, ...then } : then);
    assert.doesNotMatch(undone.errors, /Cannot be undone/);
  });
}

test('undo restores an effort without allocations, and one with', async (context) => {
  const { wm, task } = await emulated(context);
  const effort = async () => (await task(id, fields)).effortAllocation;
  const update = async (flag: string, value: object) => {
    await wm(['task', 'update', id, flag, JSON.stringify(value), '--undoable'], { exit: 0 });
  };
  const undo = async () => {
    await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  };
  const first = await effort();
  await update('--set-responsible-allocation', [
    { userId: sample.ada, dailyAllocation: [{ date: '2026-03-02', effortMinutes: 60 }] },
  ]);
  assert.equal((await effort()).responsibleAllocation.length, 2);
  await undo();
  assert.deepEqual(await effort(), first);
  const none = { mode: 'Basic', totalEffort: 60, responsibleAllocation: [] };
  await update('--effort-allocation', none);
  await update('--effort-allocation', first);
  await undo();
  assert.deepEqual(await effort(), { ...none, allocatedEffort: 0 });
});

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
