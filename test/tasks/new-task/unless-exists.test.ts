// `wm task create --if-not-exists`: several runs at once, on one machine or two. test/transcript/create.txt shows a single one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import type { Lock } from '#world/world.ts';

const title = 'Proofread the catalogue';
const create = ['task', 'create', title, '--folder', sample.folder];
const once = [...create, '--if-not-exists'];
const idOf = (output: string) => output.split('\t')[0] ?? '';

test('several runs at once on one machine create one task', async (context) => {
  const { wm } = await emulated(context);
  const runs = await Promise.all(Array.from({ length: 6 }, () => wm(once)));
  assert.deepEqual(
    runs.map(({ status }) => status),
    [0, 0, 0, 0, 0, 0],
  );
  assert.equal(new Set(runs.map(({ output }) => idOf(output))).size, 1);
});

test('if two machines each create the task, deletes neither: a warning has both permalinks', async (context) => {
  const { wm, task } = await emulated(context);
  let other = '';
  const http = aroundHttp(async ({ method }, pass) => {
    if (method === 'POST') other = idOf((await wm(create)).output);
    return pass();
  });
  const ran = await wm(once, { world: { http }, exit: 0 });
  const [own, theirs] = [await task(idOf(ran.output)), await task(other)];
  assert.notEqual(own.id, theirs.id);
  const warning = `The folder has 2 tasks of this title: ${own.permalink} and ${theirs.permalink}\n`;
  assert.ok(ran.errors.endsWith(warning), ran.errors);
  const third = await wm(once);
  assert.match(third.errors, /already exists; nothing was created\.\nThe folder has 2 tasks of this title: /);
});

test('without a lock and a second check, creates the task and warns', async (context) => {
  const { wm, control } = await emulated(context);
  const lock: Lock = {
    ...createWorld().lock,
    acquire: () => Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })),
  };
  const http = aroundHttp(async ({ method }, pass) => {
    if (method === 'POST') await control('faults', { request: 'listFolderTasks', status: 403, times: 1 });
    return pass();
  });
  const ran = await wm(once, { world: { http, lock }, exit: 0 });
  assert.match(ran.errors, /^Cannot lock out other runs that create tasks: /m);
  const id = idOf(ran.output);
  assert.match(
    ran.errors,
    new RegExp(`^Cannot check whether another task was created at the same time as ${id}: `, 'm'),
  );
});
