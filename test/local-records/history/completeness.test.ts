// Every command that changes something at the service from this machine is in the history, and nothing of what it sent.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { createWorld } from '#world/create-world.ts';
import { historyFolder } from './recorded.ts';

test('records each changing command with its ids and outcome, but no secret, title or query', async (context) => {
  const stage = await emulated(context);
  // Also moves the service on, for the job of a batch.
  const clock = {
    ...createWorld().clock,
    sleep: async () => void (await stage.control('clock', { advanceSeconds: 1 })),
  };
  const environment = { WM_TOKEN_STORE: 'file', HOOK_SECRET: 'distinctive-variable-secret' };
  const wm = async (...argv: readonly string[]) => {
    const ran = await stage.wm(argv, { exit: 0, environment, world: { clock } });
    return ran.output;
  };
  const idOf = (json: string): string => JSON.parse(json).id;

  const secretFile = join(stage.folder, 'secret.txt');
  await writeFile(secretFile, 'distinctive-file-secret');
  // The emulator refuses the webhook, since nobody proves the secret.
  const refused = await stage.wm(
    ['webhook', 'create', 'http://hooks.example.com/a?key=distinctive', '--secret-file', secretFile, '--yes'],
    { environment, world: { clock } },
  );
  assert.notEqual(refused.status, 0);
  const hook = idOf(await wm('webhook', 'create', 'http://hooks.example.com/b?key=distinctive', '--json'));
  await wm('webhook', 'label', hook, 'billing');
  await wm('webhook', 'suspend', hook, '--note', 'ticket 4711', '--yes');
  await wm('webhook', 'resume', hook, '--yes');
  await wm('webhook', 'delete', hook, '--yes');

  const file = join(stage.folder, 'hooks.yaml');
  const entry = (event: string) =>
    `version: 1\nwebhooks:\n  - url: http://hooks.example.com/c?key=distinctive\n    scope: account\n    events: [${event}]\n`;
  await writeFile(file, entry('TaskCreated'));
  await wm('webhook', 'apply', file, '--yes');
  await writeFile(file, entry('TaskDeleted'));
  await wm('webhook', 'apply', file, '--yes');

  await wm('task', 'update', sample.task, '--title', 'Distinctive title', '--undoable');
  await wm('task', 'undo', sample.task, '--yes');
  await wm('task', 'update', sample.task, sample.milestone, '--description', 'Distinctive text', '--yes');
  const rows = join(stage.folder, 'rows.csv');
  await writeFile(rows, `id,title\n${sample.task},Distinctive row\n`);
  await wm('task', 'update', '--from', rows, '--yes');
  await wm('task', 'create', 'Distinctive task', '--folder', sample.folder, '--description', 'Distinctive');
  await wm('task', 'comment', sample.task, 'Distinctive comment');
  const attachment = join(stage.folder, 'distinctive.txt');
  await writeFile(attachment, 'Distinctive file');
  await wm('task', 'attach', sample.task, attachment);
  await wm('timelog', 'add', sample.task, '--hours', '1', '--comment', 'Distinctive work');
  await wm('folder', 'create', 'Distinctive folder', '--folder', sample.folder);
  const operations = join(stage.folder, 'operations.ndjson');
  const parameters = { title: 'Distinctive batch' };
  await writeFile(
    operations,
    JSON.stringify({ method: 'POST', path: `/folders/${sample.folder}/tasks`, parameters }),
  );
  await wm('batch', operations, '--yes');

  const shown = await stage.wm(['history', '--json']);
  const entries = (
    JSON.parse(shown.output) as readonly { command: string; operation: string; outcome: string }[]
  ).map(({ command, operation, outcome }) => `${command} ${operation} ${outcome}`);
  assert.deepEqual(entries, [
    'webhook create createWebhook failed',
    'webhook create createWebhook done',
    'webhook label labelWebhook done',
    'webhook suspend updateWebhook done',
    'webhook resume updateWebhook done',
    'webhook delete deleteWebhook done',
    'webhook apply createWebhook done',
    'webhook apply createWebhook done',
    'webhook apply deleteWebhook done',
    'task update updateTask done',
    'task undo updateTask done',
    'task update updateTask done',
    'task update updateTask done',
    'task create createTask done',
    'task comment createTaskComment done',
    'task attach createTaskAttachment done',
    'timelog add createTaskTimelog done',
    'folder create createFolder done',
    'batch batch done',
  ]);
  const texts = await Promise.all(
    (await readdir(historyFolder(stage))).map((name) => readFile(join(historyFolder(stage), name), 'utf8')),
  );
  assert.ok(texts.join().includes('ticket 4711'));
  for (const forbidden of [/distinctive/i, /TaskCreated/, new RegExp(`${stage.emulator.token}`)])
    assert.doesNotMatch(texts.join(), forbidden);
});
