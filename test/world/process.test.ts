// Real child processes: their output in whole characters, their status as a shell counts it, signals, and the way in
// which Windows must be told to run a batch file.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProcesses } from '../../src/world/process.ts';
import { windowsCommand } from '../../src/world/process-windows.ts';

const processes = createProcesses();
const posix = process.platform !== 'win32';

if (process.argv[2] === 'self-check') {
  process.exitCode = 0;
} else if (process.argv[2] === 'listen') {
  const stop = processes.onInterrupt((signal) => {
    stop();
    process.stdout.write(`${signal}\n`);
  });
  setInterval(() => {}, 60_000);
  process.stdout.write('ready\n');
} else {
  runTests();
}

function runTests(): void {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wm-process-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('captured output comes in whole characters, and all of it before the end', async () => {
    // One byte at a time, each long enough after the one before to be read by itself.
    const script = `
      for (const byte of Buffer.from('a\\u00e4\\u20ac\\u{1f600}z')) {
        require('fs').writeSync(1, Buffer.from([byte]));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
      process.stderr.write('E'.repeat(300000));
      process.exitCode = 3;`;
    const { status, output, errors } = await run([process.execPath, '-e', script]);
    assert.deepEqual([status, output.join(''), errors.join('').length], [3, 'aä€😀z', 300_000]);
    assert.ok(output.every((piece) => !piece.includes('\ufffd')));
  });

  test('what a child of the child still writes is part of it', { skip: !posix }, async () => {
    const { output } = await run(['sh', '-c', '(sleep 0.3; echo late) & echo early']);
    assert.equal(output.join(''), 'early\nlate\n');
  });

  test('its environment is the one given and its input is closed', async () => {
    const script = `process.stdin.on('end', () => console.log(process.env.ONE, process.env.WM_LEAK)).resume()`;
    process.env['WM_LEAK'] = 'leaked';
    const { output } = await run([process.execPath, '-e', script], { ONE: '1' });
    delete process.env['WM_LEAK'];
    assert.equal(output.join(''), '1 undefined\n');
  });

  test('the end by a signal is 128 and its number', { skip: !posix }, async () => {
    for (const [signal, status] of [
      ['SIGKILL', 137],
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const child = processes.start([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {
        environment: process.env,
        streams: 'captured',
      });
      // At once: before the process even exists.
      child.kill(signal);
      assert.equal(await child.ended, status);
    }
  });

  test('what is not there is 127; what may not be run is 126', { skip: !posix }, async () => {
    const plain = join(folder, 'plain');
    await writeFile(plain, '#!/bin/sh\n');
    assert.equal((await run(['wm-no-such-program'])).status, 127);
    assert.equal((await run([join(folder, 'nothing')])).status, 127);
    assert.equal((await run([plain])).status, 126);
    assert.equal((await run([folder])).status, 126);
    assert.equal((await run([process.execPath, '-e', 'a\0b'])).status, 126);
  });

  test('a program is found by the PATH of the environment given', { skip: !posix }, async () => {
    const program = join(folder, 'wm-test-program');
    await writeFile(program, '#!/bin/sh\necho "$1"\n');
    await chmod(program, 0o755);
    const { status, output } = await run(['wm-test-program', '$HOME; *'], {
      PATH: `${folder}:/bin:/usr/bin`,
    });
    assert.deepEqual([status, output.join('')], [0, '$HOME; *\n']);
  });

  test('itself can be run again', async () => {
    const { status, output } = await run([...processes.self, 'self-check'], process.env);
    assert.equal(status, 0, output.join(''));
  });

  test('an interrupt is heard until it is no longer listened for', { skip: !posix }, async () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'listen'], { stdio: 'pipe' });
      await once(child.stdout, 'data');
      child.kill(signal);
      const [heard] = await once(child.stdout, 'data');
      assert.equal(String(heard), `${signal}\n`);
      child.kill(signal);
      const [, by] = await once(child, 'exit');
      assert.equal(by, signal);
    }
  });

  test('Windows: a batch file goes through cmd.exe, quoted for it and for itself', () => {
    const environment = { Path: 'C:\\one;C:\\two dir', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' };
    const exists = (path: string) => path === 'C:\\two dir\\npx.CMD' || path === 'C:\\one\\git.EXE';
    assert.deepEqual(windowsCommand('npx', ['a b', '%PATH%', 'x"y\\', '&calc'], environment, exists), {
      file: 'C:\\cmd.exe',
      rest: [
        '/d',
        '/s',
        '/c',
        '"C:\\two^ dir\\npx.CMD ^^^"a^^^ b^^^" ^^^"^^^%PATH^^^%^^^" ^^^"x\\^^^"y\\\\^^^" ^^^"^^^&calc^^^""',
      ],
      verbatim: true,
    });
    const git = { file: 'C:\\one\\git.EXE', rest: ['a b'], verbatim: false };
    assert.deepEqual(windowsCommand('git', ['a b'], environment, exists), git);
    const missing = { file: 'nope', rest: [], verbatim: false };
    assert.deepEqual(windowsCommand('nope', [], environment, exists), missing);
  });
}

async function run(command: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = process.env) {
  const output: string[] = [];
  const errors: string[] = [];
  const child = processes.start(command, {
    environment,
    streams: 'captured',
    onOutput: (text) => output.push(text),
    onErrors: (text) => errors.push(text),
  });
  return { status: await child.ended, output, errors };
}
