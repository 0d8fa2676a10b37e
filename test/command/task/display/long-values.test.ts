// A description of a million characters arrives whole, however it is given; a longer one is invalid and nothing is sent.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { run } from '../../../program.ts';
import { emulated } from '../../emulated.ts';

const id = sample.task;
const length = 1_000_000;
/** Every one of them takes six or nine bytes in a URL. */
const text = 'é&+%=#\n"€x'.repeat(length / 10);

test('from a file, through a pipe, and in a row', { timeout: 120_000 }, async (context) => {
  const { wm, folder, task } = await emulated(context);
  const description = async () => (await task(id)).description;

  await writeFile(join(folder, 'long.txt'), text);
  const update = ['task', 'update', id, '--description'];
  const ways: readonly [string, readonly string[], string?][] = [
    ['a file', [...update, `@${join(folder, 'long.txt')}`]],
    ['a pipe', [...update, '-'], text],
    ['a row', ['task', 'update', '--from', '-', '--yes'], JSON.stringify({ id, description: text })],
  ];
  for (const [name, argv, input] of ways) {
    assert.equal((await wm([...update, name])).status, 0);
    const ran = await wm(argv, input === undefined ? {} : { input });
    assert.equal(ran.status, 0, ran.errors.slice(0, 1000));
    const now = await description();
    assert.equal(now.length, text.length, name);
    assert.ok(now === text, `by ${name} it is another text`);
  }
});

test('one character more is invalid, and nothing is sent', async (context) => {
  const { wm, folder } = await emulated(context);
  await writeFile(join(folder, 'longer.txt'), `${text}x`);
  const ran = await wm([
    'task',
    'update',
    id,
    '--description',
    `@${join(folder, 'longer.txt')}`,
    '--verbose',
  ]);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /1000000|1,000,000/);
  assert.doesNotMatch(ran.errors, /PUT/);
});

test('a device that never ends is no value, and is not read for ever', {
  skip: process.platform === 'win32' && 'there is no /dev/zero',
}, async () => {
  const ran = await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--description', '@/dev/zero', '-n']);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /\/dev\/zero is larger than \d+ bytes/);
});
