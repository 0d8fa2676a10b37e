// `--keep-start`: a due date alone on a planned task, whose start is read and sent along; for one task, several, and rows of CSV.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { run } from '#test/support/program/program.ts';
import { control } from '#test/support/service/control.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';

async function staged(context: TestContext) {
  const stage = await setStage(context);
  const { environment, folder } = stage;
  return {
    folder,
    emulator: stage.emulator,
    wm: (typed: readonly string[], input = '') => run(typed, { environment, input }),
    datesOf: async (id: string) => (await call(stage.emulator, 'GET', `/tasks/${id}`)).body.data[0].dates,
  };
}

const due = ['--due', '2026-02-12'];

test('one task: its start is sent along, and it stays planned', async (context) => {
  const { wm, datesOf } = await staged(context);
  const ran = await wm(['task', 'update', sample.task, ...due, '--keep-start']);
  assert.equal(ran.status, 0, ran.errors);
  const { type, start, due: now } = await datesOf(sample.task);
  assert.deepEqual([type, start], ['Planned', '2026-02-02T09:00:00']);
  assert.match(now, /^2026-02-12/);
});

test('the error about a due date alone suggests it, and the suggested command works', async (context) => {
  const { wm, datesOf } = await staged(context);
  const typed = ['task', 'update', sample.task, ...due];
  const refused = await wm(typed);
  assert.equal(refused.status, 2);
  assert.match(
    refused.errors,
    /\n {2}To keep it planned: --due 2026-02-12 --keep-start\. To make it a milestone: --due 2026-02-12 --milestone\n/,
  );
  assert.equal((await wm([...typed, '--keep-start', '--dry-run'])).status, 0);
  assert.match((await datesOf(sample.task)).due, /^2026-02-06/);
  assert.equal((await wm([...typed, '--keep-start'])).status, 0);
});

