// Every change that wm makes is in the history, with its outcome, and nothing of what it changed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { historyFolder, type RecordedLine, recordedLines } from './recorded.ts';

/** These members, and any others. */
const assertHas = (line: RecordedLine | undefined, members: object) =>
  assert.deepEqual({ ...line, ...members }, line);

const clock = { ...createWorld().clock, sleep: async () => {} };

test('creating and suspending a webhook: records ids, command and URL, but no event or secret', async (context) => {
  const stage = await emulated(context);
  const secret = 'a-secret-of-the-webhook';
  await stage.wm(
    ['webhook', 'create', 'http://hooks.example.com/billing', '--events', 'TaskCreated', '--json'],
    {
      exit: 2,
      environment: { WM_WEBHOOK_SECRET: secret },
      world: { clock: clockAt(Date.UTC(2026, 1, 6, 17)) },
    },
  );
  const created = await stage.wm(['webhook', 'create', 'http://hooks.example.com/billing', '--json'], {
    exit: 0,
    world: { clock: clockAt(Date.UTC(2026, 1, 6, 17)) },
  });
  const { id } = JSON.parse(created.output);
  await stage.wm(['webhook', 'pause', id, '--yes'], { exit: 0 });

  const [rejection, rejected, first, second, third, fourth, ...more] = await recordedLines(stage);
  assert.deepEqual(more, []);
  const host = stage.environment['WM_HOST'];
  assert.deepEqual(
    { ...rejection, change: '', webhook: { ...Object(rejection?.['webhook']), run: '' } },
    {
      change: '',
      webhook: { run: '', url: 'http://hooks.example.com/billing' },
      at: '2026-02-06T17:00:00.000Z',
      host,
      token: 'WM_TOKEN',
      command: 'webhook create',
      operation: 'createWebhook',
      parameters: ['hookUrl', 'secret', 'events'],
      ids: [],
    },
  );
  assert.deepEqual(
    { ...rejected, change: '' },
    { change: '', ended: '2026-02-06T17:00:00.000Z', outcome: 'failed', code: 'rejected' },
  );
  assertHas(first, { command: 'webhook create', ids: [] });
  assertHas(second, { change: first?.['change'], outcome: 'done', created: [id] });
  const suspension = { command: 'webhook suspend', operation: 'updateWebhook' };
  assertHas(third, { ...suspension, parameters: ['status'], ids: [id] });
  assertHas(fourth, { change: third?.['change'], outcome: 'done' });
  const [file = ''] = await readdir(historyFolder(stage));
  const text = await readFile(join(historyFolder(stage), file), 'utf8');
  for (const forbidden of [secret, 'TaskCreated']) assert.ok(!text.includes(forbidden), forbidden);
  if (process.platform !== 'win32')
    assert.equal((await stat(join(historyFolder(stage), file))).mode & 0o777, 0o600);
});

test('updating and undoing a task under a profile: records which parameters changed, but no values', async (context) => {
  const stage = await emulated(context, {}, { signedOut: true });
  const login = `login --with-token --host ${stage.environment['WM_HOST']} --store file --profile work`;
  await stage.wm(login.split(' '), { exit: 0, input: stage.emulator.token });
  assert.deepEqual(await recordedLines(stage), [], 'a sign-in changes nothing at the service');
  await stage.wm(['task', 'update', sample.task, '--title', 'Private plans', '--undoable'], { exit: 0 });
  await stage.wm(['task', 'undo', sample.task, '--yes', '--profile', 'work'], { exit: 0 });
  const lines = await recordedLines(stage);
  assert.deepEqual(
    lines.map(({ command, ...line }) => [command, line['profile'], line['parameters'], line['ids']]),
    [
      ['task update', 'work', ['title'], [sample.task]],
      [undefined, undefined, undefined, undefined],
      ['task undo', 'work', ['title'], [sample.task]],
      [undefined, undefined, undefined, undefined],
    ],
  );
  assert.deepEqual(
    lines.map(({ outcome }) => outcome),
    [undefined, 'done', undefined, 'done'],
  );
  assert.ok(!JSON.stringify(lines).includes('Private'));
});

