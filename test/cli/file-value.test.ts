// Values that a flag takes from a file or from standard input, and what is said where there is no such value.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';

const setDescription = (value: string) => ['task', 'update', sample.task, '--description', value];

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
