// The undo log: one line before each update and one after it, in the file of its month, and what happens if the second
// cannot be written.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
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

test('a line that does not match its update does not prevent the undo', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'ours', '--undoable'], { exit: 0 });
  const log = join(folder, 'config', 'state', 'undo');
  const [name = ''] = await logNames(log);
  const text = await readFile(join(log, name), 'utf8');
  await writeFile(join(log, name), text.replace(/"left":\{[^}]*\}/, '"left":{"title":7,"dates":"none"}'));
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
});

test('leaves a parameter sent by a newer version alone and restores the others', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'ours', '--undoable'], { exit: 0 });
  const log = join(folder, 'config', 'state', 'undo');
  const [name = ''] = await logNames(log);
  const text = await readFile(join(log, name), 'utf8');
  const newer = text.replace('"sent":{', '"sent":{"addReactions":["+1"],');
  assert.notEqual(newer, text);
  await writeFile(join(log, name), newer);
  const dry = await wm(['task', 'undo', id, '--dry-run', '--json']);
  assert.deepEqual([...new URL(JSON.parse(dry.output).url).searchParams], [['title', title]]);
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

test('the log has no updates without a host', async (context) => {
  const { folder } = await emulated(context);
  const environment = { WM_CONFIG_DIR: join(folder, 'empty') };
  const files = createFiles(environment, process.platform, folder);
  const ran = await run(['task', 'undo', id, '--dry-run'], { environment, world: { files } });
  assert.equal(ran.status, 5, ran.errors);
  assert.ok(ran.errors.includes(`The undo log has no update of ${id}`), ran.errors);
});

/** How a disk, or a crash, may leave the two lines of the last update. */
const damages: readonly [what: string, damage: (begin: string, end: string) => readonly string[]][] = [
  ['its beginning cut short', (begin, end) => [begin.slice(0, begin.length / 2), end]],
  ['its beginning cut short, without an end', (begin) => [begin.slice(0, begin.length / 2)]],
  ['the first half of its beginning lost', (begin, end) => [begin.slice(begin.length / 2), end]],
  ['no beginning', (_, end) => [end]],
  ['its first bytes lost', (begin) => [begin.slice(1)]],
  ['no values before', (begin) => [begin.replace(/"before":.*$/, '"x":0}')]],
  [
    'a beginning of which a value is none',
    (begin, end) => [begin.replace('"title":"two"', '"title":2'), end],
  ],
  ['its end cut short', (begin, end) => [begin, end.slice(0, -2)]],
  ['a number for what it sent', (begin, end) => [begin.replace(/"sent":\{[^}]*\}/, '"sent":7'), end]],
];

for (const [what, damage] of damages) {
  test(`the last update has ${what} in the log: names it, and does not undo an older one instead`, async (context) => {
    const { wm, folder, task } = await emulated(context);
    for (const title of ['one', 'two']) {
      await wm(['task', 'update', id, '--title', title, '--undoable'], { exit: 0 });
    }
    const log = join(folder, 'config', 'state', 'undo');
    const [name = ''] = await logNames(log);
    const lines = (await readFile(join(log, name), 'utf8')).split('\n').filter((line) => line !== '');
    const [, , begin = '', end = ''] = lines;
    assert.match(end, /"left":\{"title":"two"\}/);
    const damaged = [...lines.slice(0, 2), ...damage(begin, end)];
    await writeFile(join(log, name), `${damaged.join('\n')}\n`);
    for (const more of [['--yes'], ['--yes', '--overwrite'], ['--dry-run']]) {
      const notUndone = await wm(['task', 'undo', id, '--verbose', ...more], { exit: 2 });
      assert.ok(
        notUndone.errors.includes(`The undo log has a damaged entry for ${id}; the last update is unknown`),
        notUndone.errors,
      );
      assert.match(notUndone.errors, new RegExp(`${name.replaceAll('.', '\\.')}, line [34], cannot be read`));
      assert.doesNotMatch(notUndone.errors, /^PUT /m);
      const get = printedCommand(notUndone.errors, 'Show the task as it is now: ');
      await wm(get, { exit: 0 });
    }
    assert.equal((await task(id)).title, 'two');
    // A later update is told from it.
    await wm(['task', 'update', id, '--title', 'three', '--undoable'], { exit: 0 });
    await wm(['task', 'undo', id, '--yes'], { exit: 0 });
    assert.equal((await task(id)).title, 'two');
  });
}
