// The standard streams of real processes: flushed output, readers that go away, input with a limit, and the
// difference between a pipe and a terminal. This file runs itself as those processes.

import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createStreams } from '#world/streams.ts';

const streams = createStreams();
const self = fileURLToPath(import.meta.url);

const roles: Record<string, () => Promise<void>> = {
  async flush() {
    await streams.output.write('x'.repeat(1_000_000));
    process.kill(process.pid, 'SIGKILL');
  },
  async forever() {
    const late = Date.now() + 10_000;
    for (let i = 0; i < 100_000 && Date.now() < late; i++) await streams.output.write(`${i}\n`);
    await streams.errors.write('went on quietly');
  },
  async raw() {
    streams.output.raw.write('x'.repeat(1_000_000));
    await streams.errors.write('raw');
  },
  async full() {
    const error = await streams.output.write('x').then(
      () => 'no error',
      (error) => `${error.name}: ${error.message}`,
    );
    await streams.errors.write(error);
  },
  async long() {
    const error = await streams.output.write('x'.repeat(10_000)).then(
      () => 'no error',
      (error) => error.name,
    );
    await streams.errors.write(error);
  },
  async read() {
    try {
      const bytes = await streams.input.readAll(100_000);
      await streams.output.write(`${bytes.length} ${Buffer.from(bytes).toString('hex').slice(0, 8)}`);
    } catch (error) {
      await streams.output.write(error instanceof RangeError ? 'RangeError' : String(error));
    }
  },
  async untouched() {
    const { input, output, errors } = streams;
    await output.write(
      JSON.stringify([input.isTerminal, output.isTerminal, errors.isTerminal, output.columns ?? null]),
    );
  },
};

const role = roles[process.argv[2] ?? ''];
if (role) await role();
else runTests();

function runTests(): void {
  test('a resolved write has reached the system', async () => {
    const child = start('flush');
    const [output] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
    assert.equal(output.length, 1_000_000);
  });

  for (const roleName of ['forever', 'raw']) {
    test(`a reader that disconnects ends the output quietly (${roleName})`, async () => {
      const child = start(roleName);
      child.stdout.once('data', () => child.stdout.destroy());
      const [errors, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
      assert.deepEqual([code, errors], [0, roleName === 'raw' ? 'raw' : 'went on quietly']);
    });
  }

  test('output lost for another reason is an error', { skip: !existsSync('/dev/full') }, async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [self, 'full'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    assert.ok(child.stderr);
    const [errors, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    assert.equal(code, 0);
    assert.match(errors, /^UnwritableOutput: .*ENOSPC/);
  });

  test('a partial write to a file is an error', {
    skip: process.platform === 'win32' && 'no ulimit there',
  }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'wm-streams-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'output');
    const script = `trap '' XFSZ; ulimit -f 8; exec "$@" > '${path}'`;
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, self, 'long'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const errors = await textOf(child.stderr);
    assert.equal(errors, 'UnwritableOutput');
    const { size } = await stat(path);
    assert.ok(size > 0 && size < 10_000, `${size} bytes`);
  });

  test('reads the whole input, byte for byte', async () => {
    const child = start('read');
    child.stdin.end(Buffer.concat([Buffer.from([0xff, 0x00, 0xfe, 0x0a]), Buffer.alloc(99_996)]));
    assert.equal(await textOf(child.stdout), '100000 ff00fe0a');
  });

  test('too much input is a RangeError, however much there is', async () => {
    const child = start('read');
    child.stdin.on('error', () => {});
    child.stdin.write(Buffer.alloc(100_001));
    assert.equal(await textOf(child.stdout), 'RangeError');
  });

  test('pipes are not terminals, and an open unread input does not keep a process alive', async () => {
    const child = start('untouched');
    const [output, [code]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
    assert.deepEqual([code, JSON.parse(output)], [0, [false, false, false, null]]);
  });

  test('detects a terminal and its width', async () => {
    // Not a bundler's business: it loads a binary.
    const { spawn: spawnTerminal } = createRequire(import.meta.url)('@lydell/node-pty');
    const terminal = spawnTerminal(process.execPath, [self, 'untouched'], { cols: 72, rows: 20 });
    let output = '';
    terminal.onData((text: string) => {
      output += text;
    });
    await new Promise((resolve) => terminal.onExit(resolve));
    assert.deepEqual(JSON.parse(output), [true, true, true, 72]);
  });
}

function start(what: string): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [self, what], { stdio: 'pipe' });
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await once(stream, 'close');
  return text;
}
