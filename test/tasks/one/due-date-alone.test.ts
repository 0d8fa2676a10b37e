// A due date alone moves a milestone, since the task is read first. It is an error for any other task, and where the task
// cannot be read. The hints work as printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { alteringTasks, without } from '../altered-tasks.ts';

const due = ['--due', '2026-12-24'] as const;
const update = (id: string, ...more: readonly string[]) => ['task', 'update', id, ...more];

for (const [name, argv] of [
  ['--due', due],
  ['--dates', ['--dates', '{"due":"2026-12-24"}']],
] as const) {
  test(`${name} moves a milestone without --milestone`, async (context) => {
    const { wm, task } = await emulated(context);
    await wm(update(sample.milestone, ...argv), { exit: 0 });
    const { dates } = await task(sample.milestone);
    assert.equal(dates.type, 'Milestone');
    assert.equal(dates.due.slice(0, 10), '2026-12-24');
  });
}

for (const [name, id, says] of [
  ['planned', sample.task, 'it is now Planned, 2026-02-02T09:00:00 to'],
  ['backlog', sample.backlog, 'it is now Backlog'],
] as const) {
  test(`leaves a ${name} task unchanged; both alternatives in the hint work`, async (context) => {
    const { wm, task } = await emulated(context);
    const before = await task(id);
    const ran = await wm(update(id, ...due), { exit: 2 });
    assert.ok(ran.errors.includes(says), ran.errors);
    assert.deepEqual(await task(id), before);
    const [, plan = '', milestone = ''] =
      /To keep it planned: (--.*?)\. To make it a milestone: (--.*)\n/.exec(ran.errors) ?? [];
    for (const [hint, type] of [
      [plan.replace('DATE', '2026-12-01'), 'Planned'],
      [milestone, 'Milestone'],
    ] as const) {
      await wm(update(id, ...hint.split(' ')), { exit: 0 });
      const { dates } = await task(id);
      assert.equal(dates.type, type);
      assert.equal(dates.due.slice(0, 10), '2026-12-24');
    }
  });
}

test('--milestone needs no read', async (context) => {
  const { wm, task } = await emulated(context);
  const ran = await wm(update(sample.task, ...due, '--milestone', '--verbose'), { exit: 0 });
  assert.doesNotMatch(ran.errors, /GET /);
  assert.equal((await task(sample.task)).dates.type, 'Milestone');
});

for (const flag of ['--dry-run', '--curl']) {
  test(`${flag} reads the task as well: a milestone needs no flag, and any other task is an error`, async (context) => {
    const { wm } = await emulated(context);
    const shown = await wm(update(sample.milestone, ...due, flag), { exit: 0 });
    assert.match(decodeURIComponent(shown.output), /\{"due":"2026-12-24"\}/);
    const planned = await wm(update(sample.task, ...due, flag), { exit: 2 });
    assert.ok(planned.errors.includes('it is now Planned, 2026-02-02T09:00:00 to'), planned.errors);
  });

  test(`${flag} of a task that cannot be read needs --milestone, which reads nothing`, async (context) => {
    const server = await startRawServer(() => jsonReply(403, {}));
    context.after(() => server.close());
    const environment = { WM_TOKEN: 'token', WM_HOST: server.host };
    const ran = await run(update(sample.milestone, ...due, flag), { environment });
    assert.equal(ran.status, 2);
    assert.ok(ran.errors.includes('--due 2026-12-24 --milestone'), ran.errors);
    const reads = server.requests.length;
    const again = await run(update(sample.milestone, ...due, '--milestone', flag), { environment });
    assert.equal(again.status, 0, again.errors);
    assert.equal(server.requests.length, reads);
  });
}

test('a task without dates, and a response without the task', async (context) => {
  const { wm, task } = await emulated(context);
  const before = await task(sample.milestone);
  const noDates = { http: alteringTasks((shown) => without(shown, 'dates')) };
  const undated = await wm(update(sample.milestone, ...due), { world: noDates, exit: 2 });
  const what = `A due date alone (2026-12-24) would turn ${sample.milestone} into a milestone; it is now without dates`;
  assert.ok(undated.errors.includes(what), undated.errors);
  assert.ok(undated.errors.includes('--start DATE --due 2026-12-24.'), undated.errors);
  const noTask = { http: alteringTasks(() => undefined) };
  const missing = await wm(update(sample.milestone, ...due), { world: noTask, exit: 1 });
  const why = `expected the record ${sample.milestone}, got 0 records`;
  assert.ok(missing.errors.includes(why), missing.errors);
  assert.deepEqual(await task(sample.milestone), before);
});

test('if the task cannot be read, sends nothing, and the error says why', async (context) => {
  const { wm, task, emulator } = await emulated(context);
  const before = await task(sample.milestone);
  const sent: (string | undefined)[] = [];
  const host = await inFront(context, emulator.host, ({ method }, response) => {
    sent.push(method);
    // With a wait that is longer than the look may take.
    response.setHeader('Retry-After', '3600');
    return method === 'GET' && fail(response, 503, 'server_error');
  });
  const ran = await wm(update(sample.milestone, ...due), { environment: { WM_HOST: host }, exit: 2 });
  assert.ok(ran.errors.includes('cannot check whether it is already a milestone'), ran.errors);
  assert.ok(ran.errors.includes('--due 2026-12-24 --milestone'), ran.errors);
  assert.deepEqual([...new Set(sent)], ['GET']);
  assert.deepEqual(await task(sample.milestone), before);
});

test('without a sign-in, shows the same error as before, and sends no request', async () => {
  const ran = await run(update(sample.milestone, ...due));
  assert.equal(ran.status, 2, ran.errors);
  assert.ok(ran.errors.includes('--due 2026-12-24 --milestone'), ran.errors);
});

test('a task that does not exist is not found', async (context) => {
  const { wm } = await emulated(context);
  await wm(update('IEAAAAAQKQAB5XXX', ...due), { exit: 5 });
});

test('does not read the tasks for several ids, or for rows of a file', async (context) => {
  const { wm, task } = await emulated(context);
  const before = await task(sample.milestone);
  const input = `id,due\n${sample.milestone},2026-12-24\n`;
  for (const ran of [
    await wm(update(sample.milestone, sample.task, ...due, '--yes', '--verbose')),
    await wm(['task', 'update', '--from', '-', '--yes', '--verbose'], { input }),
  ]) {
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.includes('If the task has a start, keep it with --keep-start.'), ran.errors);
    assert.ok(ran.errors.includes('To make the task a milestone, add --milestone.'), ran.errors);
    assert.doesNotMatch(ran.errors, /(?:GET|PUT) /);
  }
  assert.deepEqual(await task(sample.milestone), before);
  const csv = `id,due,milestone\n${sample.milestone},2026-12-24,true\n`;
  await wm(['task', 'update', '--from', '-', '--yes'], { input: csv, exit: 0 });
});
