// The ids and titles that commands have seen: what is stored, for whom, how much, and that no command suffers from it.

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { sample } from '#emulator/state/sample-ids.ts';
import {
  type CachedRecord,
  forgetRecords,
  readRecordCache,
  toCachedRecord,
  updateRecordCache,
} from '#local-records/record-cache.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { createFiles } from '#world/files.ts';

async function place(context: TestContext) {
  const folder = await ownFolder(context);
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform);
  return { world: { files }, folder: join(folder, 'state', 'completion') };
}

const owner = { baseUrl: 'https://api.example.com/api/v4', profile: 'work' };
const task = (id: string, title: string): CachedRecord => ({ kind: 'task', id, title });

/** The lines that a command collects. */
const linesOf = (records: readonly (Omit<CachedRecord, 'title'> & { readonly title?: string })[]) =>
  new Map(
    records.map(({ kind, id, title }) => [
      `${kind}\t${id}`,
      title === undefined ? `${kind}\t${id}` : `${kind}\t${id}\t${title}`,
    ]),
  );

test('newest first, each record once with its last title; deleted ones are gone', async (context) => {
  const { world, folder } = await place(context);
  await updateRecordCache(world, owner, linesOf([task('A1', 'one'), task('A2', 'two'), task('A3', 'three')]));
  await updateRecordCache(world, owner, linesOf([task('A1', 'changed'), { kind: 'task', id: 'A2' }]));
  assert.deepEqual(await readRecordCache(world, owner), [task('A1', 'changed'), task('A3', 'three')]);
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  const before = await readFile(path, 'utf8');
  await updateRecordCache(world, owner, linesOf([task('A3', 'three'), { kind: 'task', id: 'A2' }]));
  assert.equal(await readFile(path, 'utf8'), before, 'what is known is not written again');
});

test('separate by profile, host and port; logout clears one profile', async (context) => {
  const { world, folder } = await place(context);
  const other = { ...owner, profile: 'work.2' };
  const elsewhere = { ...owner, baseUrl: 'https://eu.example.com/api/v4' };
  const token = { baseUrl: owner.baseUrl };
  const emulator = { baseUrl: 'http://127.0.0.1:4010/api/v4' };
  const second = { baseUrl: 'http://127.0.0.1:4011/api/v4' };
  const all = [owner, other, elsewhere, token, emulator, second];
  for (const [index, cacheOwner] of all.entries())
    await updateRecordCache(world, cacheOwner, linesOf([task(`A${index}`, 'x')]));
  const idsOf = async (cacheOwner: typeof token) =>
    (await readRecordCache(world, cacheOwner)).map(({ id }) => id);
  assert.deepEqual(await Promise.all(all.map(idsOf)), [['A0'], ['A1'], ['A2'], ['A3'], ['A4'], ['A5']]);
  for (const name of await readdir(folder)) assert.match(name, /^[\w.@-]+$/, 'a file name on Windows too');
  await forgetRecords(world, 'work');
  assert.deepEqual(await Promise.all(all.map(idsOf)), [[], ['A1'], [], ['A3'], ['A4'], ['A5']]);
});

test('bounded: a full file is reduced to its newer half, and so is one that is far too long', async (context) => {
  const { world, folder } = await place(context);
  for (let round = 0; round < 8; round++) {
    const tasks = Array.from({ length: 500 }, (_, index) => task(`R${round}N${index}`, 'é'.repeat(100)));
    await updateRecordCache(world, owner, linesOf(tasks));
    const [name = ''] = await readdir(folder);
    assert.ok((await stat(join(folder, name))).size <= 256 * 1024);
  }
  const [name = ''] = await readdir(folder);
  const records = await readRecordCache(world, owner);
  assert.equal(records[0]?.id, 'R7N499');
  assert.ok(records.some(({ id }) => id === 'R6N499'));
  assert.ok(!records.some(({ id }) => id === 'R0N0'));
  await writeFile(join(folder, name), 'x'.repeat(1024 * 1024));
  assert.deepEqual(await readRecordCache(world, owner), []);
  await updateRecordCache(world, owner, linesOf([task('A1', 'one')]));
  assert.deepEqual(await readRecordCache(world, owner), [task('A1', 'one')]);
});

