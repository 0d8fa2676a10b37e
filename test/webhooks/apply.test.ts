// What apply does beside the plan: it asks, reads secrets first, finds what a lost response created, and says how far it got.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { receiverSecret, setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { fileOf, type WithFile, withFile } from './hooks-file/with-file.ts';

const folder = 'scope: {folder: IEAAAAAQI4AB5FLD}';
const inFolder = (name: string, event: string, ...extraLines: readonly string[]) =>
  [`url: http://hooks.example.com/${name}`, folder, `events: [${event}]`, ...extraLines].join('\n');
const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

async function hooksOf({
  wm,
}: WithFile): Promise<readonly { id: string; hookUrl: string; events: string[] }[]> {
  return JSON.parse((await wm(['webhook', 'list', '--json'])).output);
}

test('changes nothing without confirmation, but shows the plan', async (context) => {
  const service = await withFile(context);
  const file = await service.write(fileOf(inFolder('a', 'TaskCreated')));
  const ran = await service.wm(['webhook', 'apply', file]);
  assert.equal(ran.status, 2);
  assert.match(
    ran.errors,
    /^ {2}create http:\/\/hooks.example.com\/a for folder IEAAAAAQI4AB5FLD: the service has no such webhook$/m,
  );
  assert.match(ran.errors, /Not confirmed: Make this change\?/);
  assert.deepEqual(await hooksOf(service), []);
});

test('creates nothing if a filter uses a custom field that the account does not have', async (context) => {
  const service = await withFile(context);
  const filter = 'parameterisedEvents: [{event: TaskCustomFieldChanged, customFields: [IEAAAAAQJUAB5TXX]}]';
  const file = await service.write(
    fileOf(inFolder('a', 'TaskCreated'), `url: http://hooks.example.com/b\n${folder}\n${filter}`),
  );
  const ran = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(ran.status, 2, ran.errors);
  const message = `wm: parameterisedEvents of ${file}: the account has no custom field "IEAAAAAQJUAB5TXX"\n`;
  assert.ok(ran.errors.includes(message), ran.errors);
  assert.match(ran.errors, /would never deliver anything/);
  assert.deepEqual(await hooksOf(service), []);
});

test('asks on a terminal (xterm)', async (context) => {
  const stage = await setStage(context);
  await writeFile(
    join(stage.folder, 'hooks.yaml'),
    fileOf(inFolder('a', 'TaskCreated'), inFolder('b', 'TaskCreated')),
  );
  const terminal = openInProcess(
    context,
    { ...stage, environment: { ...stage.environment, TERM: 'xterm' } },
    `wm webhook apply ${join(stage.folder, 'hooks.yaml')}`,
  );
  await terminal.shows('Make these 2 changes?');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.text, /Created: http:\/\/hooks.example.com\/b/);
});

