// A bulk run, an undo and an emulator's data file on a disk that fails: every row is updated in the end, none that had a
// response is sent again, what was undone is as it was, and what was said is so.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmulator } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { tellsOfDisk } from '#test/support/disk/every-call.ts';
import type { FaultySystem } from '#test/support/disk/faulty-system.ts';
import type { Emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { World } from '#world/world.ts';
import { watchedHttp } from '../tasks/many/faulty-disk.ts';

function worldOf(
  config: string,
  folder: string,
  faulty: FaultySystem,
): Pick<World, 'files' | 'lock' | 'clock'> {
  const clock = { ...createWorld().clock, sleep: createHurriedClock().sleep };
  const environment = { WM_CONFIG_DIR: config };
  return {
    clock,
    files: createFiles(environment, process.platform, folder, undefined, faulty.system),
    lock: createLock(process.platform, clock, faulty.system),
  };
}

const linesIn = (output: string) =>
  output
    .split('\n')
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => Number(line.split('\t')[0]));

/** `ids`: of tasks that this scenario alone changes. */
export async function updatingMany(
  { wm, task, folder }: Emulated,
  ids: readonly string[],
  faulty: FaultySystem,
): Promise<string> {
  const own = join(folder, randomUUID());
  await mkdir(own);
  const title = (at: number) => `${own.slice(-8)} ${at}`;
  const input = join(own, 'rows.csv');
  await writeFile(input, ['id,title', ...ids.map((id, index) => `${id},${title(index)}`), ''].join('\n'));
  const argv = ['task', 'update', '--from', input, '--yes', '--undoable', '--concurrency', '2'];
  argv.push('--errors', join(own, 'failed.csv'));
  const environment = { WM_CONFIG_DIR: join(own, 'config') };
  const { http, sent, answered } = watchedHttp();
  const first = await wm(argv, {
    environment,
    world: { http, ...worldOf(join(own, 'config'), folder, faulty) },
  });
  faulty.mend();
  const titles = async () => (await Promise.all(ids.map((id) => task(id)))).map((item) => item.title);
  const expected = ids.map((_, index) => title(index));
  const lines = ids.map((_, index) => index + 2);
  if (first.status === 0) {
    assert.deepEqual(await titles(), expected, first.errors);
    assert.deepEqual(linesIn(first.output).toSorted(), lines);
    return 'updated';
  }
  assert.ok(tellsOfDisk(first.errors), first.errors);
  if (/Nothing was sent/.test(first.errors)) assert.deepEqual(sent, [], first.errors);
  const again = watchedHttp();
  const second = await wm([...argv, '--resume'], { environment, world: { http: again.http } });
  assert.equal(second.status, 0, `${first.errors}\n${second.errors}`);
  assert.deepEqual(await titles(), expected);
  const listed = new Set([...linesIn(first.output), ...linesIn(second.output)]);
  assert.deepEqual([...listed].toSorted(), lines, `${first.errors}\n${second.errors}`);
  const twice = again.sent.filter((id) => answered.includes(id));
  if (twice.length === 0) return sent.length === 0 ? 'not begun, as told' : 'resumed';
  assert.match(first.errors, /--resume may send the last rows( of it)? again|unknown outcome/);
  return 'resumed, and sent again what was told to be';
}

/** An update that is to be undoable, and its undo, both on that disk. */
export async function undoing(
  { wm, task, folder }: Emulated,
  id: string,
  faulty: FaultySystem,
): Promise<string> {
  const config = join(folder, randomUUID());
  const environment = { WM_CONFIG_DIR: config };
  const before = (await task(id)).title;
  const title = `changed ${config.slice(-8)}`;
  const world = worldOf(config, folder, faulty);
  const updated = await wm(['task', 'update', id, '--title', title, '--undoable'], { environment, world });
  if (updated.status !== 0) assert.ok(tellsOfDisk(updated.errors), updated.errors);
  if ((await task(id)).title !== title) {
    assert.notEqual(updated.status, 0);
    return 'not updated, as told';
  }
  const first = await wm(['task', 'undo', id, '--yes'], { environment, world });
  faulty.mend();
  if (first.status === 0) {
    assert.equal((await task(id)).title, before, first.errors);
    return updated.status === 0 ? 'undone' : 'updated with a fault, undone';
  }
  assert.ok(tellsOfDisk(first.errors), first.errors);
  if (/Nothing was sent/.test(first.errors)) assert.equal((await task(id)).title, title, first.errors);
  if ((await task(id)).title === title) {
    const second = await wm(['task', 'undo', id, '--yes'], { environment });
    assert.equal(second.status, 0, `${updated.errors}\n${first.errors}\n${second.errors}`);
    assert.equal((await task(id)).title, before);
    return 'undone the second time';
  }
  assert.equal((await task(id)).title, before, first.errors);
  return 'undone, and told what failed';
}

/** An emulator that saves its data: a change that it accepts is there after a restart, or it says that it is not. */
export async function persisting(folder: string, faulty: FaultySystem): Promise<string> {
  const own = join(folder, randomUUID());
  await mkdir(own);
  const dataFile = join(own, 'data.json');
  const real = createWorld();
  const start = async (world: Partial<World>) => startEmulator({ ...real, ...world }, { dataFile });
  const earlier = await start({});
  assert.ok(!('fault' in earlier));
  assert.equal(await earlier.close(), undefined);

  const { files, lock } = worldOf(own, own, faulty);
  const emulator = await start({ files, lock });
  const title = `saved ${own.slice(-8)}`;
  let word = 'not started, as told';
  let isSaved = false;
  if ('fault' in emulator) assert.ok(tellsOfDisk(emulator.detail), emulator.detail);
  else {
    const response = await fetch(`${emulator.baseUrl}/tasks/${sample.task}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${emulator.token}` },
      body: new URLSearchParams({ title }),
    });
    assert.equal(response.status, 200, await response.text());
    const unsaved = await emulator.close();
    isSaved = unsaved === undefined;
    if (unsaved) assert.ok(tellsOfDisk(unsaved.detail), unsaved.detail);
    word = isSaved ? 'saved' : 'not saved, as told';
  }
  faulty.mend();
  const next = await start({});
  assert.ok(!('fault' in next), `${word}: ${'fault' in next ? next.detail : ''}`);
  const read = await fetch(`${next.baseUrl}/tasks/${sample.task}`, {
    headers: { Authorization: `Bearer ${next.token}` },
  });
  const text = await read.text();
  assert.equal(await next.close(), undefined);
  if (isSaved) assert.ok(text.includes(title), 'said to be saved, and is not');
  const leftovers = (await readdir(own)).filter((name) => !['data.json', 'data.json.lock'].includes(name));
  assert.deepEqual(leftovers, []);
  return word;
}
