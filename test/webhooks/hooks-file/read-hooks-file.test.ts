// Files of webhooks in odd encodings, and hostile ones, of which none takes long to reject. Mistakes are in
// test/transcript/webhook-file-mistakes.txt.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testRejected } from './rejected-file.ts';
import { fileOf, withFile } from './with-file.ts';

const url = 'url: http://hooks.example.com/a';
const all = 'events: all';
const account = 'scope: account';

test('accepts a byte order mark and Windows line endings', async (context) => {
  const { wm, write } = await withFile(context);
  const file = await write(`\ufeff${fileOf(`${url}\n${account}\n${all}`)}`.replaceAll('\n', '\r\n'));
  assert.match((await wm(['webhook', 'diff', file])).output, /^create\t\thttp:..hooks.example.com.a\t/);
});

test('rejects a URL the service never delivers to, except against a service on this machine', async (context) => {
  const { wm, write } = await withFile(context);
  const file = await write(fileOf(`url: http://127.0.0.1:8080/\n${account}\n${all}`));
  const remote = { WM_HOST: 'api.example.com' };
  const ran = await wm(['webhook', 'diff', file], { environment: remote });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /line 3: url: "http:\/\/127.0.0.1:8080\/" has port 8080/);
  assert.equal((await wm(['webhook', 'diff', file])).status, 10);
});

for (const [description, text] of [
  ['deep lists in a line', '- '.repeat(50_000)],
  ['deep flow lists', `version: ${'['.repeat(8_000)}`],
  ['deep flow maps', '{a: '.repeat(5_000)],
  ['a deep tree', Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ['an indentation of a million', `version: 1\n${' '.repeat(1_000_000)}a: 1`],
  [
    'a bomb of aliases',
    [
      'a0: &a0 [x, x, x]',
      ...Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`),
    ].join('\n'),
  ],
  ['bytes that are no text', Buffer.from([0xc3, 0x28, 0xff])],
  ['a huge file', Buffer.alloc(3 * 1024 * 1024, 0x20)],
] as const) {
  testRejected(description, text);
}

test('reads standard input, JSON and UTF-16; rejects a missing file and a folder', async (context) => {
  const { wm, folder } = await withFile(context);
  const json = '{"version": 1, "webhooks": []}';
  assert.equal((await wm(['webhook', 'diff', '-'], { input: json })).status, 0);
  const file = join(folder, 'utf16.yaml');
  await writeFile(file, Buffer.from(`\ufeff${json}`, 'utf16le'));
  assert.equal((await wm(['webhook', 'diff', file])).status, 0);
  const missing = await wm(['webhook', 'diff', join(folder, 'none.yaml')]);
  assert.equal(missing.status, 2);
  assert.match(missing.errors, /none.yaml does not exist\n {2}To write one: wm webhook export > hooks.yaml/);
  const isFolder = await wm(['webhook', 'diff', folder]);
  assert.equal(isFolder.status, 2);
  assert.match(isFolder.errors, /Cannot read/);
  const noText = await wm(['webhook', 'diff', '-'], { input: 'just text' });
  assert.match(noText.errors, /^wm: Standard input has a mistake/);
});
