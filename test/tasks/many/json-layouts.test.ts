// JSON as other programs write it: objects over several lines, as jq and ConvertTo-Json do, and saved responses of the service.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;

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
