// Who holds a lock, for whoever waits: written by the holder, read by the waiter, and safe to print whatever somebody has
// put there. And how long one waits, on a clock that the test moves.

import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tryLock } from 'fs-native-extensions';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createLock, type KernelLock } from '#world/lock.ts';
import type { LockHolder, LockOptions } from '#world/world.ts';

if (process.argv[2] === 'hold') {
  await createLock().acquire(process.argv[3] ?? '', { timeoutMs: 10_000 });
  process.send?.('held');
  process.on('disconnect', () => process.exit());
} else {
  runTests();
}

function runTests(): void {
  let folder = '';
  let count = 0;
  const newPath = () => join(folder, `${++count}.lock`);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wm-lock-holder-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const platform of ['linux', 'win32'] as const) {
    const lock = createLock(platform);
    const holder = (pid: number, isPrompting: boolean) => ({
      pid,
      isPrompting,
      continueCommand: platform === 'win32' ? undefined : `kill -CONT ${pid}`,
    });

    test(`${platform}: the holder is this process, until it releases the lock`, async () => {
      const path = newPath();
      assert.equal(await lock.holder(path), undefined);
      assert.equal(await lock.isHeld(path), false);
      const held = await lock.acquire(path, { timeoutMs: 0 });
      assert.deepEqual(await lock.holder(path), holder(process.pid, false));
      assert.equal(await lock.isHeld(path), true);
      lock.setPrompting(true);
      assert.deepEqual(await lock.holder(path), holder(process.pid, true));
      lock.setPrompting(false);
      assert.deepEqual(await lock.holder(path), holder(process.pid, false));
      await held?.release();
      assert.equal(await lock.holder(path), undefined);
      assert.equal(await lock.isHeld(path), false);
      lock.setPrompting(true);
      lock.setPrompting(false);
      assert.equal(await lock.holder(path), undefined);
    });
  }

  test("takes its disk, its pid and the kernel's lock from outside", async () => {
    const locked = new Set<number>();
    const kernel: KernelLock = {
      tryLock: (descriptor: number) => locked.size === 0 && locked.add(descriptor).has(descriptor),
      unlock: (descriptor: number) => void locked.delete(descriptor),
    };
    const calls: string[] = [];
    const { promises, ...others } = process.getBuiltinModule('node:fs');
    const system: FileSystem = {
      ...others,
      promises: {
        ...promises,
        open(path, flags, mode) {
          calls.push(path);
          return promises.open(path, flags, mode);
        },
      },
    };
    const path = newPath();
    const simulated = createLock('linux', undefined, system, undefined, 4242, async () => kernel);
    const held = await simulated.acquire(path, { timeoutMs: 0 });
    assert.equal((await simulated.holder(path))?.pid, 4242);
    assert.equal(await simulated.isHeld(path), true);
    assert.equal(await createLock('linux').isHeld(path), false, 'the real kernel knows nothing of it');
    await held?.release();
    assert.equal(await simulated.isHeld(path), false);
    assert.deepEqual(new Set(calls), new Set([path]));
    assert.equal(calls.length, 4, 'each call that opens the file');
  });

  const lock = createLock('linux');
  const holder = (pid: number, isPrompting: boolean) => ({
    pid,
    isPrompting,
    continueCommand: `kill -CONT ${pid}`,
  });

  test('names another process that holds it, and after kill -9 the next holder', async () => {
    const path = newPath();
    const otherHolder = fork(fileURLToPath(import.meta.url), ['hold', path], { execArgv: [] });
    await once(otherHolder, 'message');
    assert.equal((await lock.holder(path))?.pid, otherHolder.pid);
    assert.equal(await lock.isHeld(path), true);
    otherHolder.kill('SIGKILL');
    await once(otherHolder, 'exit');
    assert.equal(await lock.isHeld(path), false);
    assert.equal((await lock.holder(path))?.pid, otherHolder.pid, 'looking changes nothing');
    const held = await lock.acquire(path, { timeoutMs: 10_000 });
    assert.equal((await lock.holder(path))?.pid, process.pid);
    await held?.release();
  });

  test('after a handover, the holder is the process that has inherited it', async () => {
    const path = newPath();
    const held = await lock.acquire(path, { timeoutMs: 0 });
    await held?.handOverTo(4711);
    assert.deepEqual(await lock.holder(path), holder(4711, false));
    const adopted = await lock.adopt(openSync(path, 'a+'), path);
    assert.equal((await lock.holder(path))?.pid, process.pid);
    await adopted.release();
    assert.equal(await lock.holder(path), undefined);
  });

  test('ignores other content of the file', async () => {
    const path = newPath();
    for (const text of [
      '',
      '12',
      '0\n',
      '-1\n',
      '12\nmore\n',
      '\u001b[2J12\n',
      '12; rm -rf ~\n',
      '12 prompting \n',
      '99999999999\n',
      '9'.repeat(100_000),
    ]) {
      await writeFile(path, text);
      assert.equal(await lock.holder(path), undefined, JSON.stringify(text.slice(0, 20)));
    }
    await rm(path);
    execFileSync('mkfifo', [path]);
    assert.equal(await lock.holder(path), undefined);
    assert.equal(await lock.holder(folder), undefined);
  });

  /** A waiter on a lock that this process holds, with the time in the test's hand. */
  async function waiting(options: LockOptions) {
    const path = newPath();
    const held = await lock.acquire(path, { timeoutMs: 0 });
    assert.ok(held);
    let isAsleep = false;
    const clock = createTestClock((milliseconds) => {
      // The other wait is for what it says after three seconds.
      isAsleep ||= milliseconds < 100;
    });
    let result: 'waiting' | 'held' | 'gave up' = 'waiting';
    const holders: (LockHolder | undefined)[] = [];
    const taken = createLock('linux', clock)
      .acquire(path, { ...options, onWait: (by) => holders.push(by) })
      .then(async (second) => {
        result = second ? 'held' : 'gave up';
        await second?.release();
      });
    /** Moves the time once the waiter sleeps, and comes back when it has looked, and sleeps again or has ended. */
    const move = async (by: (clock: TestClock) => void) => {
      const settled = async () => {
        while (!isAsleep && result === 'waiting') await clock.nextTurn();
      };
      await settled();
      isAsleep = false;
      by(clock);
      await settled();
      return result;
    };
    return {
      held,
      taken,
      holders,
      move,
      after: (milliseconds: number) => move((clock) => clock.advance(milliseconds)),
    };
  }

  test('reports the holder once, after three seconds', async () => {
    const { held, taken, holders, after } = await waiting({ timeoutMs: 60_000 });
    assert.equal(await after(2900), 'waiting');
    assert.deepEqual(holders, []);
    assert.equal(await after(200), 'waiting');
    while (holders.length === 0) await after(25);
    assert.equal(await after(10_000), 'waiting');
    assert.deepEqual(holders, [holder(process.pid, false)]);
    await held.release();
    assert.equal(await after(25), 'held');
    await taken;
  });

  /** As those hold it who look whether it is held, for longer. */
  async function lookAt(path: string): Promise<{ end(): void }> {
    await writeFile(path, '');
    const descriptor = openSync(path, 'r');
    assert.ok(tryLock(descriptor, 0, 0, { shared: true }));
    return { end: () => closeSync(descriptor) };
  }

  test('with no wait allowed, still takes a lock that another process only inspects', async () => {
    const path = newPath();
    const look = await lookAt(path);
    const clock = createTestClock(() => {
      look.end();
      clock.advance(25);
    });
    const held = await createLock('linux', clock).acquire(path, { timeoutMs: 0 });
    assert.ok(held);
    assert.equal(clock.waits.length, 1);
    await held.release();
  });

  test('gives up if the inspection does not end', async () => {
    const path = newPath();
    const look = await lookAt(path);
    const clock = createTestClock(() => clock.advance(25));
    assert.equal(await createLock('linux', clock).acquire(path, { timeoutMs: 0 }), undefined);
    assert.equal(clock.waits.length, 10);
    look.end();
  });

  test('gives up after its time, and waits longer only while the holder shows a prompt', async () => {
    const limits = { timeoutMs: 60_000, promptTimeoutMs: 150_000 };
    const plain = await waiting(limits);
    assert.equal(await plain.after(59_000), 'waiting');
    assert.equal(await plain.after(1000), 'gave up');
    await plain.held.release();

    const answered = await waiting(limits);
    lock.setPrompting(true);
    assert.equal(await answered.after(61_000), 'waiting');
    assert.equal(await answered.after(60_000), 'waiting');
    lock.setPrompting(false);
    assert.equal(await answered.after(25), 'gave up');
    await answered.held.release();

    const forgotten = await waiting(limits);
    lock.setPrompting(true);
    assert.equal(await forgotten.after(149_000), 'waiting');
    assert.equal(await forgotten.after(1000), 'gave up');
    lock.setPrompting(false);
    await forgotten.held.release();
  });

  test('a waiter that was stopped gets its full time again', async () => {
    const { held, taken, move, after } = await waiting({ timeoutMs: 60_000 });
    assert.equal(await move((clock) => clock.stop(3_600_000)), 'waiting');
    assert.equal(await after(50_000), 'waiting');
    await held.release();
    assert.equal(await after(25), 'held');
    await taken;
  });
}
