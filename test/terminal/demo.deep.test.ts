// `wm demo` on a terminal shows what a person sees on one, and each of its steps fits on a screen of 80x24.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

const [columns, rows] = [80, 24];

/** How many rows of the terminal a text takes, its long lines wrapped. */
function rowsOf(text: string): number {
  return text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
}

test('each step of the demo fits on 80x24 as the user sees it, in colour', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm demo --details', { columns, rows });
  assert.equal(await terminal.ended, 0, terminal.text);
  const [start = '', ...steps] = terminal.text.split(/\n(?=\n\d\. )/);
  assert.ok(rowsOf(start) <= rows);
  assert.deepEqual(
    steps.map((step) => step.trim()[0]),
    ['1', '2', '3', '4', '5', '6'],
  );
  for (const step of steps) assert.ok(rowsOf(step) <= rows, `${rowsOf(step)} rows:\n${step}`);
  // A record as a person sees it: names and values, no tabs.
  assert.match(terminal.text, /^ {2}status: +Suspended$/m);
  assert.ok(!terminal.text.includes('\t'), terminal.text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
  assert.match(terminal.raw, /\x1b\[3\dmSuspended/);
  assert.match(terminal.text, /No second delivery arrived\.\n/);
});

test('the demo without colours', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm demo --details --no-color', { columns, rows });
  assert.equal(await terminal.ended, 0, terminal.text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
  assert.doesNotMatch(terminal.raw, /\x1b\[\d*m/);
  assert.match(terminal.text, /^ {2}status: +Suspended$/m);
});

test('is short on a terminal, with a mark before each event', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm demo', { columns, rows });
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /^ {2}✔ Completed: Ship the "a b\+c&d=é" release$/m);
  assert.equal(terminal.text.match(/^ {2}✔ /gm)?.length, 8);
  assert.ok(rowsOf(terminal.text) <= 2 * rows, terminal.text);
  assert.ok(!terminal.text.includes('\t'), terminal.text);
});
