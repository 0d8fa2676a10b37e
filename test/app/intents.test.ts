// The words that people try, and what each leads to. The commands exist, and what is suggested is shown by its help.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../program.ts';

const rows: readonly (readonly [typed: string, ...meant: readonly string[]])[] = [
  ['webhook unpause', 'webhook resume'],
  ['webhook enable', 'webhook resume'],
  ['webhook stop', 'webhook suspend'],
  ['webhook disable', 'webhook suspend'],
  ['webhook Stop IEAAAAAQJAAAAAAB --yes', 'webhook suspend'],
  ['webhook test', 'webhook verify', 'webhook trigger'],
  ['webhook add', 'webhook create'],
  ['webhook show', 'webhook get'],
  ['auth login', 'login'],
  ['auth login --profile work', 'login'],
  ['auth logout', 'logout'],
  ['auth whoami', 'whoami'],
  ['task show', 'task get'],
  ['task view IEAAAAAQKQAB5BNG', 'task get'],
  ['task edit', 'task update'],
  ['task assign', 'task update'],
  ['task search', 'task list'],
  ['task find launch', 'task list'],
  ['task add', 'task create'],
  ['task new', 'task create'],
  ['user list', 'contact list'],
  ['users', 'contact list'],
  ['project list', 'folder list'],
  ['project', 'folder list'],
  ['project create', 'folder create'],
  ['me', 'whoami'],
  ['sign-in', 'login'],
];

for (const [typed, ...meant] of rows) {
  test(`wm ${typed} leads to ${meant.join(' or ')}`, async () => {
    const { status, output, errors } = await run(typed.split(' '));
    assert.deepEqual([status, output], [2, '']);
    const lines = meant.map((words) => `wm ${words}`);
    assert.ok(errors.endsWith(`\n  Did you mean ${lines.join(' or ')}?\n`), errors);
    for (const words of meant) {
      const help = await run([...words.split(' '), '--help']);
      assert.ok(help.output.startsWith(`Usage: wm ${words}`), help.output);
    }
  });
}

test('what leads to finishing and deleting a task stays', async () => {
  assert.match(
    (await run(['task', 'done'])).errors,
    /To finish a task: wm task update ID --status Completed\n$/,
  );
  assert.match((await run(['task', 'delete'])).errors, /wm does not delete tasks/);
});
