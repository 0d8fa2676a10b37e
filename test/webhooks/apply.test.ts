// What apply does beside the plan: it asks, takes turns with other runs, and finds what a lost response created. The rest is in
// test/transcript/webhook-apply.txt.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { fileOf, type WithFile, withFile } from './hooks-file/with-file.ts';

const folder = 'scope: {folder: IEAAAAAQI4AB5FLD}';
const inFolder = (name: string, event: string, ...extraLines: readonly string[]) =>
  [`url: http://hooks.example.com/${name}`, folder, `events: [${event}]`, ...extraLines].join('\n');
const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

async function hooksOf({ wm }: WithFile): Promise<readonly { id: string }[]> {
  return JSON.parse((await wm(['webhook', 'list', '--json'])).output);
}

/** Opens apply on a terminal, with a file of these entries. */
async function onTerminal(context: TestContext, ...entries: readonly string[]) {
  const stage = await setStage(context);
  const file = join(stage.folder, 'hooks.yaml');
  await writeFile(file, fileOf(...entries));
  const setting = { environment: { TERM: 'xterm' } };
  return (flags = '') => openInProcess(context, stage, `wm webhook apply ${file}${flags}`, setting);
}

test('asks on a terminal (xterm)', async (context) => {
  const apply = await onTerminal(context, inFolder('a', 'TaskCreated'), inFolder('b', 'TaskCreated'));
  const terminal = apply();
  await terminal.shows('Make these 2 changes?', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.text, /Created: http:\/\/hooks.example.com\/b/);
});

test('creates nothing twice if another user applies during the prompt', async (context) => {
  const apply = await onTerminal(context, inFolder('a', 'TaskCreated'));
  const terminal = apply();
  await terminal.shows('Make this change?');
  const otherRun = apply(' --yes');
  assert.equal(await otherRun.ended, 0, otherRun.text);
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 1, terminal.text);
  assert.match(terminal.text, /The plan changed after you confirmed it; nothing was changed/);
  assert.doesNotMatch(terminal.text, /Created:/);
});

test('two runs at once: the second changes nothing', async (context) => {
  const service = await withFile(context);
  const file = await service.write(fileOf(inFolder('a', 'TaskCreated'), inFolder('b', 'TaskCreated')));
  const both = await Promise.all([1, 2].map(() => service.wm(['webhook', 'apply', file, '--yes'])));
  assert.deepEqual(
    both.map(({ status }) => status),
    [0, 0],
    both.map(({ errors }) => errors).join('\n'),
  );
  assert.equal((await hooksOf(service)).length, 2);
});

test('a lost response: does not create a webhook again that it finds, and repeats nothing otherwise', async (context) => {
  const service = await withFile(context);
  const file = await service.write(fileOf(inFolder('a', 'TaskCreated')));
  await service.control('faults', { request: 'createFolderWebhook', cutAfter: 0, when: 'after' });
  const ran = await service.wm(['webhook', 'apply', file, '--yes'], { world: noSleep });
  assert.equal(ran.status, 0, ran.errors);
  const [only, ...more] = await hooksOf(service);
  assert.deepEqual(more, []);
  assert.match(ran.errors, new RegExp(`was lost; the service lists the new webhook ${only?.id}`));

  await service.write(fileOf(inFolder('b', 'TaskCreated')));
  await service.control('faults', { request: 'createFolderWebhook', cutAfter: 0, when: 'before' });
  const interrupted = await service.wm(['webhook', 'apply', file, '--yes'], { world: noSleep });
  assert.equal(interrupted.status, 9, interrupted.errors);
  assert.match(interrupted.errors, /To continue: wm webhook apply .* --yes/);
  assert.equal((await service.wm(['webhook', 'apply', file, '--yes'])).status, 0);
  assert.equal((await hooksOf(service)).length, 2);
});
