// Real child processes: their output in whole characters, their status as a shell counts it, signals, and the way in
// which Windows must be told to run a batch file.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AnotherCommand, argumentsOf, throughBatchFile } from '#test/support/process/cmd-exe.ts';
import { createProcesses } from '#world/process.ts';
import { resolveWindowsCommand } from '#world/windows-command.ts';
import { testBatchFileArguments } from './batch-file-arguments.ts';

const processes = createProcesses();
const posix = process.platform !== 'win32';

if (process.argv[2] === 'self-check') {
  process.exitCode = 0;
} else if (process.argv[2] === 'listen') {
  let heard = 0;
  const stop = processes.onInterrupt((signal) => {
    heard++;
    if (heard === 3) stop();
    process.stdout.write(`${signal}\n`);
  });
  setInterval(() => {}, 60_000);
  process.stdout.write('ready\n');
} else if (process.argv[2] === 'hang') {
  // A call of which the system does not return, as from a disk that hangs: nobody will write to the pipe.
  open(process.argv[3] ?? '', () => {});
  processes.onInterrupt(() => {});
  setImmediate(() => {
    processes.giveUpDisk();
    process.exit(143);
  });
} else {
  runTests();
}

function runTests(): void {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wm-process-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('exits without waiting for the disk', { skip: !posix, timeout: 30_000 }, async () => {
    const pipe = join(folder, 'nobody-writes');
    execFileSync('mkfifo', [pipe]);
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'hang', pipe]);
    assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
  });

  test('captures output in whole characters, and all of it before the exit', async () => {
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

  test('captures output that a grandchild still writes', { skip: !posix }, async () => {
    // The child of the child waits until the shell is gone.
    const script = '(while kill -0 $$ 2>/dev/null; do :; done; echo late) & echo early';
    const { output } = await run(['sh', '-c', script]);
    assert.equal(output.join(''), 'early\nlate\n');
  });

  test('its environment is the one given, and its input is closed', async () => {
    const script = `process.stdin.on('end', () => console.log(process.env.ONE, process.env.WM_LEAK)).resume()`;
    process.env['WM_LEAK'] = 'leaked';
    const { output } = await run([process.execPath, '-e', script], { ONE: '1' });
    delete process.env['WM_LEAK'];
    assert.equal(output.join(''), '1 undefined\n');
  });

  test('death by a signal is 128 plus its number', { skip: !posix }, async () => {
    for (const [signal, status] of [
      ['SIGKILL', 137],
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const child = processes.start([process.execPath, '-e', 'setInterval(() => {}, 1000)'], {
        environment: process.env,
        streams: 'pipe',
      });
      // At once: before the process even exists.
      child.kill(signal);
      assert.equal(await child.ended, status);
    }
  });

  test('ends a whole process group, even if its leader has exited', {
    skip: !posix,
  }, async () => {
    // Without the signal, what is left ends by itself, and says nothing.
    const inner = `trap 'echo inner ended; kill $!; exit' TERM; sleep 20 & echo inner; wait`;
    const script = `sh -c "$INNER" & echo outer; exec sleep 20`;
    const output: string[] = [];
    let onBoth = () => {};
    const both = new Promise<void>((resolve) => {
      onBoth = resolve;
    });
    const child = processes.start(['sh', '-c', script], {
      environment: { ...process.env, INNER: inner },
      streams: 'pipe',
      ownGroup: true,
      onOutput(text) {
        output.push(text);
        if (/inner\n/.test(output.join('')) && /outer\n/.test(output.join(''))) onBoth();
      },
    });
    await both;
    child.kill('SIGTERM');
    assert.equal(await child.ended, 143);
    assert.match(output.join(''), /inner ended\n/);
    // Nobody is left, and that is no error.
    child.kill('SIGKILL');
  });

  test('a missing program is 127; one that is not executable is 126', { skip: !posix }, async () => {
    const plain = join(folder, 'plain');
    await writeFile(plain, '#!/bin/sh\n');
    assert.equal((await run(['wm-no-such-program'])).status, 127);
    assert.equal((await run([join(folder, 'nothing')])).status, 127);
    assert.equal((await run([plain])).status, 126);
    assert.equal((await run([folder])).status, 126);
    assert.equal((await run([process.execPath, '-e', 'a\0b'])).status, 126);
  });

  test('finds a program by the PATH of the environment given', { skip: !posix }, async () => {
    const program = join(folder, 'wm-test-program');
    await writeFile(program, '#!/bin/sh\necho "$1"\n');
    await chmod(program, 0o755);
    const { status, output } = await run(['wm-test-program', '$HOME; *'], {
      PATH: `${folder}:/bin:/usr/bin`,
    });
    assert.deepEqual([status, output.join('')], [0, '$HOME; *\n']);
  });

  test('can run itself again', async () => {
    const { status, output } = await run([...processes.self, 'self-check'], process.env);
    assert.equal(status, 0, output.join(''));
  });

  test('reports interrupts until the listener is removed', { skip: !posix }, async () => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'listen'], { stdio: 'pipe' });
    await once(child.stdout, 'data');
    for (const signal of signals) {
      child.kill(signal);
      const [heard] = await once(child.stdout, 'data');
      assert.equal(String(heard), `${signal}\n`);
    }
    // Its third signal was the last that it listened for.
    child.kill('SIGINT');
    const [, by] = await once(child, 'exit');
    assert.equal(by, 'SIGINT');
  });

  test('Windows: Ctrl-Break is an interrupt', () => {
    const heard: string[] = [];
    // Where there is no such signal, it is an event like any other.
    const stop = createProcesses('win32').onInterrupt((signal) => heard.push(signal));
    process.emit('SIGBREAK', 'SIGBREAK');
    stop();
    process.emit('SIGBREAK', 'SIGBREAK');
    createProcesses('linux').onInterrupt(() => assert.fail('only there'))();
    assert.deepEqual(heard, ['SIGINT']);
  });

  test('Windows: finds a command as cmd.exe does, but never in the current folder', () => {
    const existingPaths = [
      'C:\\two dir\\npx.CMD',
      'C:\\one\\git.EXE',
      'C:\\one\\python3.11.EXE',
      'C:\\a;b\\tool.exe',
    ];
    const environment = {
      Path: 'C:\\one;"C:\\two dir";"C:\\a;b"',
      PATHEXT: '.EXE;.CMD',
      ComSpec: 'C:\\cmd.exe',
    };
    const resolved = (command: string) =>
      resolveWindowsCommand(command, ['a b'], environment, (path) => existingPaths.includes(path));
    const itself = (file: string) => ({ file, args: ['a b'], verbatim: false });
    assert.deepEqual(resolved('git'), itself('C:\\one\\git.EXE'));
    assert.deepEqual(resolved('python3.11'), itself('C:\\one\\python3.11.EXE'));
    assert.deepEqual(resolved('tool.exe'), itself('C:\\a;b\\tool.exe'));
    assert.deepEqual(resolved('nope'), itself('nope'));
    assert.equal(resolved('npx').file, 'C:\\cmd.exe');
  });

  testBatchFileArguments(100);

  test('Windows: does not run what cannot pass through cmd.exe', async () => {
    const environment = { PATH: folder, PATHEXT: '.CMD', ComSpec: process.execPath };
    await writeFile(join(folder, 'tool.CMD'), '');
    // Where node:path is not Windows's, a folder and a name are joined in another way than here.
    const command = posix ? `${folder}/tool` : 'tool';
    const child = createProcesses('win32').start([command, 'a\nb'], { environment, streams: 'pipe' });
    assert.equal(await child.ended, 126);
  });

  test('the model of cmd.exe detects what an argument must not do', () => {
    const shell = { variables: { PATH: 'C:\\secret' }, currentFolder: 'C:\\' };
    const through = (line: string) =>
      throughBatchFile(['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], shell);
    assert.throws(() => through('x.cmd a & calc'), AnotherCommand);
    assert.throws(
      () => through('x.cmd ^& calc'),
      AnotherCommand,
      'read twice, it would have to be escaped twice',
    );
    assert.throws(() => through('x.cmd "a" & calc"'), AnotherCommand);
    assert.deepEqual(through('x.cmd "%PATH%" ^^^%PATH:s=x^^^%').rest, ['C:\\secret', 'C:\\xecret']);
    assert.deepEqual(argumentsOf('p a\\\\"b c" "d""e" \\" f\\g'), ['p', 'a\\b c', 'd"e', '"', 'f\\g']);
  });
}

async function run(command: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = process.env) {
  const output: string[] = [];
  const errors: string[] = [];
  const child = processes.start(command, {
    environment,
    streams: 'pipe',
    onOutput: (text) => output.push(text),
    onErrors: (text) => errors.push(text),
  });
  return { status: await child.ended, output, errors };
}
