// `wm task undo` after somebody else changed the task, meanwhile or after an update without a response; and its questions on a terminal.
// test/transcript/task-undo-others.txt shows each part that they may have changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { alteringTasks, without } from '../altered-tasks.ts';

const id = sample.task;
const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];

/** Ben, who works on the same tasks. */
async function ben({ emulator }: Pick<Emulated, 'emulator'>, update: Record<string, unknown>, task = id) {
  const response = await fetch(`${emulator.baseUrl}/tasks/${task}?${query(update)}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${sampleTokens.ben}` },
  });
  assert.equal(response.status, 200, await response.text());
}

const clock = { ...createWorld().clock, sleep: async () => {} };

/** An update to which no response comes. */
async function lose({ wm, control }: Emulated, ...flags: readonly string[]) {
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  await wm(['task', 'update', id, ...flags, '--undoable'], { world: { clock }, exit: 9 });
}

const bulk = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];

test("a bulk run reads ahead: another user's change to other parts meanwhile stays", async (context) => {
  const service = await emulated(context);
  const rows = [
    { id: sample.backlog, title: 'x' },
    { id, title: 'ours', metadata: [{ key: 'ours', value: '1' }], addResponsibles: [sample.ada] },
  ];
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  // The rows were read by then.
  const http = beforeUpdate(1, () =>
    ben(service, {
      importance: 'High',
      metadata: [{ key: 'source', value: 'theirs' }],
      addResponsibles: [sample.bot],
    }),
  );
  const { title } = await service.task(id);
  await service.wm(bulk, { input, world: { http }, exit: 0 });
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await service.task(id);
  assert.deepEqual([now.title, now.importance], [title, 'High']);
  assert.deepEqual(now.metadata, [{ key: 'source', value: 'theirs' }]);
  assert.ok(now.responsibleIds.includes(sample.bot) && !now.responsibleIds.includes(sample.ada));
});

test('two rows share one read, with an update in between: each is undone separately', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const before = await task(id);
  // Both rows are read before the first is sent. The single update falls between them.
  let now = Date.UTC(2026, 10, 5);
  const clock = { ...createWorld().clock, now: () => now++ };
  const between = ['--importance', 'High', '--add-parents', sample.project, '--undoable'];
  const http = beforeUpdate(2, () => wm(['task', 'update', id, ...between], { world: { clock }, exit: 0 }));
  const rows = [
    { id, title: 'one', metadata: [{ key: 'row', value: '1' }], addResponsibles: [sample.ada] },
    { id, title: 'two', importance: 'Low', removeResponsibles: [sample.ada] },
  ];
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await wm(bulk, { input, world: { http, clock }, exit: 0 });
  const shown = async () => {
    const { title, importance, responsibleIds } = await task(id);
    return { title, importance, isAssigned: responsibleIds.includes(sample.ada) };
  };
  assert.deepEqual(await shown(), { title: 'two', importance: 'Low', isAssigned: false });
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.notEqual(before.title, 'one');
  assert.deepEqual(await shown(), { title: 'one', importance: 'High', isAssigned: true });
});

test('without a response, undoes what may be ours, and asks about the rest', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const { title, dates, effortAllocation } = await task(id, fields);
  const dated = ['--start', '2026-12-01', '--due', '2026-12-04', '--effort-mode', 'None'];
  await lose(service, '--title', 'ours', ...dated);
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await task(id, fields);
  assert.deepEqual(now.title, title);
  assert.deepEqual({ ...now.dates, workOnWeekends: undefined }, { ...dates, workOnWeekends: undefined });
  assert.deepEqual(now.effortAllocation, effortAllocation);
  await lose(service, '--description', '<script>x</script>y', '--title', 'ours');
  const notUndone = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  assert.match(notUndone.errors, /description: unknown after your update, y now/);
  const message = `Not undone: description of ${id} may not be from your update`;
  assert.ok(notUndone.errors.includes(message), notUndone.errors);
  assert.match(notUndone.errors, /^This may not be from your update: description\. It is now: y\.$/m);
  assert.doesNotMatch(notUndone.errors, /changed since/);
  await wm(['task', 'undo', id, '--yes', '--overwrite'], { exit: 0 });
  assert.match((await task(id)).description, /one<\/b> message/);
  await wm(['task', 'update', id, '--no-follow'], { exit: 0 });
  await lose(service, '--add-followers', '@me');
  const following = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  assert.match(following.errors, /Not undone: following of \w+ may not be from your update/);
});

/** Updates whose response is lost; what somebody else changes then; and the part that may not be ours then, if there is one. */
const lostUpdates: readonly [flags: string, theirs?: Record<string, unknown>, notOurs?: string][] = [
  ['--start 2026-12-01 --duration 600'],
  ['--start 2026-12-01 --duration 600', { dates: { start: '2026-12-01', duration: 1200 } }, 'dates'],
  ['--start 2026-12-01 --due 2026-12-04', { dates: { start: '2026-12-02', due: '2026-12-04' } }, 'dates'],
  ['--start 2026-12-01 --due 2026-12-04', { dates: { start: '2026-12-01', due: '2026-12-03' } }, 'dates'],
  // The service moves both to Monday.
  ['--start 2026-10-10 --due 2026-10-11'],
  ['--start 2026-10-10T10:00:00 --due 2026-10-15'],
  ['--start 2026-10-10 --due 2026-10-15', { dates: { start: '2026-10-13', due: '2026-10-15' } }, 'dates'],
  ['--work-on-weekends'],
  ['--start 2026-12-01 --due 2026-12-04 --work-on-weekends', { dates: { workOnWeekends: false } }, 'dates'],
  ['--due 2026-12-04 --milestone', { dates: { type: 'Backlog' } }, 'dates'],
  // Even as planned: a duration without a start clears the dates.
  [`--dates '{"type":"Planned","duration":600}' --allow-clearing-dates`],
  ['--status Completed'],
  ['--status Completed', { status: 'Deferred' }, 'status'],
  ["--custom-status 'In review'"],
  ["--custom-status 'In review'", { customStatus: sample.published }, 'status'],
  [`--add-responsibles ${sample.bot} --remove-responsibles ${sample.ada}`],
];

