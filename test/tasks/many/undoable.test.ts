// The previous values of a bulk run: logged by default up to 1,000 rows, after one read for each hundred tasks, and before
// anything is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';

const update = ['task', 'update', '--from', '-', '--yes', '--verbose'];
const rowsOf = (ids: readonly string[]) => `id,title\n${ids.map((id) => `${id},New title\n`).join('')}`;
const methodsOf = (errors: string) => errors.match(/^(?:GET|PUT) /gm)?.map((method) => method.trim()) ?? [];
const sentence = (isShort: boolean) =>
  `For \`wm task undo\`, wm reads the tasks first, 100 in a request; if that fails, ${isShort ? 'nothing' : 'no further row'} is sent. To skip it: --no-undoable\n`;

test('up to 1,000 rows are undoable: one read per hundred, all before the first update; the plan says so', async (context) => {
  const { wm, control, task } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 1001 })) as { taskIds: string[] };
  const input = rowsOf(taskIds.slice(0, 1000));
  const planned = await wm([...update, '--dry-run'], { input });
  assert.ok(planned.errors.includes(sentence(true)), planned.errors);
  const ran = await wm(update, { input, exit: 0 });
  assert.ok(ran.errors.includes(sentence(true)));
  const methods = methodsOf(ran.errors);
  assert.equal(methods.indexOf('PUT'), 10);
  assert.equal(methods.length, 1010);
  await wm(['task', 'undo', taskIds[999] ?? '', '--yes'], { exit: 0 });
  assert.notEqual((await task(taskIds[999] ?? '')).title, 'New title');
  const long = await wm(update, { input: rowsOf(taskIds), exit: 0 });
  assert.equal(methodsOf(long.errors).includes('GET'), false);
  assert.equal(long.errors.includes('--no-undoable'), false);
  const asked = await wm([...update, '--undoable', '--restart'], { input: rowsOf(taskIds) });
  assert.ok(asked.errors.includes(sentence(false)), asked.errors);
});

test('if the second read fails, nothing is sent; --no-undoable reads nothing', async (context) => {
  const { wm, control } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 150 })) as { taskIds: string[] };
  const input = rowsOf(taskIds);
  let reads = 0;
  const http = aroundHttp(async ({ method }, pass) => {
    if (method === 'GET' && ++reads === 2)
      await control('faults', { request: 'getTasks', status: 401, times: 9 });
    return pass();
  });
  const failed = await wm(update, { input, world: { http }, exit: 4 });
  assert.equal(methodsOf(failed.errors).includes('PUT'), false);
  assert.match(
    failed.errors,
    /^wm: 150 of 150 rows were not sent\n {2}Reading the tasks for `wm task undo` failed: The service responded with 401/m,
  );
  for (const more of [['--no-undoable'], ['--undoable=false', '--restart']]) {
    const ran = await wm([...update, ...more], { input, exit: 0 });
    assert.equal(methodsOf(ran.errors).filter((method) => method === 'PUT').length, 150);
    assert.equal(methodsOf(ran.errors).includes('GET'), false);
    assert.equal(ran.errors.includes('--no-undoable\n'), false);
  }
});

test('with --rate, tasks are read for five seconds ahead, since the last row may be minutes away', async (context) => {
  const { wm, control } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 12 })) as { taskIds: string[] };
  const ran = await wm([...update, '--rate', '60', '--concurrency', '1', '--max-wait', '1m', '--dry-run'], {
    input: rowsOf(taskIds),
  });
  assert.ok(ran.errors.includes(sentence(false)), ran.errors);
});

test('a single update with --no-undoable is not logged', async (context) => {
  const { wm } = await emulated(context);
  await wm(['task', 'update', sample.task, '--title', 'New', '--no-undoable'], { exit: 0 });
  await wm(['task', 'undo', sample.task, '--yes'], { exit: 5 });
});
