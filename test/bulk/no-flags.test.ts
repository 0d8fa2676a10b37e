// src/bulk/ serves any command: it names no flag, no command and no parameter. Texts that need one come from its callers.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';

const files = await Promise.all(
  (await readdir('src/bulk')).map(
    async (name) => [name, await readFile(`src/bulk/${name}`, 'utf8')] as const,
  ),
);

test('src/bulk/ does not mention a flag', () => {
  for (const [name, text] of files) {
    assert.doesNotMatch(text, /(?<![\w)\]-])--[a-z]/, name);
  }
});

test('src/bulk/ does not mention a command', () => {
  const words = commands.map((command) => command.words).filter((words) => words.includes(' '));
  assert.ok(words.includes('task update'));
  for (const [name, text] of files) {
    assert.doesNotMatch(text, /\bwm [a-z]/, name);
    for (const word of words) assert.ok(!text.includes(word), `${name}: ${word}`);
  }
});

test('src/bulk/ imports nothing about tasks', () => {
  for (const [name, text] of files)
    assert.doesNotMatch(text, /from '\.\.\/contract\/(?:task|parameter|webhook)[^']*'/, name);
});
