// Where a text is broken, by example.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure, wrap } from '#terminal/wrap.ts';

const examples: readonly [string, number, readonly string[]][] = [
  ['', 10, ['']],
  ['account or space', 16, ['account or space']],
  ['account or space', 15, ['account or', 'space']],
  ['account or space', 7, ['account', 'or', 'space']],
  // What fits on a line of its own stays whole.
  ['see a/long/path here', 14, ['see', 'a/long/path', 'here']],
  ['see a/long/path/to/it', 14, ['see a/long/', 'path/to/it']],
  ['https://hooks.example.com/a/b', 20, ['https://', 'hooks.example.com/a/', 'b']],
  ['well-known --flag -5', 7, ['well-', 'known', '--flag', '-5']],
  ['2026-02-06T17:00', 14, ['2026-02-06', 'T17:00']],
  ['2026-02-06', 7, ['2026-', '02-06']],
  ['a=1&b=2&c=3', 8, ['a=1&b=2&', 'c=3']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['日本語のタイトル', 7, ['日本語', 'のタイ', 'トル']],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']],
  ['日', 1, ['日']],
  // Spaces stay inside a line, and are left out at its end.
  ['  a   b', 9, ['  a   b']],
  ['a   b', 3, ['a', 'b']],
];

for (const [text, width, lines] of examples) {
  test(`${JSON.stringify(text)} in ${width}`, () => assert.deepEqual(wrap(measure(text), width), lines));
}
