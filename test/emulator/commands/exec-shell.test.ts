// `wm emulator exec -- sh`: a shell in which `wm` works at once. It greets with three commands, which do what they say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key, openTerminal, skip } from '#test/terminal/terminal.ts';
import { setStage } from '#test/transcript/stage.ts';
import { createWorld } from '#world/create-world.ts';
import { execWith } from './in-process.ts';

test('a shell greets with three things to try, and each works there', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm emulator exec -- sh', {
    columns: 120,
    environment: { PS1: '[ready]', ENV: '' },
  });
  const [, ...commands] = await terminal.shows(
    /signed in\. Try:\n\n {2}(wm .*)\n {2}(wm .*)\n {2}(wm .*)\n\nType exit to end the emulator\.\n/,
  );
  const shown = [
    /Weekly report[\s\S]*The form loses its text/,
    /status: +New \(Active\) -> Completed/,
    /Undo the last update of .*\? \(y\/N\)/,
  ];
  for (const [at, pattern] of shown.entries()) {
    await terminal.shows('[ready]');
    terminal.type(`${commands[at]}${key.enter}`);
    await terminal.shows(pattern);
  }
  terminal.type(`y${key.enter}`);
  await terminal.shows(/status: +Completed -> New \(Active\)/);
  await terminal.shows('[ready]');
  terminal.type(`exit${key.enter}`);
  assert.equal(await terminal.ended, 0);
});

/** What `wm emulator exec` prints before this command, with standard input on a terminal or not. */
async function greeting(words: readonly string[], isTerminal: boolean): Promise<string> {
  const { streams } = createWorld();
  const printed: string[] = [];
  const output = { ...streams.output, write: async (text: string) => void printed.push(text) };
  const world = { streams: { input: { ...streams.input, isTerminal }, output, errors: output } };
  const { status } = await execWith(['--', ...words], async () => 0, world);
  assert.equal(status, 0);
  return printed.join('');
}

test('a command, and a shell that reads a script, are not greeted', async () => {
  assert.equal(await greeting(['sh', '-c', 'echo done'], true), '');
  assert.equal(await greeting(['sh', 'script'], true), '');
  assert.equal(await greeting(['node'], true), '');
  assert.equal(await greeting(['sh'], false), '');
});

test('a shell with flags is greeted too', async () => {
  for (const words of [['sh', '-i'], ['/bin/bash', '--norc', '-l'], ['nu']])
    assert.match(await greeting(words, true), /signed in\. Try:/);
});