test('creates nothing twice if another user applies during the prompt', async (context) => {
  const stage = await setStage(context);
  await writeFile(join(stage.folder, 'hooks.yaml'), fileOf(inFolder('a', 'TaskCreated')));
  const terminal = openInProcess(context, stage, `wm webhook apply ${join(stage.folder, 'hooks.yaml')}`);
  await terminal.shows('Make this change?');
  const otherRun = openInProcess(
    context,
    stage,
    `wm webhook apply ${join(stage.folder, 'hooks.yaml')} --yes`,
  );
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

test('prints the webhooks as they are afterwards; --json says what was replaced', async (context) => {
  const service = await withFile(context);
  const old = await service.create(
    'http://hooks.example.com/a',
    '--folder',
    'IEAAAAAQI4AB5FLD',
    '--events',
    'TaskCreated',
  );
  await service.create('http://hooks.example.com/gone');
  const file = await service.write(fileOf(inFolder('a', 'TaskDeleted', 'label: mine')));
  const ran = await service.wm(['webhook', 'apply', file, '--yes', '--json', '--delete-others']);
  assert.equal(ran.status, 0, ran.errors);
  const [replaced, deleted] = JSON.parse(ran.output);
  const [only, ...more] = await hooksOf(service);
  assert.deepEqual(more, []);
  assert.deepEqual(only?.events, ['TaskDeleted']);
  assert.deepEqual([replaced.change, replaced.id, replaced.replaced], ['replace', only?.id, old]);
  assert.equal(deleted.change, 'delete');
  assert.match(ran.errors, new RegExp(`Created: .*\n.*Deleted: http://hooks.example.com/a \\(${old}\\)`));
  const again = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.match(again.errors, /Nothing differs from the file/);
  const exported = await service.wm(['webhook', 'export']);
  assert.match(exported.output, /label: mine/);
  assert.doesNotMatch(exported.output, /notShown/);
});

test('a blocked change stops the run; the hint names the flag or the diff', async (context) => {
  const service = await withFile(context, { mode: 'bare' });
  await service.create('http://hooks.example.com/a', '--folder', 'IEAAAAAQI4AB5FLD');
  const file = await service.write(
    fileOf(inFolder('a', 'TaskCreated'), inFolder('a', 'TaskDeleted'), inFolder('new', 'TaskCreated')),
  );
  const ran = await service.wm(['webhook', 'apply', file, '--delete-others', '--yes']);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /cannot be brought in line with the file; nothing was changed/);
  const again = printedCommand(ran.errors, 'To replace them anyway: ');
  assert.deepEqual(again.slice(3), ['--delete-others', '--yes', '--replace-unknown']);
  assert.equal((await hooksOf(service)).length, 1);
  const flagged = await service.wm(again);
  assert.equal(flagged.status, 0, flagged.errors);
  assert.equal((await hooksOf(service)).length, 3);

  await service.write(fileOf(`url: http://hooks.example.com/b\n${folder}\nnotShown: [events]`));
  const incomplete = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(incomplete.status, 2);
  assert.match(incomplete.errors, /To see which: wm webhook diff /);
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

test('reads secrets from variables before sending anything, and never prints them', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const file = join(stage.folder, 'hooks.yaml');
  const text = (reference: string) =>
    fileOf(inFolder('a', 'TaskCreated'), inFolder('b', 'TaskCreated', `secret: ${reference}`));
  await writeFile(file, text('{variable: BILLING}'));
  const wm = (environment: Record<string, string>, ...argv: string[]) =>
    run(argv, { environment: { ...stage.environment, ...environment } });
  const without = await wm({}, 'webhook', 'apply', file, '--yes');
  assert.equal(without.status, 2);
  assert.match(
    without.errors,
    /BILLING is not set\n {2}Set it to the secret of the webhook http:\/\/hooks.example.com\/b on line/,
  );
  const empty = await wm({ BILLING: '' }, 'webhook', 'apply', file, '--yes');
  assert.equal(empty.status, 2);
  assert.match(
    empty.errors,
    /BILLING is empty\n {2}Set it to the secret of the webhook .* of .*hooks.yaml\./,
  );
  await writeFile(
    file,
    `${text('{variable: BILLING}')}${fileOf(inFolder('d', 'TaskCreated', 'secret: {variable: OTHER}')).split('webhooks:\n')[1]}`,
  );
  const both = await wm({}, 'webhook', 'apply', file, '--yes');
  assert.match(
    both.errors,
    /2 secrets are missing; nothing was changed\n {2}BILLING is not set\. .*\n {2}OTHER is not/,
  );
  assert.equal((await wm({}, 'webhook', 'list', '-q')).output, '');
  await writeFile(file, text('{variable: BILLING}'));
  const ran = await wm({ BILLING: receiverSecret }, 'webhook', 'apply', file, '--yes');
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(!`${ran.output}${ran.errors}`.includes(receiverSecret));
  await writeFile(file, text('{stored: IEAAAAAQW1}').replaceAll('/b', '/c'));
  const unstored = await wm({ WM_TOKEN_STORE: 'file' }, 'webhook', 'apply', file, '--yes');
  assert.equal(unstored.status, 2, unstored.errors);
  assert.match(unstored.errors, /No secret is stored for IEAAAAAQW1/);
});

test('a failure halfway: exit 8, with what was done and the command that continues', async (context) => {
  const service = await withFile(context);
  const file = await service.write(
    fileOf(
      inFolder('a', 'TaskCreated'),
      `url: http://hooks.example.com/b\nscope: {folder: IEAAAAAQI4NONONO}\nevents: all`,
    ),
  );
  const ran = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, /\tcreate\thttp:\/\/hooks.example.com\/a\t/);
  assert.match(ran.errors, /1 of 2 changes were completed\n {2}create http:\/\/hooks.example.com\/b: /);
  assert.match(ran.errors, /To continue: wm webhook apply /);
  await service.write(
    fileOf(`url: http://hooks.example.com/b\nscope: {folder: IEAAAAAQI4NONONO}\nevents: all`),
  );
  assert.equal((await service.wm(['webhook', 'apply', file, '--yes'])).status, 5, 'nothing was changed');
});

test('--dry-run shows the requests in order and changes nothing', async (context) => {
  const service = await withFile(context);
  const ids = [
    await service.create(
      'http://hooks.example.com/a',
      '--folder',
      'IEAAAAAQI4AB5FLD',
      '--events',
      'TaskCreated',
    ),
    await service.create(
      'http://hooks.example.com/s',
      '--folder',
      'IEAAAAAQI4AB5FLD',
      '--events',
      'TaskCreated',
    ),
    await service.create('http://hooks.example.com/x'),
  ];
  const file = await service.write(
    fileOf(
      inFolder('a', 'TaskDeleted', 'status: Suspended', 'secret: {variable: NOT_SET}'),
      inFolder('s', 'TaskCreated', 'status: Suspended'),
    ),
  );
  const ran = await service.wm(['webhook', 'apply', file, '--dry-run', '--delete-others', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const requests = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    requests.map(({ method, url }) => `${method} ${url.replace(/^.*\/api\/v4/, '')}`),
    [
      'POST /folders/IEAAAAAQI4AB5FLD/webhooks',
      'PUT /webhooks/NEW_ID?status=Suspended',
      `DELETE /webhooks/${ids[0]}`,
      `PUT /webhooks/${ids[1]}?status=Suspended`,
      `DELETE /webhooks/${ids[2]}`,
    ],
  );
  assert.match(requests[0].body, /secret=\$NOT_SET$/);
  assert.equal((await hooksOf(service)).length, 3);
  const curl = await service.wm(['webhook', 'apply', file, '--curl']);
  assert.match(curl.output, /curl .*\n.*-X POST/);
  assert.match(curl.output, /"secret=\$NOT_SET"/);
  assert.doesNotMatch(curl.output, /WM_WEBHOOK_SECRET/);
});
