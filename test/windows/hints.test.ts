// Commands and their arguments: hints as wm prints them, run by cmd.exe; batch files; arguments that a shell would change.

import assert from 'node:assert/strict';
import { quoteForShell } from '#cli/shell-quote.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { setWindows, testRows } from './wine.ts';

const title = 'Ship the "a b+c&d=é" release % 100% ^ (now) | <x> \\';

testRows(['Commands in hints'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  const updated = await windows.good([
    'task',
    'update',
    sample.task,
    '--title',
    title,
    '--json',
    '--jq',
    '.title',
  ]);
  assert.equal(updated.output, `${title}\n`);

  const plain = 'Size: a & b ^ (now) | <x> = 1, 2; !y';
  await windows.good(['task', 'update', sample.task, '--title', plain]);
  const url = 'https://old.example/a?b=c&d=(e)';
  await windows.good(['webhook', 'create', url, '--events', 'all']);
  for (const [words, text] of [
    ['task get', plain],
    ['webhook get', url],
  ] as const) {
    const line = `wm ${words} ${quoteForShell(text, 'win32')}`;
    const ran = await windows.cmd(line);
    assert.ok(ran.output.includes(text), `${line}\n${ran.errors}`);
  }

  const missing = await windows.wm(['whoami', '--profile', 'x-1']);
  const [, login = ''] = /: (wm login .*)$/m.exec(missing.errors) ?? assert.fail(missing.errors);
  const ran = await windows.cmd(`${login} --no-input`);
  assert.equal(ran.status, 2, ran.errors);
});

testRows(['A batch file as a command (npx.cmd)', '`wm` inside `emulator exec`'], async (test) => {
  const windows = await setWindows(test);
  await windows.put('show.cmd', '@echo off\r\n"%NODE%" -p JSON.stringify(process.argv.slice(1)) -- %*\r\n');
  const words = ['plain', 'a b', 'c&d', 'x"y', '^', 'é'];
  const ran = await windows.good(['emulator', 'exec', '--', windows.path('show.cmd'), ...words]);
  assert.deepEqual(JSON.parse(ran.output), words);
  const list = ['task', 'list', '--limit', '1', '--json', '--jq', '.[0].id'];
  const { output } = await windows.good(['emulator', 'exec', '--', 'wm', ...list]);
  assert.match(output, /^IEAAAAAQ\w+\n$/);
});
