// The lock, within one process and between processes: never two holders, let go on kill -9, and bounded waiting. More processes at
// once: lock.deep.test.ts.

import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLock } from '#world/lock.ts';
import { isCounting, testCounting } from './lock-counting.ts';

const lock = createLock();
const thisFile = fileURLToPath(import.meta.url);

if (process.argv[2] === 'hold') {
  await lock.acquire(process.argv[3] ?? '', { timeoutMs: 10_000 });
  process.send?.('held');
  setInterval(() => {}, 60_000);
} else if (!(await isCounting())) {
  runTests();
}

function runTests(): void {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wm-lock-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('one holder at a time within a process; the file stays', async () => {
    const path = join(folder, 'new', 'one.lock');
    const first = await lock.acquire(path, { timeoutMs: 0 });
    assert.ok(first);
    assert.equal(await lock.acquire(path, { timeoutMs: 0 }), undefined);
    const waiting = lock.acquire(path, { timeoutMs: 5000 });
    await Promise.all([first.release(), first.release()]);
    const second = await waiting;
    assert.ok(second);
    await first.release();
    assert.equal(await lock.acquire(path, { timeoutMs: 0 }), undefined);
    await second.release();
    await stat(path);
  });

  test('a waiter gives up, but not too early', async () => {
    const path = join(folder, 'wait.lock');
    const held = await lock.acquire(path, { timeoutMs: 0 });
    const before = performance.now();
    assert.equal(await lock.acquire(path, { timeoutMs: 150 }), undefined);
    const took = performance.now() - before;
    // Not before; that it does at all is the rest of it.
    assert.ok(took >= 149, `${took} ms`);
    await held?.release();
  });

  test('another process holds it until kill -9', async () => {
    const path = join(folder, 'killed.lock');
    const holder = start('hold', path);
    await once(holder, 'message');
    assert.equal(await lock.acquire(path, { timeoutMs: 0 }), undefined);
    const waiting = lock.acquire(path, { timeoutMs: 10_000 });
    holder.kill('SIGKILL');
    const held = await waiting;
    assert.ok(held);
    await held.release();
  });

  test('a child process does not keep the lock of its parent', async () => {
    const path = join(folder, 'child.lock');
    const held = await lock.acquire(path, { timeoutMs: 0 });
    const idle = fork(thisFile, ['hold', join(folder, 'other.lock')], { execArgv: [] });
    await once(idle, 'message');
    await held?.release();
    const again = await lock.acquire(path, { timeoutMs: 0 });
    assert.ok(again);
    await again.release();
    idle.kill('SIGKILL');
    await once(idle, 'exit');
  });

  testCounting(thisFile, 'two', ['count-and-delete']);
}

function start(what: string, path: string): ChildProcess {
  return fork(thisFile, [what, path], { execArgv: [] });
}
