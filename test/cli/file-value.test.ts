// Values that a flag takes from a file or from standard input, and what is said where there is no such value.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';

const setDescription = (value: string) => ['task', 'update', sample.task, '--description', value];
const megabytes16 = 16 * 1024 * 1024;

test('@FILE and - read the text from the file or standard input', async (t) => {
  const { wm, folder, task } = await emulated(t);
  await writeFile(join(folder, 'text'), 'from a file, ä');
  const description = async () => (await task(sample.task)).description;
  await wm(setDescription(`@${join(folder, 'text')}`), { exit: 0 });
  assert.equal(await description(), 'from a file, ä');
  await wm(setDescription('-'), { exit: 0, input: 'from a pipe' });
  assert.equal(await description(), 'from a pipe');
  await wm(setDescription('@@text'), { exit: 0 });
  assert.equal(await description(), '@text');
});

const at = (folder: string, name: string) => `@${join(folder, name)}`;
/** `value`: FILE is one of the folder of the test. */
const wrong: readonly (readonly [what: string, value: string, says: RegExp, input?: string | Uint8Array])[] =
  [
    ['a lone @', '@', /^wm: --description: no file name after @\n.*write @@: --description @@$/m],
    [
      'a file that is not there',
      '@FILE/none',
      /^wm: --description: \S+none does not exist\n.*write @@: --description @@\S+none$/m,
    ],
    ['a folder', '@FILE/folder', /^wm: --description: cannot read \S+folder\n.*\n.*write @@/m],
    ['an empty file', '@FILE/empty', /empty is empty\n.*--description ''$/m],
    [
      'a file of a byte order mark alone, as PowerShell writes for no output',
      '@FILE/mark',
      /mark is empty\n.*--description ''$/m,
    ],
    ['an empty pipe', '-', /standard input is empty\n.*--description ''$/m, ''],
    ['bytes that are no text', '@FILE/bytes', /bytes is neither UTF-8 nor UTF-16 text/],
    [
      'a pipe whose bytes are no text',
      '-',
      /standard input is neither UTF-8 nor UTF-16 text/,
      Uint8Array.of(0xc3, 0x28),
    ],
    ['a file of a byte more than 16 MB', '@FILE/large', /large is larger than 16777216 bytes/],
  ];

for (const [what, value, says, input = ''] of wrong) {
  test(`${what}: reported, nothing sent`, async (t) => {
    const { folder, wm, task } = await emulated(t);
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'mark'), Uint8Array.of(0xff, 0xfe));
    await writeFile(join(folder, 'bytes'), Uint8Array.of(0xc3, 0x28));
    if (what.includes('16 MB')) await writeFile(join(folder, 'large'), Buffer.alloc(megabytes16 + 1, 'x'));
    const before = await task(sample.task);
    const { errors } = await wm(setDescription(value.replace('FILE', folder)), { exit: 2, input });
    assert.match(errors, says);
    assert.deepEqual(await task(sample.task), before);
  });
}

test('standard input that is too large or breaks off is a usage error that says why', async () => {
  for (const [error, says] of [
    [
      new RangeError('standard input is larger than 16 MB'),
      /^wm: --description: standard input is larger than 16 MB\n/,
    ],
    [new Error('EIO: i/o error, read'), /^wm: --description: cannot read standard input\n {2}EIO/],
  ] as const) {
    const { streams, texts } = collectStreams({ input: { readAll: () => Promise.reject(error) } });
    const environment = { WM_TOKEN: 'x', WM_HOST: '127.0.0.1:1' };
    await run(setDescription('-'), { exit: 2, environment, world: { streams } });
    assert.match(texts.errors, says);
  }
});

test('a repeatable flag takes typed values and files in the order given', async (t) => {
  const { wm, folder, task } = await emulated(t);
  await writeFile(join(folder, 'pair'), 'second=from a file');
  const pairs = ['first=typed', at(folder, 'pair'), '-', 'fourth=@4'];
  await wm(['task', 'update', sample.task, ...pairs.flatMap((pair) => ['--metadata', pair])], {
    exit: 0,
    input: 'third=from a pipe',
  });
  assert.deepEqual((await task(sample.task)).metadata.slice(-4), [
    { key: 'first', value: 'typed' },
    { key: 'second', value: 'from a file' },
    { key: 'third', value: 'from a pipe' },
    { key: 'fourth', value: '@4' },
  ]);
});

test('standard input for two values is an error: it can be read only once', async (t) => {
  const { wm, task } = await emulated(t);
  const before = await task(sample.task);
  for (const more of [
    ['--metadata', '-', '--metadata', '-'],
    ['--description', '-', '--metadata', '-'],
  ]) {
    const { errors } = await wm(['task', 'update', sample.task, ...more], { exit: 2, input: 'a=b' });
    assert.equal(
      errors,
      `wm: Standard input can be read only once, but - is given more than once
  Use @FILE for the other values.
`,
    );
  }
  assert.deepEqual(await task(sample.task), before);
});