test('any id and any title: one line, plain ids, and read back as stored', async (context) => {
  const { world } = await place(context);
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter, maxLength: 300 })),
      ),
      async (pairs) => {
        const cacheOwner = { ...owner, profile: `p${number++}` };
        const records = pairs.flatMap(([id, title]) => toCachedRecord('webhook', id, title) ?? []);
        const titled = pairs.flatMap(([, title], index) => toCachedRecord('task', `T${index}`, title) ?? []);
        assert.equal(titled.length, pairs.length);
        await updateRecordCache(world, cacheOwner, linesOf([...records, ...titled]));
        const read = await readRecordCache(world, cacheOwner);
        assert.deepEqual(read.filter(({ kind }) => kind === 'task').toReversed(), titled);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
        for (const { id, title } of read) assert.doesNotMatch(`${id}${title}`, /[\x00-\x1f\x7f-\x9f]/);
        for (const { id } of read) assert.match(id, /^[A-Za-z0-9][A-Za-z0-9_.:=-]*$/);
      },
    ),
    { numRuns: 50 },
  );
});

test('a damaged cache does no harm, and one that other users can write is not used', async (context) => {
  const { world, folder } = await place(context);
  await updateRecordCache(world, owner, linesOf([task('A1', 'one')]));
  const [name = ''] = await readdir(folder);
  await writeFile(
    join(folder, name),
    `\0\xff\nnonsense\ntask\t$(id)\tx\nfolder\ttoo\tmany\tcells\ntask\tA2\t\x1b[31mred\n`,
  );
  assert.deepEqual(await readRecordCache(world, owner), [
    task('A2', '\ufffd[31mred'),
    { kind: 'folder', id: 'too', title: 'many' },
  ]);
  await rm(join(folder, name));
  await mkdir(join(folder, name));
  await updateRecordCache(world, owner, linesOf([task('A1', 'one')]));
  assert.deepEqual(await readRecordCache(world, owner), []);
  if (process.platform === 'win32') return;
  await rm(join(folder, name), { recursive: true });
  await chmod(join(folder, '..'), 0o777);
  await updateRecordCache(world, owner, linesOf([task('A1', 'one')]));
  assert.deepEqual(await readdir(folder), []);
});

test('commands fill the cache as they read: tasks, folders, users and webhooks, without the secrets of a URL', async (context) => {
  const stage = await setStage(context);
  const wm = async (...argv: string[]) => {
    const ran = await run(argv, { exit: 0, environment: stage.environment });
    return ran.output;
  };
  const offers = async (word: string, ...before: string[]) =>
    (await wm('__complete', 'fish', word, 'wm', ...before)).split('\n').slice(1, -1);
  assert.deepEqual(await offers('launch', 'task', 'get'), []);
  await wm('task', 'get', sample.task);
  assert.deepEqual(await offers('launch', 'task', 'get'), [`${sample.task}\tWrite the launch page`]);
  assert.deepEqual(await offers(sample.task.slice(0, 12), 'task', 'undo'), [
    `${sample.task}\tWrite the launch page`,
  ]);
  assert.deepEqual(await offers('launch', 'task', 'get', sample.task), [], 'not twice on one line');
  const created = JSON.parse(
    await wm('webhook', 'create', 'https://hooks.example.com/in?token=canary-canary', '--yes', '--json'),
  );
  const id: string = created.id ?? created[0].id;
  assert.deepEqual(await offers('', 'webhook', 'get'), [`${id}\thttps://hooks.example.com/in`]);
  await wm('webhook', 'label', id, 'Billing');
  assert.deepEqual(await offers('bill', 'webhook', 'suspend'), [
    `${id}\tBilling, https://hooks.example.com/in`,
  ]);
  await wm('webhook', 'delete', id, '--yes');
  assert.deepEqual(await offers('bill', 'webhook', 'suspend'), []);
});

test('stores nothing under CI', async (context) => {
  const stage = await setStage(context);
  const environment = { ...stage.environment, CI: '1' };
  await run(['task', 'get', sample.task], { exit: 0, environment });
  const { output } = await run(['__complete', 'fish', '', 'wm', 'task', 'get'], { environment });
  assert.doesNotMatch(output, /launch/);
});
