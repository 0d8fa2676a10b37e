// Undo while the clock is changed: which update was the last, and which logs are kept, does not depend on the time of day.

import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import { testAnyClock } from './any-clock.ts';

const id = sample.task;
const day = 86_400_000;
const noon = Date.UTC(2026, 10, 15, 12);
const at = (milliseconds: number) => ({ world: { clock: clockAt(milliseconds) } });
const update = (task: string, title: string) => ['task', 'update', task, '--title', title, '--undoable'];
const undo = (task: string) => ['task', 'undo', task, '--yes'];

test('the clock is set years ahead, and back: no update is dropped from the log', async (context) => {
  const { wm, task } = await emulated(context);
  const before = (await task(id)).title;
  await wm(update(id, 'ours'), { ...at(noon), exit: 0 });
  // As often as somebody may try, with months of the right time in between.
  for (let month = 0; month < 3; month++) {
    for (const time of [noon + 3000 * day, noon + month * 31 * day]) {
      await wm(update(sample.backlog, 'other'), { ...at(time), exit: 0 });
    }
  }
  await wm(undo(id), { ...at(noon + 70 * day), exit: 0 });
  assert.equal((await task(id)).title, before);
});

test('the clock is set back during a bulk run: its row is the last update, and the single one during it comes before', async (context) => {
  const { wm, task } = await emulated(context);
  let now = noon;
  const clock = { ...createWorld().clock, now: () => now };
  const http = beforeUpdate(1, async () => {
    await wm(update(id, 'single'), { world: { clock }, exit: 0 });
    now -= 3 * day;
  });
  const input = [
    { id: sample.backlog, title: 'x' },
    { id, title: 'bulk' },
  ];
  const text = input.map((row) => `${JSON.stringify(row)}\n`).join('');
  const argv = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '1'];
  await wm(argv, { input: text, world: { http, clock }, exit: 0 });
  assert.equal((await task(id)).title, 'bulk');
  await wm(undo(id), { world: { clock }, exit: 0 });
  assert.equal((await task(id)).title, 'single');
});

test('the files of an older version, named only by month, come before the others', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const log = join(folder, 'config', 'state', 'undo');
  await wm(update(id, 'one'), { ...at(noon), exit: 0 });
  const logs = async () => (await readdir(log)).filter((one) => one.endsWith('.ndjson'));
  const [name = ''] = await logs();
  assert.match(name, /\.1\.2026-11\.ndjson$/);
  await rename(join(log, name), join(log, name.replace('.1.2026', '.2026')));
  await wm(undo(id), { ...at(noon + 1000), exit: 0 });
  // In the same month it goes on in the same file, and in another it begins one with a number.
  assert.equal((await logs()).length, 1);
  await wm(update(id, 'two'), { ...at(noon - 40 * day), exit: 0 });
  assert.deepEqual(
    (await logs()).map((one) => one.slice(name.length - '.1.2026-11.ndjson'.length)).toSorted(),
    ['.1.2026-10.ndjson', '.2026-11.ndjson'],
  );
  await wm(undo(id), { ...at(noon), exit: 0 });
  assert.notEqual((await task(id)).title, 'one');
  assert.notEqual((await task(id)).title, 'two');
});

test('an older version without uptime, and with several unnumbered files: the clock gives the order', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const log = join(folder, 'config', 'state', 'undo');
  const logs = async () => (await readdir(log)).filter((one) => one.endsWith('.ndjson'));
  for (const [index, time] of [noon - 70 * day, noon - 40 * day, noon, noon + 1000].entries())
    assert.equal((await wm(update(id, `title ${index}`), at(time))).status, 0);
  for (const name of await logs()) {
    const text = await readFile(join(log, name), 'utf8');
    const old = text.replace(/,"(?:uptime|madeUptime)":[\d.]+/g, '');
    assert.notEqual(old, text);
    await writeFile(join(log, name.replace(/\.\d+(\.\d{4}-\d\d\.ndjson)$/, '$1')), old);
    await rm(join(log, name));
  }
  assert.deepEqual((await logs()).map((one) => one.slice(-14)).toSorted(), [
    '2026-09.ndjson',
    '2026-10.ndjson',
    '2026-11.ndjson',
  ]);
  await wm(undo(id), { ...at(noon + 2000), exit: 0 });
  assert.equal((await task(id)).title, 'title 2');
});

test('a restart between two updates: what happened before it did not happen after the later one', async (context) => {
  const { wm, task } = await emulated(context);
  const real = createWorld().clock;
  const clockUpFor = (hours: number, time: number) => ({
    world: { clock: { ...real, now: () => time, monotonic: () => hours * 3_600_000 } },
  });
  const first = ['task', 'update', id, '--title', 'first', '--importance', 'High', '--undoable'];
  await wm(first, { ...clockUpFor(1000, noon), exit: 0 });
  const input = `${JSON.stringify({ id, title: 'bulk' })}\n`;
  // Somebody else changes it in between, without the log.
  await wm(['task', 'update', id, '--title', 'between'], { exit: 0 });
  const argv = ['task', 'update', '--from', '-', '--undoable', '--yes'];
  await wm(argv, { input, ...clockUpFor(1, noon + day), exit: 0 });
  await wm(undo(id), { ...clockUpFor(2, noon + 2 * day), exit: 0 });
  assert.equal((await task(id)).title, 'between');
});

testAnyClock(3);
