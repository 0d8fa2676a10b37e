// What stands in the state folder in the place of a journal, or beside it: only the journal of this very input may stop a
// bulk, and says why.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';

const skip = process.platform === 'win32' && 'no named pipes in folders there';
const timeout = 60_000;
const { task: first, backlog: second } = sample;
const update = ['task', 'update', first, second, '--importance', 'High', '--yes'];

const day = 86_400_000;
const journal = (started: number) =>
  `${JSON.stringify({ journal: 'wm task update', version: 1, key: 'k', rows: 1, started })}\n`;

async function withFolder(context: TestContext) {
  const service = await emulated(context);
  const journals = join(service.folder, 'config', 'state', 'bulk');
  await mkdir(journals, { recursive: true });
  return { ...service, journals };
}

test('a file that is not a journal, or is unreadable, stays and blocks no run', {
  skip,
  timeout,
}, async (context) => {
  const { wm, journals, task } = await withFolder(context);
  const old = journal(0);
  const path = (name: string) => join(journals, name);
  makeFifo(context, path('a-pipe.ndjson'));
  await mkdir(path('b-folder.ndjson'));
  await symlink('c-circle.ndjson', path('c-circle.ndjson'));
  await writeFile(path('d-malformed.ndjson'), new Uint8Array([0xff, 0xfe, 0x7b, 0x0a, 0x7b]));
  await writeFile(path('e-locked-by-a-folder.ndjson'), old);
  await mkdir(path('e-locked-by-a-folder.ndjson.lock'));
  // The run that began when the old ones were old already.
  await writeFile(path('g-later.ndjson'), journal(91 * day));
  const others = await readdir(journals);
  await writeFile(path('f-old.ndjson'), old);
  await wm(update, { exit: 0 });
  assert.equal((await task(second)).importance, 'High');
  const now = await readdir(journals);
  const isOwn = (name: string) => /^[0-9a-f]{32}\./.test(name) || name === 'f-old.ndjson.lock';
  assert.deepEqual(
    now.filter((name) => !isOwn(name)).toSorted(),
    others.toSorted(),
    'the old one alone is gone, but for its lock',
  );
});

test('an old journal stays while another wm has it locked', async (context) => {
  const { wm, journals } = await withFolder(context);
  const old = join(journals, 'old.ndjson');
  await writeFile(old, journal(0));
  await writeFile(join(journals, 'later.ndjson'), journal(91 * day));
  const held = await createWorld().lock.acquire(`${old}.lock`, { timeoutMs: 0 });
  assert.ok(held);
  await wm(update, { exit: 0 });
  assert.ok((await readdir(journals)).includes('old.ndjson'));
  await held.release();
  await wm(update, { exit: 0 });
  assert.ok(!(await readdir(journals)).includes('old.ndjson'));
});

test('a clock that is set years ahead, and back, drops no journal', async (context) => {
  const { wm, journals } = await withFolder(context);
  const now = Date.UTC(2026, 10, 15);
  await writeFile(join(journals, 'unfinished.ndjson'), journal(now - 89 * day));
  for (const ahead of [1000 * day, day / 2, 1000 * day])
    assert.equal((await wm(update, { world: { clock: clockAt(now + ahead) } })).status, 0);
  assert.ok((await readdir(journals)).includes('unfinished.ndjson'));
});

test('a run that ended before sending its first row starts again without --resume', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'mine.ndjson');
  const argv = [...update, '--journal', path];
  await wm(argv, { exit: 0 });
  const [header] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, `${header}\n`);
  const ran = await wm(argv, { exit: 0 });
  assert.match(ran.errors, /^2 of 2 rows updated/m);
  // So does a run of other rows.
  await writeFile(path, `${header}\n`);
  await wm(
    argv.map((word) => (word === 'High' ? 'Low' : word)),
    { exit: 0 },
  );
});

test('an unreadable journal folder blocks no run either, if another journal is named', {
  skip,
  timeout,
}, async (context) => {
  const { wm, folder, journals } = await withFolder(context);
  await rm(journals, { recursive: true });
  await symlink('bulk', journals);
  await wm([...update, '--journal', join(folder, 'mine.ndjson')], { exit: 0 });
});

const places: readonly [string, (context: TestContext, path: string) => unknown, RegExp, number][] = [
  ['a named pipe', makeFifo, /\.ndjson is not the journal of a bulk run\n {2}.*remove this one/, 2],
  [
    'a folder',
    (_, path) => mkdir(path),
    /\.ndjson is not the journal of a bulk run\n {2}.*remove this one/,
    2,
  ],
  ['another text', (_, path) => writeFile(path, '{}\n'), /\.ndjson is not the journal of a bulk run\n/, 2],
  [
    'a circle of links',
    (_, path) => symlink(path, path),
    /Cannot open \S+\.ndjson\n {2}its symbolic links form a loop/,
    1,
  ],
];

for (const [name, make, message, status] of places) {
  test(`in the place of its own journal: ${name}`, { skip, timeout }, async (context) => {
    const { wm, journals, task } = await withFolder(context);
    await wm(update, { exit: 0 });
    await wm(['task', 'update', first, '--importance', 'Low'], { exit: 0 });
    const [own = ''] = await readdir(journals);
    await rm(join(journals, own));
    await make(context, join(journals, own));
    for (const more of [[], ['--resume']]) {
      const ran = await wm([...update, ...more], { exit: status });
      assert.match(ran.errors, message);
    }
    assert.equal((await task(first)).importance, 'Low');
    assert.deepEqual(await readdir(journals), [own, `${own}.lock`]);
  });
}
