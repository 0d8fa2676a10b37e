// `wm task undo` after somebody else changed the task: values are compared, not times. A value that differs from what our
// update left is listed, and overwritten only after a confirmation of its own.

import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

async function update({ wm }: Emulated, ...flags: readonly string[]) {
  await wm(['task', 'update', id, ...flags, '--undoable'], { exit: 0 });
}

const clock = { ...createWorld().clock, sleep: async () => {} };

/** An update to which no response comes. */
async function lose({ wm, control }: Emulated, ...flags: readonly string[]) {
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  await wm(['task', 'update', id, ...flags, '--undoable'], { world: { clock }, exit: 9 });
}

const contested: readonly [name: string, flags: string, theirs: Record<string, unknown>, ours: RegExp][] = [
  ['title', '--title ours', { title: 'theirs' }, /title: ours after your update, theirs now/],
  [
    'description',
    '--description ours',
    { description: '<b>theirs</b>' },
    /ours after your update, <b>theirs<\/b> now/,
  ],
  ['importance', '--importance High', { importance: 'Low' }, /High after your update, Low now/],
  [
    'status',
    '--status Completed',
    { status: 'Deferred' },
    /Completed \w+ after your update, Deferred \w+ now/,
  ],
  [
    'dates',
    '--start 2026-12-01 --due 2026-12-04',
    { dates: { workOnWeekends: true } },
    /2026-12-04T17:00:00, \S+ min after your update, .*, with weekends now/,
  ],
  [
    'metadata source',
    '--metadata source=ours',
    { metadata: [{ key: 'source', value: 'theirs' }] },
    /ours after/,
  ],
  [
    `custom field ${sample.text}`,
    '--custom-field Colours=ours',
    { customFields: [{ id: sample.text, value: 'theirs' }] },
    /ours after your update, theirs now/,
  ],
  [
    'effort',
    '--effort-mode Basic --total-effort 3h',
    { effortAllocation: { mode: 'Basic', totalEffort: 60 } },
    /"totalEffort":180.* after your update, .*"totalEffort":60/,
  ],
];

for (const [name, flags, theirs, says] of contested) {
  test(`another user's ${name} is named, and not overwritten without --overwrite`, async (context) => {
    const service = await emulated(context);
    const { wm, task } = service;
    const before = await task(id, fields);
    await update(service, ...wordsOf(flags));
    // At once: there is no time in which a change of theirs is taken for ours.
    await ben(service, theirs);
    const changed = await task(id, fields);
    // What is given beforehand makes no difference, whatever has changed.
    const others = name === 'title' ? [[], ['--no-input'], ['--yes', '--no-input']] : [];
    for (const more of [['--yes'], ...others]) {
      const undone = await wm(['task', 'undo', id, '--verbose', ...more], { exit: 2 });
      assert.ok(undone.errors.includes(`${name} of ${id} changed since your update`), undone.errors);
      assert.match(undone.errors, says);
      assert.match(undone.errors, /--overwrite/);
      assert.doesNotMatch(undone.errors, /^PUT /m);
      assert.equal(undone.output, '');
    }
    assert.deepEqual(await task(id, fields), changed);
    const unconfirmed = await wm(['task', 'undo', id, '--overwrite'], { exit: 2 });
    assert.match(unconfirmed.errors, /Not confirmed/);
    await wm(['task', 'undo', id, '--yes', '--overwrite'], { exit: 0 });
    const { updatedDate: _, completedDate: _completed, ...now } = await task(id, fields);
    const { updatedDate: _before, ...then } = before;
    assert.deepEqual(
      { ...now, dates: { workOnWeekends: false, ...now.dates } },
      { ...then, dates: { workOnWeekends: false, ...then.dates } },
    );
  });
}

test('a part that another user has restored is not undone again; the rest is undone without an extra prompt', async (context) => {
  const service = await emulated(context);
  const { title, importance } = await service.task(id);
  await update(service, '--title', 'ours', '--importance', 'High', '--billing-type', 'NonBillable');
  await ben(service, { title, billingType: 'Billable' });
  const undone = await service.wm(['task', 'undo', id, '--yes', '--verbose'], { exit: 0 });
  assert.match(undone.errors, new RegExp(`^PUT \\S+\\?importance=${importance} `, 'm'));
  // And where they have put back all of it, nothing is sent.
  await update(service, '--title', 'again');
  await ben(service, { title });
  const nothing = await service.wm(['task', 'undo', id, '--yes', '--verbose'], { exit: 2 });
  assert.match(nothing.errors, /Nothing to undo: \S+ is as it was before its last update/);
  assert.doesNotMatch(nothing.errors, /^PUT /m);
});

