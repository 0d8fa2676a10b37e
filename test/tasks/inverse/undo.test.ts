// `wm task undo` of bulk runs, and how long a log stays. any-update.test.ts shows that undo restores every part, and
// test/transcript/task-undo.txt and task-undo-log.txt what it cannot.

import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock } from '#world/world.ts';

const id = sample.task;

test('a bulk run with --undoable reads a hundred at a time, and each of its tasks can be restored', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 210 })) as { taskIds: string[] };
  const path = join(folder, 'tasks.csv');
  await writeFile(
    path,
    `id,title\n${[...taskIds, 'IEAAAAAQKQAB5NNN'].map((one) => `${one},x`).join('\n')}\n`,
  );
  const ran = await wm(['task', 'update', '--from', path, '--undoable', '--yes', '--verbose'], { exit: 8 });
  const reads = ran.errors.match(/GET \S+\/tasks\/\S+ -> 200/g) ?? [];
  assert.ok(reads.length >= 3 && reads.length < 20, `${reads.length} reads`);
  for (const one of [taskIds[0], taskIds[209]]) {
    assert.equal((await task(one ?? '')).title, 'x');
    await wm(['task', 'undo', one ?? '', '--yes'], { exit: 0 });
    assert.match((await task(one ?? '')).title, /^Task \d+$/);
  }
});

/** Sent one after the other, from standard input. */
const bulk = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** A bulk of two rows, of another task and of this one; `between` runs while the first of them is being sent. */
function bulkWith({ wm }: Emulated, between: () => Promise<unknown>, clock: Clock = createWorld().clock) {
  const input = lines([
    { id: sample.backlog, title: 'x' },
    { id, title: 'bulk' },
  ]);
  return wm(bulk, { input, world: { http: beforeUpdate(1, between), clock } });
}

test('a row counts from its response, not from when the values before were read', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const before = (await task(id)).title;
  const between = () => wm(['task', 'update', id, '--importance', 'High', '--undoable']);
  assert.equal((await bulkWith(service, between)).status, 0);
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  const { title, importance } = await task(id);
  assert.deepEqual([title, importance], [before, 'High']);
});

test("a bulk run that takes minutes does not take its own row for another user's change", async (context) => {
  const service = await emulated(context);
  let late = 120_000;
  const clock = { ...createWorld().clock, now: () => Date.now() - late };
  const between = async () => {
    late = 0;
  };
  assert.equal((await bulkWith(service, between, clock)).status, 0);
  await service.wm(['task', 'undo', id, '--yes'], { exit: 0 });
});

test('a resumed bulk run, even in another month, is undone as one, to the values before its first row', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.ndjson');
  const argv = ['task', 'update', '--from', path, '--undoable', '--yes', '--concurrency', '1'];
  const at = (month: number, day: number) => ({ world: { clock: clockAt(Date.UTC(2026, month - 1, day)) } });
  const other = sample.backlog;
  await writeFile(
    path,
    lines([
      { id, title: 'one' },
      { id: sample.milestone, title: 'x' },
      { id, importance: 'High' },
      { id: other, title: 'y' },
      { id: other, importance: 'High' },
    ]),
  );
  const { title, importance } = await task(id);
  // All are read beforehand; the second row meets the token's end.
  await control('faults', { request: 'updateTask', delayMs: 0, times: 1 });
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  await wm(argv, { ...at(10, 31), exit: 8 });
  assert.deepEqual((await task(id)).title, 'one');
  // What somebody else has made of a task before its rows were sent is what it was before.
  await wm(['task', 'update', other, '--title', 'theirs'], { exit: 0 });
  await wm([...argv, '--resume'], { ...at(11, 2), exit: 0 });
  for (const one of [id, other]) {
    await wm(['task', 'undo', one, '--yes'], { ...at(11, 2), exit: 0 });
  }
  assert.deepEqual([(await task(id)).title, (await task(id)).importance], [title, importance]);
  assert.equal((await task(other)).title, 'theirs');
});

test('on a terminal shows the change as before -> after, and it can be undone', { skip }, async (context) => {
  const stage = await setStage(context);
  const update = openInProcess(
    context,
    stage,
    `wm task update ${id} --title 'Ship it' --importance High --billing-type NonBillable`,
  );
  await update.shows(/title:? +Write the launch page -> Ship it/);
  await update.shows(/importance:? +Normal -> High/);
  await update.shows(/billing:? +Billable -> NonBillable/);
  await update.shows(`To undo: wm task undo ${id}`);
  assert.equal(await update.ended, 0);
  assert.doesNotMatch(update.text, /assignees/);
  const undo = openInProcess(context, stage, `wm task undo ${id}`);
  await undo.shows(/title:? +Ship it -> Write the launch page/);
  await undo.shows('Undo the last update of "Ship it"?', 'y\r');
  await undo.shows(/title:? +Ship it -> Write the launch page/);
  assert.equal(await undo.ended, 0);
});

test('a log entry stays for months, and is dropped after that when a new month begins', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const records = join(folder, 'config', 'state', 'undo');
  const at = (month: number, day: number) => ({ world: { clock: clockAt(Date.UTC(2026, month - 1, day)) } });
  const update = (title: string, month: number, day: number) =>
    wm(['task', 'update', id, '--title', title, '--undoable'], at(month, day));
  const before = (await task(id)).title;
  assert.equal((await update('in August', 8, 31)).status, 0);
  const other = ['task', 'update', sample.backlog, '--title', 'x', '--undoable'];
  await wm(other, { ...at(11, 30), exit: 0 });
  const logs = async () => (await readdir(records)).filter((name) => name !== 'locks');
  assert.deepEqual((await logs()).map((name) => name.slice(-14)).toSorted(), [
    '2026-08.ndjson',
    '2026-11.ndjson',
  ]);
  await wm(['task', 'undo', id, '--yes'], { ...at(11, 30), exit: 0 });
  assert.equal((await task(id)).title, before);
  // What was undone in November is on record there.
  await wm(['task', 'undo', id, '--yes'], { ...at(12, 1), exit: 0 });
  assert.equal((await task(id)).title, 'in August');
  await wm(['task', 'undo', id, '--yes'], { ...at(13, 1), exit: 0 });
  // August was four months before December, the last that had begun until then.
  assert.deepEqual((await logs()).map((name) => name.slice(-14)).toSorted(), [
    '2026-11.ndjson',
    '2026-12.ndjson',
    '2027-01.ndjson',
  ]);
});

const posixOnly = {
  skip: process.platform === 'win32' && 'no named pipes in folders there',
  timeout: 60_000,
};

test('an old log file that cannot be deleted stops no update', posixOnly, async (context) => {
  const { wm, folder, task } = await emulated(context);
  const records = join(folder, 'config', 'state', 'undo');
  for (const name of ['a.2020-01.ndjson', 'b.2020-01.ndjson/full'])
    await mkdir(join(records, name), { recursive: true });
  await writeFile(join(records, 'c.2020-01.ndjson'), '');
  const update = ['task', 'update', id, '--title', 'one', '--undoable'];
  await wm(update, { world: { clock: clockAt(Date.UTC(2026, 5, 1)) }, exit: 0 });
  await wm(update, { world: { clock: clockAt(Date.UTC(2026, 6, 1)) }, exit: 0 });
  assert.equal((await task(id)).title, 'one');
  const left = await readdir(records);
  assert.ok(left.includes('b.2020-01.ndjson') && !left.includes('c.2020-01.ndjson'), left.join());
});
