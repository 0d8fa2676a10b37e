// Whatever becomes of the history (a full or broken disk, other things in its place, a wrong clock, several processes, one that
// stands still), the change is made, with one warning at most, and the history takes the next one.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { canStop, continueProcess, stopProcess } from '#test/support/process/stopped-process.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { json } from '#test/support/service/auth-service.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { historyFolder, outcomes, recordedLines, updateTask } from './recorded.ts';

const canForbid = {
  skip: process.platform === 'win32' || process.geteuid?.() === 0 ? 'as root or on Windows' : false,
};

test('a state folder that cannot be written', canForbid, async (context) => {
  const stage = await emulated(context);
  const state = join(stage.folder, 'config', 'state');
  await mkdir(state, { recursive: true, mode: 0o700 });
  await chmod(state, 0o500);
  const ran = await stage.wm(updateTask('x'));
  await chmod(state, 0o700);
  assert.equal(ran.status, 0);
  assert.match(ran.errors, /^[^\n]*Cannot record the change in the history: .*EACCES/);
});

test('something else in place of the folder or a file', async (context) => {
  const stage = await emulated(context);
  const folder = historyFolder(stage);
  const file = async () => join(folder, (await readdir(folder))[0] ?? '');
  const warned = async (pattern: RegExp) => {
    const ran = await stage.wm(updateTask('x'), { exit: 0 });
    assert.match(ran.errors, pattern);
    assert.equal(ran.errors.match(/Cannot record/g)?.length, 1, ran.errors);
  };
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
  await writeFile(folder, '');
  await warned(/Cannot record the change in the history: /);
  await rm(folder);
  await stage.wm(updateTask('x'));
  const path = await file();
  if (process.platform !== 'win32') {
    await rm(path);
    makeFifo(context, path);
    await warned(/is not a regular file/);
  }
  await rm(path);
  await mkdir(path);
  await warned(/is not a regular file/);
});

test('uses a symbolic link and a file that others can read as the user left them', {
  skip: process.platform === 'win32',
}, async (context) => {
  const stage = await emulated(context);
  await stage.wm(updateTask('x'));
  const folder = historyFolder(stage);
  const path = join(folder, (await readdir(folder))[0] ?? '');
  const elsewhere = join(stage.folder, 'elsewhere.ndjson');
  await writeFile(elsewhere, await readFile(path), { mode: 0o644 });
  await chmod(elsewhere, 0o644);
  await rm(path);
  await symlink(elsewhere, path);
  const ran = await stage.wm(updateTask('y'));
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.deepEqual(await outcomes(stage), ['done', 'done']);
  assert.equal((await stat(elsewhere)).mode & 0o777, 0o644);
});

test('a clock that goes back, or far ahead and back: keeps every change, in order', async (context) => {
  const stage = await emulated(context);
  for (const [title, date] of [
    ['first', '2026-03-10'],
    ['back', '2026-02-10'],
    ['far ahead', '2031-01-01'],
    ['right again', '2026-03-11'],
    ['next month', '2026-04-01'],
  ] as const) {
    await stage.wm(updateTask(title), { exit: 0, world: { clock: clockAt(Date.parse(date)) } });
  }
  const { output } = await stage.wm(['history']);
  assert.deepEqual(output.match(/^\d{4}-\d\d-\d\d/gm), [
    '2026-03-10',
    '2026-02-10',
    '2031-01-01',
    '2026-03-11',
    '2026-04-01',
  ]);
});

test('a change that ends in the next month is one entry, in the file of the month when it began', async (context) => {
  const stage = await emulated(context);
  let now = Date.UTC(2026, 0, 31, 23, 59, 59);
  const host = await inFront(context, stage.environment['WM_HOST'], ({ method }) => {
    if (method === 'PUT') now += 2000;
    return false;
  });
  const clock = { ...createWorld().clock, now: () => now };
  await stage.wm(updateTask('x'), { exit: 0, environment: { WM_HOST: host }, world: { clock } });
  assert.deepEqual(await readdir(historyFolder(stage)), ['changes.1.2026-01.ndjson']);
  const lines = await recordedLines(stage);
  assert.deepEqual(
    lines.map(({ at, ended }) => at ?? ended),
    ['2026-01-31T23:59:59.000Z', '2026-02-01T00:00:01.000Z'],
  );
  assert.deepEqual(await outcomes(stage), ['done']);
});

const updated = { kind: 'tasks', data: [{ id: sample.task, title: 'x' }] };

/** A process of its own, whose requests go to `host`. */
function start(test: TestContext, stage: Emulated, argv: readonly string[], host?: string): ChildProcess {
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
    env: {
      PATH: process.env['PATH'],
      ...stage.environment,
      ...(host === undefined ? {} : { WM_HOST: host }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  test.after(() => child.kill('SIGKILL'));
  return child;
}

test('concurrent processes write only complete lines', async (context) => {
  const stage = await emulated(context);
  const waiting: (() => void)[] = [];
  const count = 3;
  // All have begun their change when the first one ends it.
  const host = await inFront(context, stage.environment['WM_HOST'], ({ method, socket }, response) => {
    if (method !== 'PUT') return false;
    waiting.push(() => json(response, 200, updated));
    socket.on('error', () => {});
    if (waiting.length === count) for (const respond of waiting) respond();
    return true;
  });
  const children = Array.from({ length: count }, (_, at) =>
    start(context, stage, [...updateTask(`${at}`), '--timeout', '300'], host),
  );
  const ended = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(
    ended.map(([status]) => status),
    Array.from({ length: count }, () => 0),
  );
  const lines = await recordedLines(stage);
  assert.equal(lines.length, 2 * count);
  assert.equal(new Set(lines.map(({ change }) => change)).size, count);
  assert.deepEqual(
    await outcomes(stage),
    Array.from({ length: count }, () => 'done'),
  );
});

test('a suspended process does not block others, and ends its own entry later', canStop, async (context) => {
  const stage = await emulated(context);
  let respond = () => {};
  let sent = () => {};
  const sending = new Promise<void>((done) => {
    sent = done;
  });
  const host = await inFront(context, stage.environment['WM_HOST'], ({ method }, response) => {
    if (method !== 'PUT') return false;
    respond = () => json(response, 200, updated);
    sent();
    return true;
  });
  const child = start(context, stage, [...updateTask('frozen'), '--timeout', '600'], host);
  const ended = once(child, 'exit');
  await Promise.race([sending, ended.then(() => assert.fail('it ended before it sent anything'))]);
  await stopProcess(child.pid ?? 0);
  const other = await stage.wm(updateTask('meanwhile'));
  assert.deepEqual([other.status, other.errors], [0, '']);
  assert.deepEqual(await outcomes(stage), ['unknown', 'done']);
  respond();
  continueProcess(child.pid ?? 0);
  assert.deepEqual((await ended)[0], 0);
  assert.deepEqual(await outcomes(stage), ['done', 'done']);
});
