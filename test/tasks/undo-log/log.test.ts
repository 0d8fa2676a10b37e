// The undo log: one line before each update and one after it, in the file of its month, and what happens if the second
// cannot be written. test/transcript/task-undo-log.txt shows a damaged log.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files } from '#world/world.ts';

const id = sample.task;

interface Line {
  readonly task: string;
  readonly at: number;
  readonly madeAt?: number;
  readonly before?: object;
  readonly left?: Record<string, unknown>;
  readonly bulk: { readonly row: number };
}

/** The logs alone: beside them is the folder of the locks. */
async function logNames(log: string): Promise<readonly string[]> {
  return (await readdir(log)).filter((name) => name.endsWith('.ndjson'));
}

async function linesOf(folder: string): Promise<Map<string, readonly Line[]>> {
  const log = join(folder, 'config', 'state', 'undo');
  const files = new Map<string, readonly Line[]>();
  for (const name of await logNames(log)) {
    const text = await readFile(join(log, name), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    files.set(
      name.slice(-14, -7),
      lines.map((line) => JSON.parse(line)),
    );
  }
  return files;
}

test('a bulk run across the end of a month keeps the lines before and after each row in one file', async (context) => {
  const { wm, control, folder } = await emulated(context);
  const { taskIds } = (await control('tasks', { count: 130 })) as { taskIds: string[] };
  const real = createWorld();
  let reads = 0;
  /** Of the tasks that were read together first. */
  let last: string | undefined;
  const second = gate();
  const http = aroundHttp(async ({ method, url }, pass) => {
    if (method === 'GET') {
      last ??= taskIds.findLast((one) => url.includes(one));
      if (++reads === 2) second.open();
    }
    const response = await pass();
    // The last of them is under way until the others are read, in the next month.
    if (method === 'PUT' && url.includes(`/${last}?`)) await second.opened;
    return response;
  });
  const clock = { ...real.clock, now: () => Date.UTC(2026, 9, 31, 23, 59) + (reads > 1 ? 3_600_000 : 0) };
  const argv = ['task', 'update', '--from', '-', '--undoable', '--yes', '--concurrency', '2'];
  const input = taskIds.map((task) => `${JSON.stringify({ id: task, title: 'x' })}\n`).join('');
  await wm(argv, { input, world: { http, clock }, exit: 0 });
  const files = await linesOf(folder);
  assert.deepEqual([...files.keys()].toSorted(), ['2026-10', '2026-11']);
  let rows = 0;
  for (const lines of files.values()) {
    const numbers = (some: readonly Line[]) => some.map(({ bulk }) => bulk.row).toSorted((a, b) => a - b);
    const before = numbers(lines.filter((line) => line.before !== undefined));
    assert.equal(new Set(before).size, before.length);
    rows += before.length;
    const after = lines.filter((line) => line.before === undefined);
    assert.deepEqual(numbers(after), before);
    // What the response showed, and of no part that the update has not changed.
    for (const { left } of after) assert.deepEqual(left, { title: 'x' });
  }
  assert.equal(rows, taskIds.length);
  // The row that was read in one month and made in the other.
  const one = last ?? '';
  await wm(['task', 'undo', one, '--yes'], { exit: 0 });
});

/** Files of which the undo log takes no second line. */
function fullAfterOneLine(environment: Readonly<Record<string, string | undefined>>, folder: string): Files {
  const files = createFiles(environment, process.platform, folder);
  let lines = 0;
  return {
    ...files,
    stateFolder: files.stateFolder,
    async append(path, options) {
      const file = await files.append(path, options);
      if (!path.endsWith('.ndjson') || ++lines === 1) return file;
      return {
        ...file,
        write() {
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
            code: 'ENOSPC',
            syscall: 'write',
          });
        },
      };
    },
  };
}

test('an update counts without its second line, and is undone from its first', async (context) => {
  const { wm, folder, environment, task } = await emulated(context);
  const { title } = await task(id);
  const files = fullAfterOneLine(environment, folder);
  const argv = ['task', 'update', id, '--title', 'ours', '--undoable'];
  const updated = await wm(argv, { world: { files }, exit: 0 });
  assert.match(updated.errors, /Updated, but the undo log could not be written\. .*disk/);
  assert.equal((await task(id)).title, 'ours');
  assert.equal((await linesOf(folder)).values().next().value?.length, 1);
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
});

test('skips a file of another host, and one that was removed meanwhile', async (context) => {
  const { wm, folder, environment, task } = await emulated(context);
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'ours', '--undoable'], { exit: 0 });
  const log = join(folder, 'config', 'state', 'undo');
  const [name = ''] = await logNames(log);
  // The host of the first begins like ours.
  const another = name.replace('.1.', '9.2.');
  await writeFile(join(log, another), `{"task":"${id}","damaged\n`);
  const files = createFiles(environment, process.platform, folder);
  const removed = name.replace('.1.', '.2.');
  const withRemoved: Files = {
    ...files,
    stateFolder: files.stateFolder,
    list: async (path) => [...(await files.list(path)), ...(path.endsWith('undo') ? [removed] : [])],
  };
  await wm(['task', 'undo', id, '--yes'], { world: { files: withRemoved }, exit: 0 });
  assert.equal((await task(id)).title, title);
});
