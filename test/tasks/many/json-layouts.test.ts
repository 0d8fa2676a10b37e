// JSON as other programs write it: objects over several lines, as jq and ConvertTo-Json do, and saved responses of the service.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-', '--yes'];

test('one object, in the format of ConvertTo-Json', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `{\r\n    "id":  "${first}",\r\n    "title":  "One"\r\n}\r\n`;
  const ran = await wm(fromInput, { input, exit: 0 });
  assert.match(ran.output, new RegExp(`^1\t${first}\tupdated\t$`, 'm'));
  assert.equal((await task(first)).title, 'One');
});

test('objects over several lines have the number of their first line; an errors file has each on one line', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const errors = join(folder, 'errors.ndjson');
  const rows = [
    { id: first, title: 'a' },
    { id: second, status: 'Nope', metadata: [{ key: 'a', value: 'b' }] },
    { id: 5 },
  ];
  const input = rows.map((row) => `${JSON.stringify(row, null, 2)}\n`).join('');
  const ran = await wm([...fromInput, '--errors', errors], { input, exit: 8 });
  assert.match(ran.output, /^1\tIEA\w+\tupdated\t$/m);
  assert.match(ran.output, /^5\tIEA\w+\tinvalid\tstatus: /m);
  assert.match(ran.output, /^15\t\tinvalid\tid: 5 is not text$/m);
  const written = await readFile(errors, 'utf8');
  const [, rest = ''] = /^\{"line":5,.*"status": "Nope", (.*)\n\{"line":15,.*\}\n$/.exec(written) ?? [];
  assert.equal(rest, '"metadata": [ { "key": "a", "value": "b" } ] }', written);
  await wm([...fromInput, '--restart'], {
    input: written.replace('"status": "Nope"', '"status": "Active"').replace(/.*"id": 5.*\n/, ''),
    exit: 0,
  });
  assert.equal((await task(first)).title, 'a');
});

test('--resume sends the rest of such a file', async (context) => {
  const { wm, task, folder, control } = await emulated(context);
  const path = join(folder, 'tasks.json');
  const rows = [
    { id: first, title: 'a' },
    { id: second, title: 'b' },
  ];
  await writeFile(path, `\n\n${rows.map((row) => `${JSON.stringify(row, null, 2)}\n`).join('')}`);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const ran = await wm(argv);
  assert.match(ran.errors, new RegExp(`unknown outcome: line 3 \\(${first}\\)`));
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.equal(resumed.errors.match(/PUT /g)?.length, 1);
  assert.equal((await task(second)).title, 'b');
});

test('a saved response of the service, and all of its pages: takes the ids of the records', async (context) => {
  const { wm, task } = await emulated(context);
  const saved = await wm(['api', 'GET', '/tasks', '-f', 'pageSize=3', '--paginate']);
  assert.match(saved.output, /"nextPageToken"/);
  const count = saved.output.match(/"permalink"/g)?.length;
  const laidOut = saved.output
    .trim()
    .split('\n')
    .map((page) => `${JSON.stringify(JSON.parse(page), null, 2)}\n`)
    .join('');
  for (const [input, importance] of [
    [saved.output, 'High'],
    [laidOut, 'Low'],
  ] as const) {
    const ran = await wm([...fromInput, '--importance', importance], { input, exit: 0 });
    assert.match(ran.errors, new RegExp(`^Skipped: all but the ids of ${count} records`, 'm'));
    assert.equal((await task(first)).importance, importance);
  }
});
