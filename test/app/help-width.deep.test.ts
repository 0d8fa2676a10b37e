// Help is as wide as the terminal, down to 40 columns: nothing of it but a line that one copies is broken by the
// terminal itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands, groups } from '#app/commands.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';

async function help(argv: readonly string[], columns: number | undefined): Promise<string> {
  const { streams, texts } = collectStreams({ isTerminal: columns !== undefined, columns: columns ?? 0 });
  await run(argv, { exit: 0, world: { streams } });
  return texts.output;
}

/** Without their places in lines: the words, in order. */
const words = (text: string) =>
  text
    .replaceAll(/^ *# /gm, '')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '#');

const pages = [
  ['--help'],
  ...groups.map(({ word }) => [word]),
  ...commands.map((row) => [...row.words.split(' '), '--help']),
  ...['dates', 'people', 'fields', 'html', 'json', 'limits', 'files'].map((topic) => [
    'task',
    'update',
    '--help',
    topic,
  ]),
];

for (const columns of [40, 50, 60, 80, 100]) {
  test(`at ${columns} columns no line is longer, and no text is lost`, async () => {
    for (const page of pages) {
      const name = `wm ${page.join(' ')}`;
      const narrow = await help(page, columns);
      const [text = '', examples = ''] = narrow.split('\nExamples:\n');
      // The line of an example stays whole, to be copied.
      const lines = [...text.split('\n'), ...examples.split('\n').filter((line) => /^ +#/.test(line))];
      for (const line of lines) assert.ok(line.length <= columns, `${name}: ${line.length}: ${line}`);
      assert.deepEqual(words(narrow), words(await help(page, undefined)), name);
    }
  });
}
