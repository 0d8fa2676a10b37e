// `wm emulator exec -- sh`: when a shell is greeted with commands to try. exec-shell.deep.test.ts types them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { execWith } from './in-process.ts';

/** What `wm emulator exec` prints before this command, with standard input on a terminal or not. */
async function greeting(
  words: readonly string[],
  { flags = [], isTerminal = true }: { flags?: readonly string[]; isTerminal?: boolean } = {},
): Promise<string> {
  const { streams } = createWorld();
  const printed: string[] = [];
  const output = { ...streams.output, write: async (text: string) => void printed.push(text) };
  const world = { streams: { input: { ...streams.input, isTerminal }, output, errors: output } };
  const { status } = await execWith([...flags, '--', ...words], async () => 0, world);
  assert.equal(status, 0, printed.join(''));
  return printed.join('');
}

test('shows no greeting to a command, or to a shell that runs a script', async () => {
  for (const words of [['sh', '-c', 'echo done'], ['sh', 'script'], ['node']])
    assert.equal(await greeting(words), '');
  assert.equal(await greeting(['sh'], { isTerminal: false }), '');
});

test('a shell with flags shows the greeting, too', { skip }, async (context) => {
  for (const words of [['/bin/bash', '--norc', '-l'], ['nu']])
    assert.match(await greeting(words), /signed in\. Try:/);
  assert.match(await greeting(['sh'], { flags: ['--signed-out'] }), /\. Try wm login, then:/);
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm emulator exec -- sh -i', {
    columns: 120,
    environment: { PS1: '[ready]', ENV: '' },
  });
  await terminal.shows(/signed in\. Try:[\s\S]*\[ready\]/, `exit${key.enter}`);
  assert.equal(await terminal.ended, 0);
});
