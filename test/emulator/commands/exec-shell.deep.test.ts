// `wm emulator exec -- sh` on a terminal: the commands of its greeting, typed in the shell.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

test('a shell on a terminal shows commands to try, and each works there', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm emulator exec -- sh', {
    columns: 120,
    environment: { PS1: '[ready]', ENV: '' },
  });
  const [, ...commands] = await terminal.shows(
    /signed in\. Try:\n\n {2}(wm .*)\n {2}(wm .*)\n {2}(wm .*)\n {2}(wm .*)\n {2}(wm .*)\n\nType exit to end the emulator\.\n/,
  );
  const shown = [
    /Weekly report[\s\S]*The form loses its text/,
    /status: +New \(Active\) -> Completed/,
    /Undo the last update of .*\? \(y\/N\)/,
  ];
  for (const [at, pattern] of shown.entries()) {
    await terminal.shows('[ready]', `${commands[at]}${key.enter}`);
    await terminal.shows(pattern);
  }
  terminal.type(`y${key.enter}`);
  await terminal.shows(/status: +Completed -> New \(Active\)/);
  await terminal.shows('[ready]', `${commands[3]}${key.enter}`);
  await terminal.shows(/Suspended +lantern\.example\/archive/);
  await terminal.shows('[ready]', `${commands[4]}${key.enter}`);
  await terminal.shows(/"billing" matches 2 webhooks[\s\S]*\/billing2/, 'billing2');
  await terminal.shows(/1 of 2/, key.enter);
  await terminal.shows(/Suspend [\s\S]*\(y\/N/, `y${key.enter}`);
  await terminal.shows(/Suspended: [\s\S]*billing2/);
  await terminal.shows('[ready]', `exit${key.enter}`);
  assert.equal(await terminal.ended, 0);
});