for (const [flags, theirs, notOurs] of lostUpdates) {
  const then = theirs ? `then ${JSON.stringify(theirs)}` : 'nothing else';
  test(`without a response to ${flags}, and ${then}: ${notOurs ? 'asked about' : 'undone'}`, async (context) => {
    const service = await emulated(context);
    const { wm, task } = service;
    const shown = async () => {
      const { dates, status, customStatusId, responsibleIds } = await task(id);
      return { dates: without(dates, 'workOnWeekends'), status, customStatusId, responsibleIds };
    };
    const before = await shown();
    await lose(service, ...wordsOf(flags));
    if (theirs) await ben(service, theirs);
    const undone = await wm(['task', 'undo', id, '--yes'], { exit: notOurs ? 2 : 0 });
    const question = `Not undone: ${notOurs} of ${id} may not be from your update`;
    assert.equal(undone.errors.includes(question), notOurs !== undefined, undone.errors);
    assert.equal(isDeepStrictEqual(await shown(), before), notOurs === undefined);
  });
}

test('without a response to --no-work-on-weekends: a task that shows no weekends has none', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  await wm(['task', 'update', id, '--work-on-weekends'], { exit: 0 });
  await lose(service, '--no-work-on-weekends');
  const http = alteringTasks(({ dates, ...shown }) => ({
    ...shown,
    dates: dates.workOnWeekends ? dates : without(dates, 'workOnWeekends'),
  }));
  await wm(['task', 'undo', id, '--yes'], { world: { http }, exit: 0 });
  assert.equal((await task(id)).dates.workOnWeekends, true);
});

test('after two rows, one without a response: changes by others and changes of unknown origin are listed separately', async (context) => {
  const service = await emulated(context);
  const { wm, control } = service;
  const rows = [
    { id, importance: 'High' },
    { id, title: 'ours' },
  ];
  await control('faults', { request: 'updateTask', delayMs: 0, times: 1 });
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await wm(bulk, { input, world: { clock }, exit: 8 });
  await ben(service, { importance: 'Low', title: 'theirs' });
  const notUndone = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  const both = `Not undone: importance of ${id} changed since your update, and title of ${id} may not be from your update`;
  assert.ok(notUndone.errors.includes(both), notUndone.errors);
});

test('on a terminal: does not say that another user made a change that may be ours', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const wide = { columns: 200, environment: { NO_COLOR: '1' } };
  const fault = 'wm emulator fault updateTask --cut-after 0 --when after --times 3 -q';
  assert.equal(await openInProcess(context, stage, fault, wide).ended, 0);
  const lost = openInProcess(context, stage, `wm task update ${id} --title ours`, wide);
  assert.equal(await lost.ended, 9, lost.text);
  await ben(stage, { title: 'theirs' });
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  await undo.shows('This may not be from your update: title. It is now: theirs.');
  await undo.shows('Overwrite what may have changed since your update (title)? (y/N)', key.enter);
  assert.equal(await undo.ended, 2);
});

test('on a terminal: changes by another user have their own prompt', { skip }, async (context) => {
  const stage = await setStage(context);
  const { emulator } = stage;
  const wide = { columns: 200, environment: { NO_COLOR: '1' } };
  const titleOf = async () => (await call(emulator, 'GET', `/tasks/${id}`)).body.data[0].title;
  const updated = openInProcess(context, stage, `wm task update ${id} --title ours`, wide);
  assert.equal(await updated.ended, 0);
  await ben(stage, { title: 'theirs' });
  // A yes given beforehand is none to this.
  const notUndone = openInProcess(context, stage, `wm task undo ${id} --yes`, wide);
  await notUndone.shows(/title:? +theirs -> Write the launch page/);
  await notUndone.shows(
    /This has changed since your update: title\. Your update set it to: ours\. It is now: theirs\./,
  );
  await notUndone.shows('Overwrite what has changed since your update (title)? (y/N)', key.enter);
  assert.equal(await notUndone.ended, 2);
  assert.equal(await titleOf(), 'theirs');
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  await undo.shows('Undo the last update of "theirs"? (y/N)');
  // While it asks, they change it once more: it is shown, and asked about again.
  await ben(stage, { title: 'later' });
  undo.type(`y${key.enter}`);
  await undo.shows('The task changed while you were deciding.');
  await undo.shows(/title:? +later -> Write the launch page/);
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  await undo.shows('Undo the last update of "later"? (y/N)', `y${key.enter}`);
  await undo.shows(/title:? +later -> Write the launch page/);
  assert.equal(await undo.ended, 0);
  assert.equal(await titleOf(), 'Write the launch page');
  const redo = openInProcess(context, stage, `wm task undo ${id} --yes`, wide);
  assert.equal(await redo.ended, 0, redo.text);
  assert.equal(await titleOf(), 'later');
});
