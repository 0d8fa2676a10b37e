// `next` of an error in JSON, the command that helps: after a lost response and a redirect, and without a placeholder.
// test/transcript/next.txt has the others.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import type { Ran } from '#test/support/program/program.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';

const task = 'IEAAAAAQKQAB5BNG';
const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };

/** The words after `wm`. They stand in the hint as well. */
function nextOf({ errors }: Ran): string[] {
  const { hint = '', next = '' } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '').error;
  assert.match(next, /^wm /, errors);
  assert.ok(hint.includes(next), errors);
  return printedCommand(`: ${next}`, ': ');
}

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

test('no command in a hint contains a placeholder', async () => {
  const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts'));
  for (const file of files) {
    const text = await readFile(`src/${file}`, 'utf8');
    for (const [hint] of text.matchAll(/\bcommandHint\(\s*(?:'[^']*'|`[^`]*`),\s*(?:'[^']*'|`[^`]*`)/g))
      assert.doesNotMatch(hint, / (?:ID|FILE|URL|NAME|TEXT)\b/, `${file}: ${hint}`);
  }
});
