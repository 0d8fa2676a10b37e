// `wm task undo` run again, or twice at once: an undo whose response was lost is checked before anything is sent, and an
// undo by another wm is not undone by mistake.

import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';

const id = sample.task;

async function update({ wm }: Emulated, ...flags: readonly string[]) {
  await wm(['task', 'update', id, ...flags, '--undoable'], { exit: 0 });
}

const clock = { ...createWorld().clock, sleep: async () => {} };

/** An undo to which no response comes. `when`: whether the connection breaks before or after the service has made it. */
async function undoUnknown({ wm, control }: Emulated, when: 'before' | 'after') {
  await control('faults', { request: 'updateTask', cutAfter: 0, when, times: 3 });
  const ran = await wm(['task', 'undo', id, '--yes'], { world: { clock }, exit: 9 });
  return ran;
}

async function undo({ wm }: Emulated, ...flags: readonly string[]) {
  const ran = await wm(['task', 'undo', id, '--yes', '--verbose', ...flags]);
  return { ...ran, puts: [...ran.errors.matchAll(/^PUT /gm)].length };
}

test('an undo that took effect but lost its response: the next undo sends nothing, and only then is it done', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  await update(service, '--title', 'NEW');
  const lost = await undoUnknown(service, 'after');
  assert.doesNotMatch(lost.errors, /does no harm/);
  assert.deepEqual(printedCommand(lost.errors, 'Show the task as it is now: '), ['task', 'get', id]);
  const again = printedCommand(lost.errors, 'Run undo again; it first checks whether this one took effect: ');
  const settled = await service.wm([...again, '--verbose'], { exit: 0 });
  assert.match(
    settled.errors,
    new RegExp(`^The last undo of ${id} had already taken effect\\. Nothing was sent\\.$`, 'm'),
  );
  assert.doesNotMatch(settled.errors, /^PUT /m);
  assert.equal((await service.task(id)).title, title);
  // Its outcome is known now, and an undo is an update too.
  const redone = await undo(service);
  assert.deepEqual([redone.status, redone.puts], [0, 1], redone.errors);
  assert.equal((await service.task(id)).title, 'NEW');
});

test('an undo that died before anybody read of it: the next undo sends nothing', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  await update(service, '--title', 'NEW');
  const asItDied = join(service.folder, 'as-it-died');
  const { WM_CONFIG_DIR: config = '', ...rest } = service.environment;
  const environment = { ...rest, WM_CONFIG_DIR: asItDied };
  await run(['task', 'undo', id, '--yes'], {
    environment: service.environment,
    onOutput: () => cpSync(config, asItDied, { recursive: true }),
    exit: 0,
  });
  const settled = await run(['task', 'undo', id, '--yes'], { environment, exit: 0 });
  assert.match(settled.errors, /had already taken effect\. Nothing was sent/);
  assert.equal((await service.task(id)).title, title);
});

test('an undo that took effect, but could not be logged: a warning, and the next undo checks again', async (context) => {
  const service = await emulated(context);
  await update(service, '--title', 'NEW');
  await undoUnknown(service, 'after');
  const own = createFiles(service.environment, process.platform, service.folder);
  const append = async () => {
    throw new Error('no space left on device');
  };
  const files = { ...own, stateFolder: own.stateFolder, append };
  const settled = await service.wm(['task', 'undo', id, '--yes'], { world: { files }, exit: 0 });
  assert.match(settled.errors, /The undo log could not be written\. .*no space left/);
  const again = await undo(service);
  assert.deepEqual([again.status, again.puts], [0, 0], again.errors);
});

test('an undo that did not take effect, and lost its response, is sent again', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  await update(service, '--title', 'NEW');
  await undoUnknown(service, 'before');
  await undoUnknown(service, 'before');
  assert.equal((await service.task(id)).title, 'NEW');
  const dry = await service.wm(['task', 'undo', id, '--dry-run']);
  assert.match(dry.errors, /The outcome of the last undo of \S+ is unknown/);
  assert.match(dry.output, new RegExp(`title=${title.slice(0, 5)}`));
  const sent = await undo(service);
  assert.deepEqual([sent.status, sent.puts], [0, 1], sent.errors);
  assert.equal((await service.task(id)).title, title);
  const redone = await undo(service);
  assert.equal(redone.status, 0, redone.errors);
  assert.equal((await service.task(id)).title, 'NEW');
});

test('an undo without a response, and another user has changed the task since: sends nothing', async (context) => {
  const service = await emulated(context);
  await update(service, '--title', 'NEW');
  await undoUnknown(service, 'after');
  // Not logged, as somebody else's.
  await service.wm(['task', 'update', id, '--title', 'theirs'], { exit: 0 });
  const notUndone = await undo(service);
  assert.deepEqual([notUndone.status, notUndone.puts], [2, 0], notUndone.errors);
  assert.match(notUndone.errors, /title: NEW after your update, theirs now/);
  assert.equal((await service.task(id)).title, 'theirs');
});

test('a redo whose response was lost is settled as well, and a later update is undone first', async (context) => {
  const service = await emulated(context);
  const { title } = await service.task(id);
  await update(service, '--title', 'NEW');
  assert.equal((await undo(service)).status, 0);
  await undoUnknown(service, 'after');
  assert.equal((await service.task(id)).title, 'NEW');
  const settled = await undo(service);
  assert.deepEqual([settled.status, settled.puts], [0, 0], settled.errors);
  await undoUnknown(service, 'after');
  await update(service, '--title', 'later');
  const undone = await undo(service);
  assert.deepEqual([undone.status, undone.puts], [0, 1], undone.errors);
  assert.equal((await service.task(id)).title, title);
});

test('an undo of several requests, the second without a response, is settled as one', async (context) => {
  const service = await emulated(context);
  const { wm, control, task } = service;
  const entries = (from: number) =>
    Array.from({ length: 75 }, (_, index) => ({ key: `k${from + index}`, value: 'ours' }));
  const { metadata } = await task(id);
  const rows = [0, 75].map((from) => `${JSON.stringify({ id, metadata: entries(from) })}\n`).join('');
  const argv = ['task', 'update', '--from', '-', '--undoable', '--yes'];
  await wm(argv, { input: rows, exit: 0 });
  await control('faults', { request: 'updateTask', delayMs: 0, times: 1 });
  await undoUnknown(service, 'after');
  const settled = await undo(service);
  assert.deepEqual([settled.status, settled.puts], [0, 0], settled.errors);
  const nonEmpty = ({ value }: { value: string }) => value !== '';
  assert.deepEqual((await task(id)).metadata.filter(nonEmpty), metadata);
  assert.equal((await undo(service)).status, 0);
  assert.equal((await task(id)).metadata.length, metadata.length + 150);
});
