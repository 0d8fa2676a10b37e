// A query that is too long becomes a form: a service that reads forms makes the change, and one that ignores them is found out
// by its response, in a single update, a bulk run and an undo.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';

const { task: id, backlog: other } = sample;
const always = ['--query-limit', '0'];
const long = 'd'.repeat(16_000);

/** The emulator, behind a proxy that loses the body of each update: then it reads queries only. */
function withoutForms(): Http {
  const { http } = createWorld();
  return {
    send: ({ body, ...request }, options) =>
      http.send(request.method === 'PUT' || body === undefined ? request : { ...request, body }, options),
  };
}

test('with any form the emulator shows every change, and undo reverts each', async (context) => {
  const { wm } = await emulated(context);
  const changes: readonly (readonly string[])[] = [
    ['--title', ' Two  words ', '--description', long, '--status', 'Completed', '--importance', 'High'],
    ['--start', '2026-12-05', '--duration', '2d', '--work-on-weekends', '--add-parents', sample.project],
    ['--add-responsibles', `@me,${sample.ben}`, '--remove-responsibles', sample.invitation, '--no-follow'],
    ['--milestone', '--due', '2026-12-04', '--remove-shareds', sample.bot, '--add-followers', sample.ben],
  ];
  for (const change of changes) {
    await wm(['task', 'update', id, ...change, ...always, '--undoable'], { exit: 0 });
    await wm(['task', 'undo', id, ...always, '--yes', '--overwrite'], { exit: 0 });
  }
});

test('detects a service that ignores forms: one update, its undo, and a bulk run', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const [{ title }, { title: otherTitle }] = [await task(id), await task(other)];
  const world = { http: withoutForms() };
  const change = ['--title', 'New', '--description', long, '--undoable'];
  const ignored = await wm(['task', 'update', id, ...change], { world, exit: 9 });
  assert.match(
    ignored.errors,
    /it does not show title as sent\. The service may ignore forms: --query-limit BYTES/,
  );
  assert.equal((await task(id)).title, title);

  await wm(['task', 'update', id, ...change, '--query-limit', '20000'], { world, exit: 0 });
  const undo = await wm(['task', 'undo', id, '--yes', ...always], { world, exit: 9 });
  assert.match(undo.errors, /it does not show title as sent/);
  assert.equal((await task(id)).title, 'New');
  await wm(['task', 'undo', id, '--yes', '--overwrite'], { world, exit: 0 });

  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,title,description\n${id},New,${long}\n${other},New,short\n`);
  const bulk = await wm(['task', 'update', '--from', path, '--yes', '--json'], { world, exit: 8 });
  assert.match(bulk.errors + bulk.output, /it does not show title as sent/);
  assert.deepEqual([(await task(id)).title, (await task(other)).title], [title, 'New']);
  assert.notEqual(otherTitle, 'New');
});
