// No response of the service loses what was typed for `wm task update` on a terminal: the error is printed, and the prompts
// continue with all values kept. Cancelling then exits with the status of that error.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { control } from '../../../emulator/control/control.ts';
import { call } from '../../../emulator/start.ts';
import { key, openTerminal, skip, type Terminal } from '../../../terminal/terminal.ts';
import { type Stage, setStage } from '../../../transcript/stage.ts';

const id = sample.task;
const refusing = { request: 'updateTask', status: 400, error: 'invalid_parameter' };
const send = 'Done: check and send';

async function taskOf({ emulator }: Stage) {
  return (await call(emulator, 'GET', `/tasks/${id}`)).body.data[0];
}

/** Types the name of a choice, and takes it once it is the highlighted one. */
async function choose(terminal: Terminal, name: string): Promise<void> {
  terminal.type(name);
  await highlighted(terminal, name);
  terminal.type(key.enter);
}

async function highlighted(terminal: Terminal, name: string): Promise<void> {
  await terminal.screenShows(new RegExp(`^❯ ${name}`, 'm'));
}

async function sends(terminal: Terminal): Promise<void> {
  await highlighted(terminal, send);
  terminal.type(key.enter);
}

/** A new title is typed, and the update stands before its yes. */
async function titled(context: TestContext, fault: object): Promise<{ stage: Stage; terminal: Terminal }> {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', fault);
  const terminal = openTerminal(context, stage, `wm task update ${id}`, {
    columns: 200,
    environment: { NO_COLOR: '1' },
  });
  await choose(terminal, 'title');
  await terminal.shows('New title:');
  terminal.type(`Ship it${key.enter}`);
  await sends(terminal);
  return { stage, terminal };
}

async function rejectedUpdate(context: TestContext, fault: object = refusing) {
  const { stage, terminal } = await titled(context, fault);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  await terminal.shows(/\nwm: /);
  await terminal.shows('What do you want to change?');
  await highlighted(terminal, send);
  await terminal.screenShows(/title: Ship it/);
  return { stage, terminal };
}

test('after a 400 it can be changed further, and sent', { skip }, async (context) => {
  const { stage, terminal } = await rejectedUpdate(context);
  assert.match(terminal.text, /wm: .*invalid_parameter|wm: .*400/);
  await choose(terminal, 'importance');
  await terminal.shows('New importance');
  await choose(terminal, 'High');
  await sends(terminal);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  await terminal.shows(/importance: +Normal -> High/);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  await terminal.shows(/title: +Write the launch page -> Ship it/);
  assert.equal(await terminal.ended, 0);
  const { title, importance } = await taskOf(stage);
  assert.deepEqual([title, importance], ['Ship it', 'High']);
});

test('after an outcome that nobody knows, what is there by now is shown as no change', {
  skip,
}, async (context) => {
  const fault = { request: 'updateTask', status: 500, error: 'server_error', when: 'after', times: 3 };
  const { stage, terminal } = await rejectedUpdate(context, fault);
  assert.equal((await taskOf(stage)).title, 'Ship it');
  await sends(terminal);
  await terminal.shows('title: Ship it (unchanged)');
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
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

for (const [fault, status] of [
  [refusing, 2],
  [{ request: 'updateTask', status: 403, error: 'not_allowed' }, 3],
  [{ request: 'updateTask', status: 404, error: 'resource_not_found' }, 5],
] as const) {
  test(`who leaves after a ${fault.status} gets ${status}`, { skip }, async (context) => {
    const { stage, terminal } = await rejectedUpdate(context, fault);
    await choose(terminal, 'Cancel: change nothing');
    await terminal.shows(/\nwm: /);
    assert.equal(await terminal.ended, status);
    assert.equal((await taskOf(stage)).title, 'Write the launch page');
  });
}

test('with --json too, each error is one object', { skip }, async (context) => {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', refusing);
  const terminal = openTerminal(context, stage, `wm task update ${id} --json > result`, { columns: 200 });
  await choose(terminal, 'title');
  await terminal.shows('New title:');
  terminal.type(`Ship it${key.enter}`);
  await sends(terminal);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  await terminal.shows('"code":"invalid_parameter"');
  await sends(terminal);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal((await taskOf(stage)).title, 'Ship it');
});

test('a name that cannot be looked up now loses nothing either', { skip }, async (context) => {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', {
    request: 'listWorkflows',
    // The names of the task as it is are looked up as well.
    times: 2,
    status: 403,
    error: 'not_allowed',
  });
  const terminal = openTerminal(context, stage, `wm task update ${id}`, {
    columns: 200,
    environment: { NO_COLOR: '1' },
  });
  await choose(terminal, 'custom status');
  await terminal.shows(/✔ What do you want to change\? custom status[\s\S]*\? .*:/);
  terminal.type(`In review${key.enter}`);
  await sends(terminal);
  await terminal.shows(/\nwm: /);
  await sends(terminal);
  await terminal.shows(/custom status: New -> In review/);
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.notEqual((await taskOf(stage)).customStatusId, undefined);
});