for (const [pick, start] of [
  ['Keep it: 2026-02-02', '2026-02-02T09:00:00'],
  ['Move it as well', '2026-02-09T09:00:00'],
  ['Cancel', undefined],
] as const)
  test(`on a terminal asks about the start: ${pick}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const typed = `wm task update ${sample.task} --due 2026-02-13`;
    const terminal = openInProcess(context, stage, typed, { columns: 200 });
    await terminal.shows(/A due date alone \(2026-02-13\) would turn/);
    await terminal.shows('What about its start?');
    await terminal.shows('Move it as well: 2026-02-09T09:00:00');
    terminal.type(`${pick}`);
    await terminal.screenShows(/1 of 3/);
    terminal.type(key.enter);
    assert.equal(await terminal.ended, start === undefined ? 2 : 0, terminal.text);
    const [task] = (await call(stage.emulator, 'GET', `/tasks/${sample.task}`)).body.data;
    assert.equal(task.dates.start, start ?? '2026-02-02T09:00:00');
    assert.match(task.dates.due, start === undefined ? /^2026-02-06/ : /^2026-02-13/);
  });

test('moves a milestone; without a start, or with a later one, sends nothing', async (context) => {
  const { wm, datesOf } = await staged(context);
  assert.equal((await wm(['task', 'update', sample.milestone, ...due, '--keep-start'])).status, 0);
  assert.equal((await datesOf(sample.milestone)).type, 'Milestone');
  const backlog = await wm(['task', 'update', sample.backlog, ...due, '--keep-start']);
  assert.equal(backlog.status, 2);
  assert.match(backlog.errors, /has no start to keep\n {2}Give --start with --due/);
  const early = await wm(['task', 'update', sample.task, '--due', '2026-01-01', '--keep-start']);
  assert.equal(early.status, 2);
  assert.match(early.errors, /starts 2026-02-02T09:00:00, after 2026-01-01/);
  assert.equal((await datesOf(sample.task)).type, 'Planned');
});

test('needs a due date without other dates', async (context) => {
  const { wm } = await staged(context);
  for (const dates of [[], ['--start', '2026-02-01', ...due], [...due, '--milestone']]) {
    const ran = await wm(['task', 'update', sample.task, '--title', 'x', ...dates, '--keep-start']);
    assert.equal(ran.status, 2);
    assert.match(ran.errors, /--keep-start needs --due, without --start, --duration or --milestone/);
  }
});

test('several tasks, and a CSV column: each keeps its own start; an unknown task is an invalid row', async (context) => {
  const { wm, datesOf, folder } = await staged(context);
  const several = await wm(['task', 'update', sample.task, sample.bug, ...due, '--keep-start', '--yes']);
  assert.equal(several.status, 0, several.errors);
  assert.equal((await datesOf(sample.bug)).start, '2026-02-09T09:00:00');
  const file = join(folder, 'tasks.csv');
  await writeFile(
    file,
    `id,due,keep-start\n${sample.task},2026-02-20,true\nIEAAAAAQKQZZZZZZ,2026-02-20,true\n`,
  );
  const rows = await wm(['task', 'update', '--from', file, '--yes']);
  assert.notEqual(rows.status, 0);
  assert.match(rows.errors, /line 3.*IEAAAAAQKQZZZZZZ/);
  await writeFile(file, `id,due,keep-start\n${sample.task},2026-02-20,true\n`);
  assert.equal((await wm(['task', 'update', '--from', file, '--yes'])).status, 0);
  const { start, due: now } = await datesOf(sample.task);
  assert.equal(start, '2026-02-02T09:00:00');
  assert.match(now, /^2026-02-20/);
  await writeFile(file, 'id,due,keep-start\nThe form loses its text,2026-02-21,true\n');
  const titled = await wm(['task', 'update', '--from', file, '--yes']);
  assert.equal(titled.status, 0, titled.errors);
  assert.match((await datesOf(sample.bug)).due, /^2026-02-21/);
});

test('the tasks of many rows, and of many ids, are read in one request', async (context) => {
  const { wm, folder, datesOf, emulator } = await staged(context);
  const ids = [sample.task, sample.bug, sample.milestone];
  const file = join(folder, 'tasks.csv');
  await writeFile(file, `id,due,keep-start\n${ids.map((id) => `${id},2026-02-20,true\n`).join('')}`);
  for (const typed of [
    ['--from', file, '--no-undoable'],
    [...ids, '--due', '2026-02-21', '--keep-start'],
  ]) {
    const ran = await wm(['task', 'update', ...typed, '--yes', '--verbose']);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.errors.match(/GET \S+\/tasks\//g)?.length, 1, ran.errors);
  }
  assert.equal((await datesOf(sample.bug)).start, '2026-02-09T09:00:00');
  // One that cannot be read is invalid, and takes no other with it.
  await writeFile(
    file,
    `id,due,keep-start\n${[...ids, 'IEAAAAAQKQZZZZZZ'].map((id) => `${id},2026-02-22,true\n`).join('')}`,
  );
  const ran = await wm(['task', 'update', '--from', file, '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.errors, /1 of 4 rows|3 of 4 rows from/);
  await control(emulator, 'POST', '/faults', { request: 'getTasks', status: 401 });
  const signedOut = await wm(['task', 'update', '--from', file, '--yes']);
  assert.deepEqual([signedOut.status, signedOut.output], [4, ''], signedOut.errors);
  // One request reads a hundred.
  const [header, line] = ['id,due,keep-start\n', `${sample.task},2026-02-23,true\n`];
  const record = { id: sample.task, dates: { due: '2026-02-23' } };
  for (const [typed, input] of [
    [[], header + line.repeat(201)],
    [['--keep-start'], `${JSON.stringify(record)}\n`.repeat(201)],
  ] as const) {
    const many = await wm(
      ['task', 'update', '--from', '-', '--yes', '--no-undoable', '--verbose', ...typed],
      input,
    );
    assert.equal(many.status, 0, many.errors.slice(-500));
    const sent = (method: string) => many.errors.match(RegExp(`^${method} \\S+/tasks/`, 'gm'))?.length;
    assert.deepEqual([sent('GET'), sent('PUT')], [3, 201]);
  }
});
