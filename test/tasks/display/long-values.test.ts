// A description of a million characters arrives whole, however it is given; a longer one is invalid and nothing is sent.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { giveDescription, longText } from './long-values.ts';

const id = sample.task;
const text = longText(1_000_000);

test('200,000 characters from a file, through a pipe, and in a row', (context) =>
  giveDescription(context, 200_000));

test('one more character is invalid, and nothing is sent', async (context) => {
  const { wm, folder } = await emulated(context);
  await writeFile(join(folder, 'longer.txt'), `${text}x`);
  const ran = await wm(
    ['task', 'update', id, '--description', `@${join(folder, 'longer.txt')}`, '--verbose'],
    { exit: 2 },
  );
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
