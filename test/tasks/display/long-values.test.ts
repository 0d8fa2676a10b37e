// A long description arrives whole, however it is given; one that is too long is invalid and nothing is sent.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const id = sample.task;
/** Every one of its characters takes six or nine bytes in a URL. */
const longText = (length: number) => 'é&+%=#\n"€x'.repeat(length / 10);

test('200,000 characters from a file, through a pipe, and in a row', async (context) => {
  const text = longText(200_000);
  const { wm, folder, task } = await emulated(context);
  await writeFile(join(folder, 'long.txt'), text);
  const update = ['task', 'update', id, '--description'];
  for (const [name, argv, input] of [
    ['a file', [...update, `@${join(folder, 'long.txt')}`], ''],
    ['a pipe', [...update, '-'], text],
    ['a row', ['task', 'update', '--from', '-', '--yes'], JSON.stringify({ id, description: text })],
  ] as const) {
    await wm([...update, name], { exit: 0 });
    await wm(argv, { input, exit: 0 });
    assert.ok((await task(id)).description === text, `by ${name} it is another text`);
  }
});

test('a million characters are valid; with one more, nothing is sent', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'long.txt');
  const update = ['task', 'update', id, '--description', `@${path}`];
  await writeFile(path, longText(1_000_000));
  const shown = await wm([...update, '--dry-run'], { exit: 0 });
  assert.ok(shown.output.endsWith(`${encodeURIComponent(longText(1_000_000))}\n`));
  await writeFile(path, `${longText(1_000_000)}x`);
  const ran = await wm([...update, '--verbose'], { exit: 2 });
  assert.match(ran.errors, /1000000|1,000,000/);
  assert.doesNotMatch(ran.errors, /PUT/);
});

test('an endless device is an invalid value, and is not read forever', {
  skip: process.platform === 'win32' && 'there is no /dev/zero',
}, async () => {
  const ran = await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--description', '@/dev/zero', '-n']);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /\/dev\/zero is larger than \d+ bytes/);
});
