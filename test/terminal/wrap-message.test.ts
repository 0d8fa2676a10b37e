// Messages on a narrow terminal: words stay whole, and so do the commands that a person copies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { displayWidth } from '#terminal/width.ts';
import { wrapMessage } from '#terminal/wrap-message.ts';

test('breaks between words, with the indent of the first line', () => {
  assert.deepEqual(wrapMessage('  The folder belongs to someone else, so wm does not use it', 24), [
    '  The folder belongs to',
    '  someone else, so wm',
    '  does not use it',
  ]);
  assert.deepEqual(wrapMessage('wm: The folder belongs to someone else', 24, 4), [
    'wm: The folder belongs',
    '    to someone else',
  ]);
});

test('keeps a command at the end of a line whole, however wide', () => {
  const command = "wm webhook suspend --all --url 'https://old.example/*' --yes";
  assert.deepEqual(wrapMessage(`  To continue with the rest: ${command}`, 30), [
    '  To continue with the rest:',
    `  ${command}`,
  ]);
  assert.deepEqual(wrapMessage(command, 30), [command]);
});

test('keeps a command whole that uses or sets variables', () => {
  for (const command of [
    "WM_CLIENT_SECRET='a b c' wm login --profile emulator --client-id Rd7kPq2W",
    'export WM_HOST=127.0.0.1:4010 WM_TOKEN=pmtA98m95obySktcKWlgyQfqGMBJPAQh3xUQQGzYklMe',
    "$env:WM_HOST = '127.0.0.1:4010'; $env:WM_TOKEN = 'pmtA98m95obySktcKWlgyQf'",
  ])
    assert.deepEqual(wrapMessage(`  ${command}`, 30), [`  ${command}`]);
});

test('keeps a command in backquotes whole', () => {
  assert.deepEqual(wrapMessage('Trust the file that `wm emulator start --tls` prints.', 30), [
    'Trust the file that',
    '`wm emulator start --tls`',
    'prints.',
  ]);
});

test('wide characters count as two cells', () => {
  assert.deepEqual(wrapMessage('漢字 漢字 漢字', 10), ['漢字 漢字', '漢字']);
});

test('loses nothing, and only unbreakable parts are too wide', () => {
  const word = fc.stringMatching(/^[a-zé漢:`'-]{1,14}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (words, width) => {
      const lines = wrapMessage(words.join(' '), width);
      assert.equal(lines.join(' '), words.join(' '));
      for (const line of lines)
        assert.ok(displayWidth(line) <= width || !line.includes(' ') || line.includes('`'), line);
    }),
  );
});
