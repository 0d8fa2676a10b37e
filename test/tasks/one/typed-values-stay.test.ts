// No response of the service loses what was typed for `wm task update` on a terminal: the error is printed, and the prompts
// continue with all values kept. Cancelling then exits with the status of that error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { choose, taskOf } from './interactive.ts';
import { highlighted, rejectedUpdate, sends } from './typed-values-stay.ts';

test('after a 400 the update can be changed further, and sent', { skip }, async (context) => {
  const { stage, terminal } = await rejectedUpdate(context);
  assert.match(terminal.text, /wm: .*invalid_parameter|wm: .*400/);
  await choose(terminal, 'importance');
  await terminal.shows('New importance');
  await choose(terminal, 'High');
  await sends(terminal);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  await terminal.shows(/importance: +Normal -> High/);
  await terminal.shows('(y/N)', `y${key.enter}`);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  assert.equal(await terminal.ended, 0);
  const { title, importance } = await taskOf(stage);
  assert.deepEqual([title, importance], ['Ship it', 'High']);
});

test('a rejected value can be removed', { skip }, async (context) => {
  const { stage, terminal } = await rejectedUpdate(context);
  await choose(terminal, 'title: Ship it');
  await terminal.shows('Remove it');
  await choose(terminal, 'Remove it');
  // Nothing is left to be sent.
  await highlighted(terminal, 'title$');
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
  assert.equal((await taskOf(stage)).title, 'Write the launch page');
});
