// An input that changes after its rows were confirmed: only confirmed rows are sent, nothing at all where it changed before
// the first of them, and what is left can be sent once the input is as it was.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import { createFiles } from '#world/files.ts';
import { bulk, confirmedOnly, csvOf, quickChanges, rows, testChanges } from './changed-input.ts';

testChanges((name) => quickChanges.includes(name));

test('a short input that changes before its rows are sent is not sent', async (context) => {
  const { wm, ids, path, argv, folder, environment } = await bulk(context);
  await writeFile(path, `id,title\n${ids[0]},confirmed\n`);
  const files = createFiles(environment, process.platform, folder);
  let reads = 0;
  const stream = async (file: string) => {
    if (file === path && ++reads === 2) await writeFile(path, `id,title\n${ids[0]},different\n`);
    return files.stream(file);
  };
  const ran = await wm([...argv, '--verbose'], { world: { files: { ...files, stream } }, exit: 2 });
  assert.doesNotMatch(ran.errors, /PUT /);
});

test('input rewritten during the confirmation: a yes sends none of it', { skip }, async (context) => {
  const stage = await setStage(context);
  const made = await fetch(`${stage.emulator.controlUrl}/tasks`, {
    method: 'POST',
    body: JSON.stringify({ count: rows }),
  });
  const { taskIds: ids }: { taskIds: string[] } = JSON.parse(await made.text());
  const path = join(stage.folder, 'tasks.csv');
  await writeFile(path, csvOf(ids, 'confirmed'));
  const terminal = openInProcess(context, stage, `wm task update --from ${path} --verbose`, {
    columns: 300,
  });
  await terminal.shows(`Update ${rows} tasks?`);
  await writeFile(path, csvOf(ids, 'different'));
  terminal.type('y\r');
  assert.equal(await terminal.ended, 2);
  assert.match(terminal.text, /tasks\.csv changed after its rows were read/);
  assert.doesNotMatch(terminal.text, /PUT /);
});

test('reads a pipe once in place of a file, and sends all of its rows', { skip }, async (context) => {
  const { wm, path, argv, folder, titles } = await bulk(context);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = pipeline(createReadStream(path), createWriteStream(pipe));
  const ran = await wm(argv.with(3, pipe));
  await writer;
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(confirmedOnly(await titles()), rows);
});
