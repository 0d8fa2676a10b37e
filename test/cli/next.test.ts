// `next` of an error in JSON: the command that helps, as data. Each is taken from the error and run; it stands in the hint
// as well, and what a person would have to complete is none.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import type { Ran } from '#test/support/program/program.ts';
import { signedOut } from '#test/support/program/signed-out.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { jsonLines, withHooks } from '../webhooks/three-webhooks.ts';

const task = 'IEAAAAAQKQAB5BNG';
const noTask = 'IEAAAAAQKQAB5NNN';
const noHook = 'IEAAAAAQJAAAAAAB';
const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };

interface JsonError {
  readonly hint?: string;
  readonly next?: string;
}

function errorOf({ errors }: Ran): JsonError {
  // Warnings, and failures of one of several, may stand before it.
  const last = errors.split('\n').findLast((line) => line.startsWith('{"error"'));
  return JSON.parse(last ?? '').error;
}

/** The words after `wm`. */
function nextOf(ran: Ran): string[] {
  const { hint = '', next = '' } = errorOf(ran);
  assert.match(next, /^wm /, ran.errors);
  assert.ok(hint.includes(next), ran.errors);
  return printedCommand(`: ${next}`, ': ');
}

const simple: readonly (readonly [typed: string, status: number, next: string])[] = [
  [`task get ${noTask}`, 5, 'whoami'],
  [`task get ${task} ${noTask}`, 5, 'whoami'],
  [`webhook get ${noHook}`, 5, 'whoami'],
  [`webhook get ${noHook} ${noHook}B`, 5, 'webhook list'],
  [`webhook suspend`, 2, 'webhook list'],
  [`task undo`, 2, 'task list'],
  [`webhook trigger Bogus --to http://hooks.example.com`, 2, 'webhook events'],
  [`webhook xyzzyx`, 2, 'webhook --help'],
  [`xyzzyx`, 2, '--help'],
  [`help xyzzyx yz`, 2, 'help --help'],
  [`logout --profile nobody`, 5, 'auth list'],
];

for (const [typed, status, next] of simple)
  test(`wm ${typed}: wm ${next}`, async (context) => {
    const { wm } = await emulated(context);
    const ran = await wm([...typed.split(' '), '--json'], { exit: status, world: noPause });
    const words = nextOf(ran);
    assert.equal(words.join(' '), next);
    await wm(words, { exit: 0 });
  });

test('not signed in: next is the sign-in, which exists', async (context) => {
  const { wm } = await signedOut(context);
  for (const profile of [[], ['--profile', 'work']]) {
    const ran = await wm(['whoami', '--json', ...profile], { exit: 4 });
    assert.deepEqual(nextOf(ran), ['login', ...profile]);
    await wm([...nextOf(ran), '--help'], { exit: 0 });
  }
});

test('an update of unknown outcome: next shows the task', async (context) => {
  const { wm, control } = await emulated(context);
  for (const more of [[], ['--undoable']]) {
    await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
    const argv = ['task', 'update', task, '--title', 'Sent', '--json', ...more];
    const ran = await wm(argv, { exit: 9, world: noPause });
    assert.deepEqual(nextOf(ran), ['task', 'get', task]);
    assert.equal(JSON.parse((await wm([...nextOf(ran), '--json'])).output).title, 'Sent');
  }
});

test('a create of unknown outcome: next shows the webhooks with the same URL', async (context) => {
  const { wm, control, one } = await withHooks(context);
  await control('faults', { request: 'createWebhook', cutAfter: 0, when: 'after' });
  const argv = ['webhook', 'create', 'http://hooks.example.com/one', '--json'];
  const ran = await wm(argv, { exit: 9, world: noPause });
  assert.deepEqual(nextOf(ran).slice(0, 2), ['webhook', 'get']);
  const shown = await wm([...nextOf(ran), '--json'], { exit: 0 });
  const ids = jsonLines(shown.output).map(({ id }) => id);
  assert.ok(ids.length === 2 && ids.includes(one), shown.output);
});

test('a new task, folder or comment of unknown outcome: next lists it', async (context) => {
  const { wm, control } = await emulated(context);
  for (const [request, argv, words] of [
    ['createTask', ['task', 'create', 'Once', '--folder', 'Website'], 'task list'],
    ['createFolder', ['folder', 'create', 'Once', '--folder', 'Website'], 'folder list'],
    ['createTaskComment', ['task', 'comment', task, 'Once'], 'task comments'],
  ] as const) {
    await control('faults', { request, cutAfter: 0, when: 'after' });
    const ran = await wm([...argv, '--json'], { exit: 9, world: noPause });
    assert.equal(nextOf(ran).slice(0, 2).join(' '), words);
    assert.match((await wm([...nextOf(ran), '--json'], { exit: 0 })).output, /"(?:title|text)":"Once"/);
  }
});

test('some webhooks were not changed: next repeats the command for them', async (context) => {
  const { wm, control, one, two, three, statuses } = await withHooks(context);
  await control('faults', { request: 'updateWebhook', status: 403, error: 'not_allowed' });
  const ran = await wm(['webhook', 'suspend', one, two, three, '--yes', '--json'], { exit: 8 });
  await wm(nextOf(ran), { exit: 0 });
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Suspended']);
});

test('a label that another webhook has: next removes it there', async (context) => {
  const { wm, one, two } = await withHooks(context);
  await wm(['webhook', 'label', one, 'billing'], { exit: 0 });
  const ran = await wm(['webhook', 'label', two, 'billing', '--json'], { exit: 2 });
  await wm(nextOf(ran), { exit: 0 });
  await wm(['webhook', 'label', two, 'billing'], { exit: 0 });
});

test('a redirect: next shows the host', async (context) => {
  const { wm, environment } = await emulated(context);
  const host = await inFront(context, environment['WM_HOST'], (_, response) => {
    response.writeHead(302, { Location: 'http://127.0.0.1:1/' });
    response.end();
    return true;
  });
  const ran = await wm(['task', 'get', task, '--json'], { exit: 1, environment: { WM_HOST: host } });
  assert.deepEqual(nextOf(ran), ['auth', 'status']);
  await wm(nextOf(ran), { exit: 0, environment: { WM_HOST: host } });
});

test('a hint without a command, or with one to complete, has no next command', async (context) => {
  const { wm } = await emulated(context);
  for (const typed of [
    ['webhook', 'create'],
    ['webhook', 'resum', '--json'],
    ['task', 'get', task, '--timeout', 'never'],
  ]) {
    const ran = await wm([...typed, '--json'], { exit: 2 });
    assert.equal(errorOf(ran).next, undefined, ran.errors);
  }
});

test('no command in a hint contains a placeholder', async () => {
  const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = await readFile(`src/${file}`, 'utf8');
    for (const [hint] of text.matchAll(/\bcommandHint\(\s*(?:'[^']*'|`[^`]*`),\s*(?:'[^']*'|`[^`]*`)/g))
      assert.doesNotMatch(hint, / (?:ID|FILE|URL|NAME|TEXT)\b/, `${file}: ${hint}`);
  }
});
