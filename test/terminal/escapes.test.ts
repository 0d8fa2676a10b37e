// Text from the service cannot take a terminal over; in a pipe and in JSON it stays what it is.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { run } from '#test/support/program/program.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { readCell } from './read-cell.ts';

/** Colour, window title, cursor, C1 introducer, turned reading direction, bell, line ends, a tab. */
const title = 'a\x1b[31mred\x1b]0;owned\x07\x9b2J\u202egnp.exe\u202c\u2066x\r\nsecond\tline\\n';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const harmful = /[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/u;
const plain = { environment: { NO_COLOR: '1' } };

test('a title is sanitized on a terminal, and unchanged elsewhere', async (context) => {
  const stage = await setStage(context);
  const { status } = await call(stage.emulator, 'PUT', `/tasks/${sample.task}?${query({ title })}`);
  assert.equal(status, 200);

  const terminal = openInProcess(context, stage, `wm task get ${sample.task}`, plain);
  await terminal.shows(/title: +a�\[31mred�\]0;owned��2J�gnp\.exe��x second line\\n\n/);
  assert.equal(await terminal.ended, 0);
  assert.doesNotMatch(terminal.raw, harmful);
  const table = openInProcess(context, stage, `wm task get ${sample.task} ${sample.bug}`, {
    ...plain,
    columns: 300,
  });
  await table.shows('a�[31mred');
  assert.equal(await table.ended, 0);
  assert.doesNotMatch(table.raw, harmful);
  assert.equal(table.text.trimEnd().split('\n').length, 3);

  // JSON on a terminal is the same JSON, with what would be harmful as escapes.
  const json = openInProcess(context, stage, `wm task get ${sample.task} --json`, {
    ...plain,
    columns: 1000,
  });
  assert.equal(await json.ended, 0);
  assert.doesNotMatch(json.raw, harmful);
  assert.equal(JSON.parse(json.text).title, title);

  // So are the results of a filter; a string may have several lines.
  const filtered = openInProcess(
    context,
    stage,
    `wm task get ${sample.task} --jq '.title, [.title], {(.title): 1}'`,
    {
      ...plain,
      columns: 1000,
    },
  );
  assert.equal(await filtered.ended, 0);
  assert.doesNotMatch(filtered.raw, harmful);
  const [, , listed = '', keyed = ''] = filtered.text.split('\n');
  assert.deepEqual([JSON.parse(listed), JSON.parse(keyed)], [[title], { [title]: 1 }]);

  const { environment } = stage;
  const piped = async (...more: string[]) =>
    (await run(['task', 'get', sample.task, ...more], { environment })).output;
  const cell = (await piped()).split('\t')[2];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  assert.doesNotMatch(cell ?? '', /[\x00-\x1f\x7f-\x9f]/);
  assert.equal(readCell(cell ?? ''), title);
  const text = await piped('--json');
  assert.equal(JSON.parse(text).title, title);
  assert.ok(text.includes('\u202egnp.exe'), 'in a pipe it is not even escaped');
});

test('errors, names and user input are sanitized too', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  await mkdir(join(stage.folder, 'config'));
  const profile = {
    name: 'default',
    host: stage.emulator.host,
    hostSuffixes: [],
    signedInAt: 0,
    user: title,
    account: title,
  };
  await writeFile(
    join(stage.folder, 'config', 'profiles.json'),
    JSON.stringify({ format: 1, profiles: [profile] }),
  );
  const typed = "'\x1b[31m\x9b2J\u202e'";
  for (const [line, status] of [
    ['wm', 0],
    ['wm logout --no-input', 2],
    [`WM_TOKEN=${stage.emulator.token} wm webhook get ${typed}`, 5],
    [`WM_TOKEN=${stage.emulator.token} wm webhook get ${typed} --json`, 5],
    [`wm ${typed}`, 2],
    [`wm task update X --status ${typed} -n`, 2],
    [`wm task update X --title ${typed} -n`, 0],
  ] as const) {
    const terminal = openInProcess(context, stage, line, plain);
    assert.equal(await terminal.ended, status, `${line}\n${terminal.text}`);
    assert.doesNotMatch(terminal.raw, harmful, line);
  }
});
