// Inputs with many empty lines, and with a quote that is not closed: the right format, the right line, in one pass.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: id } = sample;
const empty = 5000;

for (const [format, header, row, wrong] of [
  ['CSV', '\ufeffid;title\n', `${id};x\n`, `${id};x;y\n`],
  ['NDJSON', '', `{"id":"${id}","title":"x"}\n`, '{"id":1}\n'],
] as const) {
  test(`${format}: thousands of empty lines at the beginning and between the rows`, async (context) => {
    const { wm, folder, task } = await emulated(context);
    const path = join(folder, 'tasks');
    const gap = '\r\n'.repeat(empty);
    const [mark, title] = header === '' ? ['', ''] : [header.slice(0, 1), header.slice(1)];
    await writeFile(path, `${mark}${gap}${title}${gap}${row}${gap}${wrong}${gap}`);
    const errors = join(folder, 'failed');
    const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', errors], { exit: 8 });
    assert.match(ran.errors, /^1 of 2 rows from \S+ will be updated \(title\); 1 is invalid:\n/);
    const at = header === '' ? 2 * empty + 1 : 2 * empty + 2;
    assert.deepEqual(
      ran.output
        .split('\n')
        .map((line) => line.split('\t')[0])
        .toSorted(),
      ['', String(at), String(at + empty + 1)],
    );
    assert.equal((await task(id)).title, 'x');
  });
}

test('reports an unclosed quote with the line where its row begins, and no other', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,title\n\n\n${id},"two\nlines"\n${id}\n${id},"open\n${`${id},x\n`.repeat(3000)}`);
  const ran = await wm(['task', 'update', '--from', path, '--yes', '--verbose'], { exit: 2 });
  assert.match(ran.errors, /tasks\.csv, line 7: a quote is opened in this row and never closed\n/);
  assert.doesNotMatch(ran.errors, /line (?!7)|PUT /);
});
