// The placeholders in the help of every command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands, groups } from '#app/commands.ts';
import { run } from '#test/support/program/program.ts';

test('one style of placeholders, and Flags everywhere', async () => {
  const pages = [
    ['--help'],
    ...groups.map(({ word }) => [word]),
    ...commands.map((row) => [...row.words.split(' '), '--help']),
  ];
  for (const typed of pages) {
    const ran = await run(typed);
    assert.deepEqual([ran.status, ran.errors], [0, '']);
    const [text = ''] = ran.output.split('\nExamples:\n');
    assert.doesNotMatch(text, /\bOptions:|\[options\]/i, typed.join(' '));
    for (const [line, value = ''] of text.matchAll(/^ {2}(?:-\w, )?--[a-z0-9-]+ (\S+)/gm))
      assert.match(value, /^[A-Z][A-Z0-9]*(?:[=:-][A-Z]+)*(?:,\.\.\.|\/min)?$/, line);
  }
});
