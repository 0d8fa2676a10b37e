// Bulk runs that ended early, on a terminal: --restart asks, and while one wm asks, no other one continues.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

const { task: first, backlog: second } = sample;

test('on a terminal --restart prompts, and a no leaves the journal unchanged', { skip }, async (context) => {
  const stage = await setStage(context);
  const journal = join(stage.folder, 'journal');
  const path = `${journal}.csv`;
  await writeFile(path, `id,title\n${first},a\n${second},b\n`);
  const line = `wm task update --from ${path} --journal ${journal}`;
  const once = openTerminal(context, stage, `${line} --yes`);
  assert.equal(await once.ended, 0);
  const finished = await readFile(journal, 'utf8');
  const early = finished.replace(/\{"finished".*\n/, '').replace('{"updated":3}\n', '');
  await writeFile(journal, early);
  const ask = async (key: string, status: number) => {
    const terminal = openTerminal(context, stage, `${line} --restart`);
    await terminal.shows('Start over, and update 2 tasks? An earlier run has updated 1 already.', `${key}\r`);
    assert.equal(await terminal.ended, status);
  };
  await ask('n', 2);
  assert.equal(await readFile(journal, 'utf8'), early);
  await ask('y', 0);
  assert.match(await readFile(journal, 'utf8'), /\{"finished":true\}\n\{"may-send":0\}\n$/);
});

test('while one wm asks whether to continue a run, no other wm does; a no releases the journal', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  await writeFile(join(stage.folder, 'tasks.csv'), `id,title\n${first},a\n${second},b\n`);
  const line = 'wm task update --from tasks.csv --journal journal';
  assert.equal(await openTerminal(context, stage, `${line} --yes`).ended, 0);
  const journal = join(stage.folder, 'journal');
  const early = (await readFile(journal, 'utf8'))
    .replace(/\{"finished".*\n/, '')
    .replace('{"updated":3}\n', '');
  await writeFile(journal, early);
  const asking = openTerminal(context, stage, `${line} --resume`);
  await asking.shows('Update 1 task?');
  const other = openTerminal(context, stage, `${line} --restart --yes`);
  assert.equal(await other.ended, 2);
  assert.match(other.text, /^wm: Another wm \(pid \d+\) is running this bulk update\n/);
  asking.type('n\r');
  assert.equal(await asking.ended, 2);
  assert.equal(await readFile(journal, 'utf8'), early);
  assert.equal(await openTerminal(context, stage, `${line} --resume --yes`).ended, 0);
});
