// Hints that are commands, where requests are tried again: each is provoked, taken out of the text as it was printed, and run.
// test/transcript/hints.txt and forbidden.txt have others, and test/login what a sign-in says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { seedOf } from '../emulator/seed/any-seed.ts';
import { withHooks } from '../webhooks/three-webhooks.ts';

const task = 'IEAAAAAQKQAB5BNG';
const noHook = 'IEAAAAAQJAAAAAAB';
const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };

test('a hint puts an id that begins with a dash after --', async (context) => {
  const id = '-EAAAAAQKQAB5BNG';
  const seed = seedOf({ version: 1, tasks: [{ id, title: 'Dash' }] });
  const { wm, control } = await emulated(context, { seed });
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'before', times: 3 });
  const ran = await wm(['task', 'update', '--title', 'x', '--', id], { exit: 9, world: noPause });
  const hint = printedCommand(ran.errors, 'Show the task as it is now: ');
  assert.deepEqual(hint, ['task', 'get', '--', id]);
  await wm(hint, { exit: 0 });
});

test('a webhook with an unknown outcome: check it, then run the command again', async (context) => {
  const { wm, environment, one, statuses } = await withHooks(context);
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, socket }, response) => {
    if (isSent) return fail(response, 503, 'server_error');
    if (method !== 'PUT') return false;
    isSent = true;
    socket.destroy();
    return true;
  });
  const ran = await wm(['webhook', 'suspend', one, '--yes'], {
    exit: 9,
    environment: { WM_HOST: host },
    world: noPause,
  });
  await wm(printedCommand(ran.errors, 'To see its status: '), { exit: 0 });
  await wm(printedCommand(ran.errors, 'You can run it again safely: '), { exit: 0 });
  assert.deepEqual(await statuses(), ['Suspended', 'Active', 'Active']);
});

test('offline, a command that only reads does not say that nothing was changed', async (context) => {
  const { wm } = await emulated(context);
  const offline = { environment: { WM_HOST: '127.0.0.1:1' }, world: noPause };
  for (const typed of ['whoami', `task get ${task}`, 'webhook list', `webhook get ${noHook}`, 'doctor']) {
    const ran = await wm(typed.split(' '), { ...offline, exit: typed === 'doctor' ? 10 : 7 });
    assert.match(ran.errors, /Check the connection/);
    assert.doesNotMatch(ran.errors + ran.output, /changed nothing|[Nn]othing was changed/);
  }
  const change = await wm(['task', 'update', task, '--title', 'x'], offline);
  assert.match(change.errors, /The request changed nothing\./);
});