test('a read, a preview and an invalid value are not changes', async (context) => {
  const stage = await emulated(context);
  for (const line of ['webhook list', `task get ${sample.task}`, 'whoami']) await stage.wm(line.split(' '));
  for (const more of [['x', '--dry-run'], ['x', '--curl'], ['a'.repeat(1001)]])
    await stage.wm(['task', 'update', sample.task, '--title', ...more]);
  assert.deepEqual(await recordedLines(stage), []);
});

test('a process killed during its request leaves a change without an outcome', async (context) => {
  const stage = await emulated(context);
  let sent = () => {};
  const sending = new Promise<void>((done) => {
    sent = done;
  });
  const host = await inFront(context, stage.environment['WM_HOST'], ({ method }) => {
    if (method === 'PUT') sent();
    return method === 'PUT';
  });
  const child = spawn(
    process.execPath,
    [resolve('bin/wm.js'), 'task', 'update', sample.task, '--status', 'Completed'],
    { env: { PATH: process.env['PATH'], ...stage.environment, WM_HOST: host }, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  await Promise.race([sending, ended.then(() => assert.fail('it ended before it sent anything'))]);
  child.kill('SIGKILL');
  await ended;
  const [line, ...more] = await recordedLines(stage);
  assert.deepEqual([line?.['operation'], line?.['ids']], ['updateTask', [sample.task]]);
  assert.deepEqual(more, []);
});

test('no response: unknown, unless reading back shows that the change was made', async (context) => {
  const stage = await emulated(context);
  const { output } = await stage.wm(['webhook', 'create', 'http://hooks.example.com/one', '--json']);
  const { id } = JSON.parse(output);
  const url = `http://${stage.environment['WM_HOST']}/api/v4/webhooks/${id}?status=Suspended`;
  const headers = { Authorization: `Bearer ${stage.emulator.token}` };
  /** The change is made, or not, and its response is lost. */
  const losing = (isMade: boolean) =>
    inFront(context, stage.environment['WM_HOST'], (request) => {
      if (request.method !== 'PUT') return false;
      void (isMade ? fetch(url, { method: 'PUT', headers }) : Promise.resolve()).then(() =>
        request.socket.destroy(),
      );
      return true;
    });
  for (const isMade of [false, true]) {
    const environment = { WM_HOST: await losing(isMade) };
    await stage.wm(['webhook', 'suspend', id, '--yes'], {
      exit: isMade ? 0 : 9,
      environment,
      world: { clock },
    });
  }
  const lines = (await recordedLines(stage)).slice(2);
  assert.deepEqual(
    lines.map(({ outcome, code }) => [outcome, code]),
    [
      [undefined, undefined],
      ['unknown', 'outcome_unknown'],
      [undefined, undefined],
      ['unknown', 'outcome_unknown'],
      ['done', undefined],
    ],
  );
  assert.equal(new Set(lines.slice(2).map(({ change }) => change)).size, 1);
});

test('a deletion with a lost response is done if the webhook is gone', async (context) => {
  const stage = await emulated(context);
  const { output } = await stage.wm(['webhook', 'create', 'http://hooks.example.com/one', '--json']);
  const { id } = JSON.parse(output);
  let isGone = false;
  const host = await inFront(context, stage.environment['WM_HOST'], (request, response) => {
    if (request.method === 'DELETE') {
      isGone = true;
      return fail(response, 500, 'server_error');
    }
    return isGone && fail(response, 404, 'resource_not_found');
  });
  await stage.wm(['webhook', 'delete', id, '--yes'], {
    exit: 0,
    environment: { WM_HOST: host },
    world: { clock },
  });
  const lines = (await recordedLines(stage)).slice(2);
  assert.deepEqual(
    lines.map(({ outcome }) => outcome),
    [undefined, 'unknown', 'done'],
  );
});

test('a bulk run is one entry with its counts, file and journal', async (context) => {
  const stage = await emulated(context);
  const file = join(stage.folder, 'rows.csv');
  await writeFile(file, `id,title\n${sample.task},Private plans\nIEAAAAAQKQNOTHERE,x\n${sample.task},\n`);
  await stage.wm(['task', 'update', '--from', file, '--yes'], { exit: 8 });
  const [begun, ended, ...more] = await recordedLines(stage);
  assert.deepEqual(more, []);
  const [journal = ''] = await readdir(join(stage.folder, 'config', 'state', 'bulk'));
  const bulk = { file, journal: join(stage.folder, 'config', 'state', 'bulk', journal), rows: 3 };
  assertHas(begun, { command: 'task update', operation: 'updateTask', ids: [], bulk });
  const counts = { updated: 1, failed: 1, invalid: 1, unknown: 0, notSent: 0 };
  const { change, ended: at, ...outcome } = ended ?? {};
  assert.ok(change && at);
  assert.deepEqual(outcome, { outcome: 'failed', code: 'part_failed', counts });
  assert.ok(!JSON.stringify([begun, ended]).includes('Private'));
});

test('one update of several tasks is one entry with their ids, up to a limit', async (context) => {
  const stage = await emulated(context);
  const ids = Array.from({ length: 101 }, (_, at) => `NOTHERE${at}`);
  await stage.wm(['task', 'update', sample.task, sample.milestone, '--title', 'x', '--yes'], { exit: 0 });
  await stage.wm(['task', 'update', ...ids, '--title', 'x', '--yes']);
  const [first, second, third, fourth] = await recordedLines(stage);
  assertHas(first, { ids: [sample.task, sample.milestone] });
  assertHas(second, { outcome: 'done' });
  assert.equal(second?.['code'], undefined);
  assertHas(third, { ids: ids.slice(0, 100), moreIds: 1 });
  assertHas(fourth, { outcome: 'failed' });
});

test('a history that cannot be written causes one warning, and every change is still made', async (context) => {
  const stage = await emulated(context);
  const made = await Promise.all(
    ['one', 'two'].map((name) =>
      stage.wm(['webhook', 'create', `http://hooks.example.com/${name}`, '--json']),
    ),
  );
  const ids = made.map(({ output }) => JSON.parse(output).id);
  const [file = ''] = await readdir(historyFolder(stage));
  const path = join(historyFolder(stage), file);
  await writeFile(path, 'not JSON\n{"change":');
  await stage.wm(['webhook', 'suspend', ...ids, '--yes']);
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.startsWith('{"change":"'));
  assert.equal(lines.length, 4, 'damage before does not matter');

  await rm(path);
  await mkdir(path);
  const ran = await stage.wm(['webhook', 'resume', ...ids, '--no-verify'], { exit: 0 });
  assert.deepEqual(ran.errors.match(/Cannot record the change in the history/g)?.length, 1, ran.errors);
  assert.match(ran.errors, /is not a regular file/);
});

test('warns if other users can write to the folder of the history', {
  skip: process.platform === 'win32',
}, async (context) => {
  const stage = await emulated(context);
  const state = join(stage.folder, 'config', 'state');
  await mkdir(state, { recursive: true });
  await chmod(state, 0o777);
  const ran = await stage.wm(['task', 'update', sample.task, '--title', 'x'], { exit: 0 });
  assert.match(ran.errors, /Cannot record the change in the history: Other users can write to/);
  assert.deepEqual(await recordedLines(stage), []);
});

test('one file per month; files older than four months are deleted', async (context) => {
  const stage = await emulated(context);
  for (const month of [0, 1, 2, 3, 4, 5]) {
    const world = { clock: clockAt(Date.UTC(2026, month, 15)) };
    await stage.wm(['task', 'update', sample.task, '--title', `${month}`], { world });
  }
  assert.deepEqual((await readdir(historyFolder(stage))).toSorted(), [
    'changes.2.2026-02.ndjson',
    'changes.3.2026-03.ndjson',
    'changes.4.2026-04.ndjson',
    'changes.5.2026-05.ndjson',
    'changes.6.2026-06.ndjson',
  ]);
});

test('a bulk run with a row of unknown outcome has an unknown outcome itself', async (context) => {
  const stage = await emulated(context);
  const host = await inFront(context, stage.environment['WM_HOST'], (request) => {
    if (request.method !== 'PUT') return false;
    request.socket.destroy();
    return true;
  });
  const ran = await stage.wm(['task', 'update', sample.task, sample.milestone, '--title', 'x', '--yes'], {
    environment: { WM_HOST: host },
    world: { clock },
  });
  assert.notEqual(ran.status, 0);
  const [, ended] = await recordedLines(stage);
  assert.equal(ended?.['outcome'], 'unknown', ran.errors);
});
