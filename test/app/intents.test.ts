// The words that people try, and what each leads to. The commands exist, and what is suggested is shown by its help.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';

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

test('the words for completing and deleting a task keep their meaning', async () => {
  assert.match(
    (await run(['task', 'done'])).errors,
    /To finish a task: wm task update ID --status Completed\n$/,
  );
  assert.match((await run(['task', 'delete'])).errors, /wm does not delete tasks/);
});

const flagRows: readonly (readonly [typed: string, flag: string, hint: string])[] = [
  ['task update A --assignee @me', '--assignee', 'Did you mean --add-responsibles?'],
  ['task update A --assigned-to @me', '--assigned-to', 'Did you mean --add-responsibles?'],
  ['task update A --unassign @me', '--unassign', 'Did you mean --remove-responsibles?'],
  ['task update A --state Active', '--state', 'Did you mean --status?'],
  ['task update A --priority High', '--priority', 'Did you mean --importance?'],
  ['task update A --deadline 2026-12-01', '--deadline', 'Did you mean --due?'],
  ['task update A --name x', '--name', 'Did you mean --title?'],
  ['task update A --body x', '--body', 'Did you mean --description?'],
  ['task update A --folder x', '--folder', 'Did you mean --add-parents?'],
  ['task update --file x', '--file', 'Did you mean --from?'],
  ['task update A --force', '--force', 'Did you mean --yes?'],
  ['task update A --note x', '--note', 'To comment on a task: wm task comment ID TEXT'],
  ['task update A --comment=x', '--comment', 'To comment on a task: wm task comment ID TEXT'],
  ['task update A --attach x', '--attach', 'To attach a file: wm task attach ID FILE'],
  ['task update A --done', '--done', 'To finish a task: wm task update ID --status Completed'],
  ['task create x --assignee @me', '--assignee', 'Did you mean --responsibles?'],
  ['task create --title x', '--title', 'Did you mean the argument TITLE, without a flag?'],
  ['task create --name x', '--name', 'Did you mean the argument TITLE, without a flag?'],
  ['task comment A --text x', '--text', 'Did you mean the argument TEXT, without a flag?'],
  ['task list --assignee @me', '--assignee', 'Did you mean --responsible?'],
  ['task list --search x', '--search', 'Did you mean --title?'],
  ['task list --state Active', '--state', 'Did you mean --status?'],
  ['task list --project x', '--project', 'Did you mean --folder?'],
  ['task list --order-by due', '--order-by', 'Did you mean --sort?'],
  ['task list --since x', '--since', 'Did you mean --updated-since?'],
  ['task list --output json', '--output', 'Did you mean --json?'],
  ['task list --max 5', '--max', 'Did you mean --limit?'],
  ['task get A --open', '--open', 'Did you mean --web?'],
  ['folder list --name x', '--name', 'Did you mean --title?'],
  ['timelog add A --note x', '--note', 'Did you mean --comment?'],
  ['timelog add A --time 2', '--time', 'Did you mean --hours?'],
  ['webhook list --state Active', '--state', 'Did you mean --status?'],
  ['webhook list --endpoint x', '--endpoint', 'Did you mean --url?'],
  ['webhook create x --event-type y', '--event-type', 'Did you mean --events?'],
  [
    'webhook create x --note y',
    '--note',
    'Only a suspension takes a note: wm webhook suspend ID --note TEXT',
  ],
  ['webhook delete A --force', '--force', 'Did you mean --yes?'],
  ['whoami --account x', '--account', 'Did you mean --profile?'],
];

for (const [typed, flag, hint] of flagRows) {
  test(`wm ${typed}: ${hint}`, async () => {
    const { status, output, errors } = await run(typed.split(' '));
    assert.deepEqual([status, output], [2, '']);
    assert.equal(errors, `wm: Unknown flag '${flag}'\n  ${hint}\n`);
    const [, suggested] = /mean (--[a-z-]+)\?/.exec(hint) ?? [];
    const help = await run([
      ...typed.split(' ').slice(0, typed.startsWith('whoami') ? 1 : 2),
      '--help',
      'all',
    ]);
    assert.ok(help.output.includes(suggested ?? ''), help.output);
  });
}

for (const [typed, meant] of [
  ['task update A --status Done', 'Completed'],
  ['task update A --status closed', 'Completed'],
  ['task update A --status in-progress', 'Active'],
  ['task update A --status on_hold', 'Deferred'],
  ['task update A --importance urgent', 'High'],
  ['task update A --importance Medium', 'Normal'],
  ['webhook list --status paused', 'Suspended'],
  ['webhook list --status enabled', 'Active'],
] as const) {
  test(`wm ${typed}: did you mean ${meant}?`, async () => {
    const { status, errors } = await run(typed.split(' '));
    assert.equal(status, 2);
    assert.ok(errors.endsWith(`; did you mean ${meant}?\n`), errors);
  });
}
