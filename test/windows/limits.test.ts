// What wine cannot do, each shown by a program without wm: docs/platforms.md lists these names, with what the tests do instead. One
// that fails here has become possible.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { setWindows, type Windows, wineLine } from './wine.ts';

function testLimit(name: string, show: (windows: Windows, test: TestContext) => Promise<void>): void {
  test(name, async (context) => show(await setWindows(context), context));
}

testLimit('A pipe of Linux as standard output', async ({ environment }) => {
  const [command = '', ...rest] = wineLine(['-p', '1']);
  const { status, stderr } = spawnSync(command, rest, { env: environment, encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /EBADF|^$/);
});

testLimit('TCP keep-alive on a socket that is not connected yet', async ({ node, emulator }) => {
  const { port } = new URL(emulator.authUrl);
  const connect = `require('net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code)).setKeepAlive(true)`;
  assert.equal((await node(['-e', connect]).ended).output, 'UNKNOWN\n');
});

testLimit('A real path of over 260 characters', async ({ node, path }) => {
  const long = path('a'.repeat(150), 'b'.repeat(150));
  const show = `fs.mkdirSync(process.argv[1], { recursive: true }); fs.realpath.native(process.argv[1], (e) => console.log(e.code))`;
  assert.equal((await node(['-e', show, long]).ended).output, 'UNKNOWN\n');
});

testLimit('Refusing to cut a file opened for appending', async ({ node, put }) => {
  const path = await put('some.txt', 'text');
  const cut = `fs.ftruncateSync(fs.openSync(process.argv[1], 'a')); console.log('cut')`;
  assert.equal((await node(['-e', cut, path]).ended).output, 'cut\n');
});

testLimit('Names that are devices, or end with a dot or a space', async ({ node }) => {
  const write = `for (const n of ['con', 'nul.json', 'dot.', 'space ']) fs.writeFileSync(n, ''); console.log(fs.readdirSync('.').length)`;
  assert.equal((await node(['-e', write]).ended).output, '4\n');
});

testLimit('PowerShell', async ({ node }) => {
  const ask = `const { status, stdout } = require('child_process').spawnSync('powershell', ['-Command', '1']); console.log(status, stdout.length)`;
  assert.equal((await node(['-e', ask]).ended).output, '0 0\n');
});

testLimit("npm's wm.cmd", async ({ cmd, put }) => {
  await put('late.cmd', '@goto #missing# 2>NUL || @echo works\r\n');
  assert.equal((await cmd('late.cmd')).output, '');
});

testLimit('A % in an argument of a batch file', async ({ cmd, put }) => {
  await put('show.cmd', '@echo %*\r\n');
  assert.equal((await cmd('show.cmd %OS%')).output, 'Windows_NT\n');
});