test('a part that the update did not change is never restored, even if another user has changed it since', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  // The title is named, and stays as it was.
  await update(service, '--title', title, '--importance', 'High');
  await ben(service, { title: 'theirs', description: 'theirs', metadata: [{ key: 'theirs', value: '1' }] });
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await service.task(id);
  assert.deepEqual([now.title, now.description, now.importance], ['theirs', 'theirs', 'Normal']);
  assert.equal(now.metadata.length, 2);
});

test('two users change one list: undo reverts only what our update added or removed', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const people = ['--add-responsibles', sample.ada, '--remove-responsibles', sample.ben];
  await update(service, ...people, '--add-parents', sample.project, '--add-followers', sample.bot);
  await ben(service, {
    addResponsibles: [sample.bot],
    removeResponsibles: [sample.invitation],
    addParents: [sample.subfolder],
    removeParents: [sample.project],
    addFollowers: [sample.ben],
  });
  const undone = await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await task(id);
  assert.deepEqual(now.responsibleIds.toSorted(), [sample.ben, sample.bot].toSorted());
  assert.deepEqual(now.parentIds.toSorted(), [sample.folder, sample.subfolder].toSorted());
  // Theirs is not among what could not be undone.
  assert.match(undone.errors, new RegExp(`Cannot be undone: the follower ${sample.bot}:`));
  assert.doesNotMatch(undone.errors, new RegExp(`the follower ${sample.ben}`));
});

test('an element that was there already, or gone already, is not ours', async (context) => {
  const service = await emulated(context);
  await update(
    service,
    '--add-responsibles',
    `${sample.ben},${sample.ada}`,
    '--remove-parents',
    sample.project,
  );
  await ben(service, { removeResponsibles: [sample.ben], addParents: [sample.project] });
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const now = await service.task(id);
  assert.deepEqual(now.responsibleIds, []);
  assert.ok(now.parentIds.includes(sample.project));
});

const bulk = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];

test('a bulk run: reports by value what another user changed between its rows and the undo', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const rows = [
    {
      id,
      title: 'one',
      description: 'a <i>b</i><script>c</script>',
      dates: { start: '2026-12-01', duration: 600 },
    },
    { id, title: 'two', effortAllocation: { mode: 'Basic', totalEffort: 60 } },
  ];
  const { title } = await task(id);
  const input = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await wm(bulk, { input, exit: 0 });
  await ben(service, { title: 'one' });
  const notUndone = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  assert.match(notUndone.errors, /title: two after your update, one now/);
  // What the service made of the description and of the dates is what the update left.
  assert.match(notUndone.errors, /title of \S+ changed since your update/);
  await ben(service, { title: 'two' });
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
});

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

test('undoes from the log of an older version, which has no values left by its updates', async (context) => {
  const service = await emulated(context);
  const { wm, folder, task } = service;
  const { title } = await task(id);
  await update(service, '--title', 'ours', '--importance', 'High', '--add-responsibles', sample.ada);
  const log = join(folder, 'config', 'state', 'undo');
  const [name = ''] = (await readdir(log)).filter((one) => one.endsWith('.ndjson'));
  const lines = (await readFile(join(log, name), 'utf8')).split('\n').filter((line) => line !== '');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /"left":/);
  const old = (lines[0] ?? '').replaceAll(',"readAt"', ',"_"');
  await writeFile(join(log, name), `${old}\n`);
  await ben(service, { importance: 'Low' });
  const notUndone = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  assert.match(notUndone.errors, /importance of \S+ may not be from your update/);
  // The second line of an older version says only when it was made.
  await appendFile(
    join(log, name),
    `{"task":"${id}","at":${JSON.parse(old).at},"madeAt":${JSON.parse(old).at}}\n`,
  );
  await ben(service, { importance: 'High' });
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
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

test('a response without the tags of a custom field is not taken for the result of the update', async (context) => {
  const service = await emulated(context);
  const before = (await service.task(id)).customFields;
  await update(service, '--custom-field', 'Colours=<b>ours</b>', '--plain-text-custom-fields');
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const after = (await service.task(id)).customFields;
  for (const field of before)
    assert.ok(
      after.some((one: object) => isDeepStrictEqual(one, field)),
      field.id,
    );
});
