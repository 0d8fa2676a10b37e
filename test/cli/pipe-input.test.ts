// Named pipes where a file belongs. Where one can be read, the first signal ends the command, whether anybody writes to the
// pipe or not; where a file of wm's own should be, it is an error at once.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { inside } from '../renewal/inside.ts';
import { stageForAll } from '../renewal/stage.ts';

const skip = process.platform !== 'linux' && 'elsewhere a thread waits for a pipe';

const lines: Readonly<Record<string, (pipe: string) => readonly string[]>> = {
  '--from FIFO': (pipe) => ['task', 'update', '--from', pipe, '--yes'],
  '--from FIFO of one run': (pipe) => ['task', 'update', '--from', pipe, '--dry-run'],
  '@FIFO': (pipe) => ['task', 'update', sample.task, '--description', `@${pipe}`],
};

/** A real `wm`, which has opened the pipe; nobody writes anything. */
async function reader(
  context: TestContext,
  { folder, environment }: Emulated,
  line: readonly string[],
  pipe: string,
) {
  execFileSync('mkfifo', [pipe]);
  const child: ChildProcess = spawn(process.execPath, [resolve('bin/wm.js'), ...line], {
    env: { PATH: process.env['PATH'], ...environment },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  // Whoever opens a pipe for writing waits for its reader.
  const writer = await open(pipe, 'w');
  context.after(async () => {
    child.kill('SIGKILL');
    await writer.close();
  });
  return { child, ended, errors: () => errors };
}

for (const [name, lineFor] of Object.entries(lines)) {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  // One of them is enough for what reads in the same way.
  for (const [signal, status] of name === '--from FIFO' ? signals : signals.slice(0, 1)) {
    test(`${name}: the first ${signal} ends the command`, { skip }, async (context) => {
      const service = await emulated(context);
      const pipe = join(service.folder, 'pipe');
      const { child, ended, errors } = await reader(context, service, lineFor(pipe), pipe);
      child.kill(signal);
      // A signal that comes before the command listens ends the process by itself, which a shell shows as the same status.
      const [code, by] = await ended;
      assert.equal(by === signal ? status : code, status, errors());
    });
  }
}

const { stage } = await stageForAll();
for (const file of ['tokens/default.json', 'profiles.json', 'renewals/default.json']) {
  test(`${file} is a pipe: fails at once with an error that names it`, { skip }, async (context) => {
    await stage.signInAnew();
    await stage.expire();
    const path = join(stage.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    makeFifo(context, path);
    const { status, output, errors } = await inside(stage).wm('whoami');
    await rm(path);
    assert.equal(status, 1, errors);
    assert.equal(output, '');
    assert.ok(errors.includes(path), errors);
    assert.match(errors, /is not a file(?: or a folder)?\n/);
  });
}

/** A file of the system whose read waits for more: the kernel's messages. Root may read it, and only in some containers. */
const endless = '/proc/kmsg';
const hasEndless = await open(endless, 'r').then(
  (file) => file.close().then(() => true),
  () => false,
);

for (const [name, line, input] of [
  ['--from', ['task', 'update', '--from', endless, '--yes'], 'ignore'],
  ['--ids', ['task', 'update', '--ids', endless, '--title', 'x', '--yes'], 'ignore'],
  ['@FILE', ['task', 'update', sample.task, '--description', `@${endless}`], 'ignore'],
  ['--ca', ['task', 'get', sample.task, '--ca', endless], 'ignore'],
  ['--from -', ['task', 'update', '--from', '-', '--yes'], endless],
  ['-', ['task', 'update', sample.task, '--description', '-'], endless],
] as const)
  test(`a file whose read never returns is an error, and the process exits: ${name}`, {
    skip: !hasEndless && `${endless} cannot be read`,
  }, async (context) => {
    const { folder, environment } = await emulated(context);
    const stdin = input === 'ignore' ? undefined : await open(input, 'r');
    const child = spawn(process.execPath, [resolve('bin/wm.js'), ...line], {
      env: { PATH: process.env['PATH'], ...environment },
      cwd: folder,
      stdio: [stdin?.fd ?? 'ignore', 'pipe', 'pipe'],
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    await stdin?.close();
    let errors = '';
    child.stderr?.on('data', (text) => {
      errors += text;
    });
    const [status] = await once(child, 'close');
    assert.ok(status === 1 || status === 2, `${status}: ${errors}`);
    assert.match(errors, /^wm: /);
  });
