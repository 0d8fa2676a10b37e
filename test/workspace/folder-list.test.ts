// `wm folder list`: which folders it finds, from which requests, and what it says where there are none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { answering } from '../webhooks/records.ts';
import { idsOf, rowsOf } from './rows.ts';

test('flags filter the list, in a pipe and in JSON alike', async (context) => {
  const { wm } = await emulated(context);
  const { folder, subfolder, project, space, secondSpace, privateFolder } = sample;
  for (const [typed, ids] of [
    ['', [space, folder, subfolder, project, secondSpace, privateFolder]],
    ['--title SAL', [privateFolder]],
    ['--projects', [project]],
    ['--no-projects --depth 2', [space, folder, secondSpace, privateFolder]],
    ['--depth 1', [space, secondSpace]],
    ['--limit 2', [space, folder]],
    ['--space studio', [folder, subfolder, project]],
    [`--space ${space} --depth 1`, [folder, project]],
    ['--folder Website', [subfolder]],
    [`--folder ${secondSpace}`, [privateFolder]],
  ] as const) {
    const flags = typed.split(' ').filter(Boolean);
    const piped = await wm(['folder', 'list', ...flags]);
    assert.deepEqual([idsOf(piped.output), piped.errors, piped.status], [ids, '', 0], typed);
    const { output } = await wm(['folder', 'ls', ...flags, '--json']);
    const records: readonly { readonly id: string; readonly childIds: unknown }[] = JSON.parse(output);
    assert.deepEqual(
      records.map(({ id }) => id),
      ids,
    );
    assert.ok(records.every(({ childIds }) => Array.isArray(childIds)));
  }
});

test('nothing found: says why on standard error; JSON is an empty list', async (context) => {
  const { wm } = await emulated(context);
  const json = await wm(['folder', 'list', '--title', 'zzz', '--json']);
  assert.deepEqual([json.output, json.errors], ['[]\n', 'None of 6 folders matches.\n']);
  const inFolder = await wm(['folder', 'list', '--folder', 'Website', '--title', 'zzz']);
  assert.deepEqual([inFolder.output, inFolder.errors], ['', 'None of 1 folder matches.\n']);
  const empty = await wm(['folder', 'list', '--folder', 'Copy', '-q']);
  assert.deepEqual([empty.output, empty.errors, empty.status], ['', '', 0]);
  const { wm: elsewhere } = await answering(context, {
    'GET folders': [{ kind: 'folders', data: [] }],
    'GET spaces': [{ kind: 'spaces', data: [] }],
  });
  assert.equal((await elsewhere(['folder', 'list'])).errors, 'No folders that you can see.\n');
});

test('two folders with one title: the error lists them, and their ids work', async (context) => {
  const { emulator, wm } = await emulated(context);
  const create = async (parent: string) =>
    (await call(emulator, 'POST', `/folders/${parent}/folders?${query({ title: 'Twin' })}`)).body.data[0].id;
  const [first, second] = [await create(sample.folder), await create(sample.project)];
  const { errors } = await wm(['folder', 'list', '--folder', 'twin'], { exit: 2 });
  assert.ok(errors.includes(`${first}  Twin  in Website`), errors);
  assert.ok(errors.includes(`${second}  Twin  in Spring`), errors);
  const { output } = await wm(['folder', 'list', '--title', 'twin']);
  assert.deepEqual(
    rowsOf(output).map(([id, , , path]) => [id, path]),
    [
      [first, 'Studio / Website / Twin'],
      [second, 'Studio / Spring catalogue / Twin'],
    ],
  );
});

test('reads all pages of a list', async (context) => {
  const page = (data: readonly object[], nextPageToken?: string) => ({
    kind: 'folders',
    data,
    ...(nextPageToken === undefined ? {} : { nextPageToken }),
  });
  const { wm, asked } = await answering(context, {
    'GET folders': [
      page([{ id: 'AAAAAAAAF1', title: 'Top', childIds: ['AAAAAAAAF2'] }], 'next'),
      page([{ id: 'AAAAAAAAF2', title: 'Below', childIds: [] }]),
    ],
    'GET spaces': [{ kind: 'spaces', data: [] }],
  });
  const { output } = await wm(['folder', 'list']);
  assert.deepEqual(
    rowsOf(output).map(([, , , path]) => path),
    ['Top', 'Top / Below'],
  );
  assert.equal(asked.filter((one) => one === 'GET folders').length, 2);
});

test('accepts a list of kind folderTree; another kind is an error', async (context) => {
  const data = [{ id: 'AAAAAAAAF1', title: 'Top', childIds: [] }];
  const { wm } = await answering(context, {
    'GET folders': [{ kind: 'folderTree', data }, { kind: 'tasks', data }, { data }],
    'GET spaces': [{ kind: 'spaces', data: [] }],
  });
  assert.deepEqual(idsOf((await wm(['folder', 'list'])).output), ['AAAAAAAAF1']);
  for (const problem of ['expected kind folders, got "tasks"', 'the body has no kind']) {
    const { errors } = await wm(['folder', 'list'], { exit: 1 });
    assert.ok(errors.includes(problem), errors);
  }
});

test('looks up a folder by its id if the list does not have it', async (context) => {
  const { wm } = await answering(context, {
    'GET folders': [{ kind: 'folders', data: [{ id: 'AAAAAAAAF2', title: 'Below' }] }],
    'GET spaces': [{ kind: 'spaces', data: [{ id: 'AAAAAAAAS1', title: 'Hidden' }] }],
    'GET folders/AAAAAAAAS1': [
      { kind: 'folders', data: [{ id: 'AAAAAAAAS1', title: 'Hidden', childIds: ['AAAAAAAAF2'] }] },
    ],
    'GET folders/AAAAAAAAF9': [{ kind: 'folders', data: [{ id: 'AAAAAAAAF8', title: 'Another' }] }],
  });
  assert.deepEqual(idsOf((await wm(['folder', 'list', '--space', 'hidden'])).output), ['AAAAAAAAF2']);
  const other = await wm(['folder', 'list', '--folder', 'AAAAAAAAF9']);
  assert.deepEqual([other.status, other.output], [1, '']);
  assert.match(other.errors, /expected the record AAAAAAAAF9, got another/);
  await wm(['folder', 'list', '--folder', 'AAAAAAAAF7'], { exit: 5 });
});

test('--space and --folder together are invalid; --dry-run and --curl show both requests', async (context) => {
  const { wm, emulator } = await emulated(context);
  const both = await wm(['folder', 'list', '--space', 'Studio', '--folder', 'Website'], { exit: 2 });
  assert.match(both.errors, /--space and --folder cannot be combined/);
  const shown = await wm(['folder', 'list', '--dry-run', '--json']);
  assert.deepEqual(
    shown.output
      .split('\n')
      .filter(Boolean)
      .map((line) => new URL(JSON.parse(line).url).pathname),
    ['/api/v4/folders', '/api/v4/spaces'],
  );
  const curl = await wm(['folder', 'list', '--curl']);
  assert.equal(curl.output.match(/^curl /gm)?.length, 2);
  assert.ok(curl.output.includes(`${emulator.baseUrl}/spaces`));
});
