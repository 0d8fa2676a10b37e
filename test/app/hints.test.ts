// Hints that are commands, outside of signing in: each is provoked, taken out of the text as it was printed, and run. What
// a 403 says is in forbidden.test.ts, and what a sign-in says in test/login.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { signedOut } from '#test/support/program/signed-out.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { seedOf } from '../emulator/seed/any-seed.ts';
import { withHooks } from '../webhooks/three-webhooks.ts';

const task = 'IEAAAAAQKQAB5BNG';
const noTask = 'IEAAAAAQKQAB5NNN';
const noHook = 'IEAAAAAQJAAAAAAB';
const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };
const work = ['--profile', 'work'];

/** Signed in as `work`, which only a command that names it uses. */
async function asWork(context: Parameters<typeof signedOut>[0]) {
  const { wm, signIn } = await signedOut(context);
  await signIn('login', ...work);
  return (argv: readonly string[], status = 0) =>
    wm(argv, { exit: status, environment: { WM_PROFILE: 'other' }, world: noPause });
}

test('commands in hints keep the --profile that was typed', async (context) => {
  const wm = await asWork(context);
  await wm(['whoami'], 4);
  const hints: readonly (readonly [argv: readonly string[], status: number, before: string])[] = [
    [['task', 'get', noTask], 5, 'and the account: '],
    [['task', 'get', task, noTask], 5, 'and the account: '],
    [['webhook', 'get', noHook, noHook.replace('AAB', 'AAC')], 5, 'To list them: '],
    [['webhook', 'suspend'], 2, 'To list them: '],
    [['logout', '--profile', 'nobody'], 5, 'To list the profiles: '],
    [['auth', 'switch', 'nobody'], 5, 'To list the profiles: '],
  ];
  for (const [argv, status, before] of hints) {
    const ran = await wm(argv.includes('nobody') ? argv : [...argv, ...work], status);
    await wm(printedCommand(ran.errors, before));
  }
});

test('`wm` alone suggests commands with the --profile that was typed', async (context) => {
  const wm = await asWork(context);
  const home = await wm(work);
  const get = printedCommand(home.output.replace('wm task get ID', `wm task get ${task}`), '\n  ');
  assert.deepEqual(get, ['task', 'get', task, ...work]);
  await wm(get);
});

test('a missing id: prints the command to complete, ready to type', async (context) => {
  const wm = await asWork(context);
  const ran = await wm(['webhook', 'resume', ...work], 2);
  assert.deepEqual(printedCommand(ran.errors, 'Name the webhook: '), ['webhook', 'resume', 'ID', ...work]);
});

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

test('the remaining webhooks were not tried: the command to run again changes those', async (context) => {
  const { wm, control, one, two, three, statuses } = await withHooks(context);
  await control('faults', { request: 'updateWebhook', status: 401, error: 'not_authorized' });
  const ran = await wm(['webhook', 'suspend', one, two, three, '--yes'], { exit: 4 });
  await wm(printedCommand(ran.errors, 'Then repeat the rest: '), { exit: 0 });
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Suspended']);
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

test('a webhook that was not created according to the list: the command lists webhooks', async (context) => {
  const { wm, control } = await withHooks(context);
  await control('faults', { request: 'createWebhook', cutAfter: 0, when: 'before' });
  const ran = await wm(['webhook', 'create', 'http://hooks.example.com/new'], { exit: 9, world: noPause });
  assert.match(ran.errors, /^ {2}No webhook with this URL is listed now/m);
  const shown = await wm(printedCommand(ran.errors, 'before you retry: '), { exit: 0 });
  assert.equal(shown.output.trimEnd().split('\n').length, 3);
});

test('--if-not-exists with a suspended webhook: the command resumes it', async (context) => {
  const { wm, one, statuses } = await withHooks(context);
  await wm(['webhook', 'suspend', one, '--yes'], { exit: 0 });
  const ran = await wm(['webhook', 'create', 'http://hooks.example.com/one', '--if-not-exists', '--yes'], {
    exit: 0,
  });
  await wm(printedCommand(ran.errors, 'To resume it: '), { exit: 0 });
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('a bulk run: quotes the --errors file so that --from accepts it', async (context) => {
  const { wm, folder, task: read } = await emulated(context);
  const rows = join(folder, 'rows.csv');
  const errors = join(folder, "Ada's failed rows.csv");
  await writeFile(rows, `id,title\n${noTask},New\n`);
  const ran = await wm(['task', 'update', '--from', rows, '--yes', '--errors', errors], { exit: 8 });
  // The hint names the flag to add; the rest of the command is as before.
  const from = printedCommand(ran.errors.replace('send it with ', 'as: wm '), 'as: ');
  await writeFile(errors, (await readFile(errors, 'utf8')).replaceAll(noTask, task));
  await wm(['task', 'update', ...from, '--yes'], { exit: 0 });
  assert.equal((await read(task)).title, 'New');
});

test('the emulator: commands in hints are for the emulator at --url', async (context) => {
  const { wm, emulator } = await emulated(context);
  const url = ['--url', new URL(emulator.baseUrl).origin];
  for (const [typed, status, before] of [
    ['emulator user KUAANONE --licence full', 5, 'To list the users: '],
    ['emulator fault --times 2', 2, 'For example: '],
    ['emulator user --licence full', 2, 'For example: '],
  ] as const) {
    const { errors } = await wm([...typed.split(' '), ...url], { exit: status });
    await wm(printedCommand(errors, before), { exit: 0 });
  }
});

test('no emulator there: the command starts one at that address', async (context) => {
  const { wm } = await emulated(context);
  for (const [url, more] of [
    ['http://127.0.0.1:1', ['--port', '1']],
    ['http://localhost:2/', ['--port', '2']],
  ] as const) {
    const ran = await wm(['emulator', 'reset', '--url', url], { exit: 7 });
    assert.deepEqual(printedCommand(ran.errors, 'To start one: '), ['emulator', 'start', ...more]);
  }
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
