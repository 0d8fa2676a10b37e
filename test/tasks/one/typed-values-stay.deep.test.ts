// After an error of an interactive update the typed values stay: outcomes unknown, --json, and the exit status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control } from '#test/support/service/control.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { choose, id, taskOf } from './interactive.ts';
import { refusing, rejectedUpdate, sends } from './typed-values-stay.ts';

test('after an unknown outcome, values that are set by now are not shown as changes', {
  skip,
}, async (context) => {
  const fault = { request: 'updateTask', status: 500, error: 'server_error', when: 'after', times: 3 };
  const { stage, terminal } = await rejectedUpdate(context, fault);
  assert.equal((await taskOf(stage)).title, 'Ship it');
  await sends(terminal);
  await terminal.shows('title: Ship it (unchanged)');
  await terminal.shows('(y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
});

for (const [fault, status] of [
  [refusing, 2],
  [{ request: 'updateTask', status: 403, error: 'not_allowed' }, 3],
  [{ request: 'updateTask', status: 404, error: 'resource_not_found' }, 5],
] as const) {
  test(`cancelling after a ${fault.status} exits with ${status}`, { skip }, async (context) => {
    const { stage, terminal } = await rejectedUpdate(context, fault);
    await choose(terminal, 'Cancel: change nothing');
    await terminal.shows(/\nwm: /);
    assert.equal(await terminal.ended, status);
    assert.equal((await taskOf(stage)).title, 'Write the launch page');
  });
}

test('each error is one object with --json, too', { skip }, async (context) => {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', refusing);
  const terminal = openTerminal(context, stage, `wm task update ${id} --json > result`, { columns: 200 });
  await choose(terminal, 'title');
  await terminal.shows('New title:', `${key.clear}Ship it${key.enter}`);
  await sends(terminal);
  await terminal.shows('(y/N)', `y${key.enter}`);
  await terminal.shows('"code":"invalid_parameter"');
  await sends(terminal);
  await terminal.shows('(y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal((await taskOf(stage)).title, 'Ship it');
});

test('a name that cannot be looked up at the moment loses no input either', { skip }, async (context) => {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'listWorkflows',
    // The names of the task as it is are looked up as well, and the list to pick from.
    times: 3,
    status: 403,
    error: 'not_allowed',
  });
  const terminal = openTerminal(context, stage, `wm task update ${id}`, {
    columns: 200,
    environment: { NO_COLOR: '1' },
  });
  await choose(terminal, 'custom status');
  await terminal.shows(/✔ What do you want to change\? custom status[\s\S]*\? .*:/, `In review${key.enter}`);
  await sends(terminal);
  await terminal.shows(/\nwm: /);
  await sends(terminal);
  await terminal.shows(/custom status: New -> In review/);
  await terminal.shows('(y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.notEqual((await taskOf(stage)).customStatusId, undefined);
});
