// Where the secret that is to be stored comes from, and that it is typed unseen.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { withHooks } from './three-webhooks.ts';

const id = 'IEAAAAAQWAAAAAAAAAA1';
const store = ['webhook', 'secret', id, '--store'];
const show = ['webhook', 'secret', id, '--show'];

test('reads a file, without the line break at its end', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'secret.txt');
  for (const [content, text] of [
    ['the first secret\n', 'the first secret'],
    [' the second \r\n', ' the second '],
    [Buffer.from('\ufeffthe third', 'utf16le'), 'the third'],
  ] as const) {
    await writeFile(path, content);
    const ran = await wm([...store, '--secret-file', path, '--yes']);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal((await wm(show)).output, `${text}\n`);
  }
});

test('an invalid secret is a usage error; nothing is stored', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'secret.txt');
  const from = [...store, '--secret-file', path];
  const tries: [string | Buffer | undefined, RegExp][] = [
    [undefined, /^wm: --secret-file: .*secret\.txt does not exist/],
    ['\n', /^wm: --secret-file: .*secret\.txt is empty/],
    [Buffer.from([0x66, 0xff, 0xfe]), /is neither UTF-8 nor UTF-16 text/],
    ['x'.repeat(65_537), /is larger than 65536 bytes/],
  ];
  for (const [content, message] of tries) {
    if (content !== undefined) await writeFile(path, content);
    const ran = await wm(from);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
  }
  const isFolder = await wm([...store, '--secret-file', folder]);
  assert.match(isFolder.errors, /^wm: --secret-file: cannot read/);
  const both = await wm([...from, '--secret-stdin'], { input: 'x' });
  assert.match(both.errors, /^wm: --secret-file and --secret-stdin cannot be combined/);
  const alone = await wm(['webhook', 'secret', id, '--secret-file', path]);
  assert.match(alone.errors, /^wm: --secret-file needs --store/);
  assert.equal((await wm(['webhook', 'secret', id])).output, `${id}\tnot stored\t\n`);
});

test('reads WM_WEBHOOK_SECRET, and does not show it even if the service echoes it', async (context) => {
  const { wm } = await emulated(context);
  const stored = await wm(store, { environment: { WM_WEBHOOK_SECRET: 'the variable' } });
  assert.equal(stored.status, 0, stored.errors);
  assert.equal((await wm(show)).output, 'the variable\n');
  assert.ok(!`${stored.output}${stored.errors}`.includes('the variable'));
});

test('accepts part of a URL that matches only one webhook', async (context) => {
  const { wm, two } = await withHooks(context);
  assert.equal((await wm(['webhook', 'secret', '/two'])).output, `${two}\tnot stored\t\n`);
  const several = await wm(['webhook', 'secret', 'hooks.example.com']);
  assert.equal(several.status, 2, several.errors);
  assert.match(several.errors, /matches 3 webhooks/);
});

test('prints a line for an .env file that a shell reads unchanged', async (context) => {
  const { wm } = await emulated(context);
  const lines: readonly [secret: string, line: string | undefined][] = [
    ['0123456789abcdef', 'WM_WEBHOOK_SECRET=0123456789abcdef'],
    ['a b#c$d"e`f', `WM_WEBHOOK_SECRET='a b#c$d"e\`f'`],
    ["it's one", undefined],
    ['back\\slash', undefined],
    ['two\nlines', undefined],
  ];
  for (const [secret, line] of lines) {
    const stored = await wm([...store, '--yes'], { environment: { WM_WEBHOOK_SECRET: secret } });
    assert.equal(stored.status, 0, stored.errors);
    const ran = await wm(['webhook', 'secret', id, '--env']);
    assert.equal(ran.output, line === undefined ? '' : `${line}\n`);
    assert.equal(ran.status, line === undefined ? 1 : 0);
    if (line === undefined) assert.match(ran.errors, /To print it alone: --show$/m);
    else if (process.platform !== 'win32')
      assert.equal(
        execFileSync('sh', ['-c', `${line}; printf %s "$WM_WEBHOOK_SECRET"`], { encoding: 'utf8' }),
        secret,
      );
  }
  const json = await wm(['webhook', 'secret', id, '--env', '--json']);
  assert.match(json.errors, /cannot be written to an \.env file/);
  const both = await wm(['webhook', 'secret', id, '--env', '--show']);
  assert.match(both.errors, /^wm: --show and --env cannot be combined/);
});

test('asks before showing it on a terminal', async (context) => {
  const stage = await setStage(context);
  const stored = openInProcess(context, stage, `wm webhook secret ${id} --store`);
  await stored.shows('Secret of webhook', `typed unseen${key.enter}`);
  assert.equal(await stored.ended, 0, stored.text);
  assert.ok(!stored.text.includes('typed'), stored.text);
  const state = openInProcess(context, stage, `wm webhook secret ${id}`);
  await state.shows(`To print it for an .env file: wm webhook secret ${id} --env`);
  assert.equal(await state.ended, 0);
  const no = openInProcess(context, stage, `wm webhook secret ${id} --env`);
  await no.shows('Anyone who has it can forge deliveries', 'n');
  no.type(key.enter);
  assert.equal(await no.ended, 2, no.text);
  assert.ok(!no.text.includes('typed unseen'), no.text);
  const yes = openInProcess(context, stage, `wm webhook secret ${id} --env --yes`);
  await yes.shows("WM_WEBHOOK_SECRET='typed unseen'");
  assert.equal(await yes.ended, 0);
});

test('with --receiver: uses the secret of the journal, and each hint names the journal', async (context) => {
  const { wm, folder } = await emulated(context);
  const journal = join(folder, 'a journal');
  const named = ['webhook', 'secret', '--receiver', '--journal', journal];
  assert.match((await wm([...named, id])).errors, /^wm: --receiver cannot be combined with the id of a web/);
  const alone = await wm(['webhook', 'secret', id, '--journal', journal]);
  assert.match(alone.errors, /^wm: --journal needs --receiver\n/);
  const none = await wm([...named, '--show']);
  assert.equal(none.status, 5, none.errors);
  assert.match(
    none.errors,
    /^wm: No secret is stored for the receiver of .*a journal\n {2}wm webhook listen /,
  );
  const missing = await wm([...named, '--store']);
  const path = join(folder, 'secret.txt');
  await writeFile(path, 'that of the receiver');
  const typed = printedCommand(missing.errors, 'or WM_WEBHOOK_SECRET: ').with(-1, path);
  const [, , location = ''] = (await wm(typed)).output.trimEnd().split('\t');
  assert.equal((await wm([...named, '--show'])).output, 'that of the receiver\n');
  await writeFile(location, 'damaged');
  const damaged = await wm([...named, '--show']);
  const removed = await wm([...printedCommand(damaged.errors, 'store it again: '), '--yes']);
  assert.equal(removed.output, 'receiver\tnot stored\t\n', removed.errors);
  assert.equal((await wm(typed)).status, 0);
});
