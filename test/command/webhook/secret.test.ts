// Where the secret that is to be stored comes from, and that it is typed unseen.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { key, openTerminal, skip } from '../../terminal/terminal.ts';
import { setStage } from '../../transcript/stage.ts';
import { emulated } from '../emulated.ts';
import { withHooks } from './three-webhooks.ts';

const id = 'IEAAAAAQWAAAAAAAAAA1';
const store = ['webhook', 'secret', id, '--store'];
const show = ['webhook', 'secret', id, '--show'];

test('from a file, without the line break at its end', async (context) => {
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

test('what is no secret is a usage error, and nothing is stored', async (context) => {
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

test('from WM_WEBHOOK_SECRET, and it is not shown even if the service echoes it', async (context) => {
  const { wm } = await emulated(context);
  const stored = await wm(store, { environment: { WM_WEBHOOK_SECRET: 'the variable' } });
  assert.equal(stored.status, 0, stored.errors);
  assert.equal((await wm(show)).output, 'the variable\n');
  assert.ok(!`${stored.output}${stored.errors}`.includes('the variable'));
});

test('a webhook is meant by a part of its URL, but only one', async (context) => {
  const { wm, two } = await withHooks(context);
  assert.equal((await wm(['webhook', 'secret', '/two'])).output, `${two}\tnot stored\t\n`);
  const several = await wm(['webhook', 'secret', 'hooks.example.com']);
  assert.equal(several.status, 2, several.errors);
  assert.match(several.errors, /matches 3 webhooks/);
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`typed at a hidden prompt, TERM=${TERM}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const setting = { environment: { TERM } };
    const terminal = openTerminal(context, stage, `wm webhook secret ${id} --store`, setting);
    await terminal.shows(`Secret of webhook ${id}`);
    terminal.type(`typed unseen${key.enter}`);
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(!terminal.text.includes('typed'), terminal.text);
    const shown = openTerminal(context, stage, `wm webhook secret ${id} --show`, setting);
    await shown.shows('typed unseen');
    assert.equal(await shown.ended, 0);
  });
}
