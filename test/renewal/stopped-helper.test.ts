// A helper that was stopped in the middle of a refresh: whoever waits for it is told which process that is, gives up in
// its time, and leaves it alone. Continued, it stores the token that it alone has.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createGate } from '#test/support/service/rotating-service.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Files } from '#world/world.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const lockPath = join(stage.folder, 'locks', 'default.lock');
const continued =
  / {2}The sign-in is unchanged\. If it was stopped, continue it: (kill -CONT \d+)\n {2}Then run the command again\.\n/;

/** `wm whoami` in this process, on this clock; its helper is a process of its own, on the machine's. */
async function whoami(clock: TestClock, onMarkerRead = () => {}): Promise<Ran> {
  const environment = {
    PATH: process.env['PATH'],
    HOME: stage.folder,
    WM_CONFIG_DIR: stage.folder,
    WM_TOKEN_STORE: 'file',
  };
  const real = createFiles(environment, process.platform);
  const files: Files = {
    ...real,
    async read(path, options) {
      const bytes = await real.read(path, options);
      if (path.includes('renewals')) onMarkerRead();
      return bytes;
    },
  };
  const lock = createLock(process.platform, clock);
  const ran = await run(['whoami'], { environment, world: { clock, files, lock } });
  // Said once a day, whichever command is the first.
  return { ...ran, errors: ran.errors.replace(/^The tokens are stored as plain text.*\n/, '') };
}

/** A helper whose request is at the service, stopped, and then the service rotates and responds. */
async function stoppedHelper(context: TestContext) {
  await stage.signInAnew();
  await stage.expire();
  const gate = createGate();
  service.faults.push({ when: 'before', what: 'gate', gate });
  // The command's own clock stands still until the test moves it.
  const clock = createTestClock();
  let onMarkerRead = () => {};
  /** The last thing that the command waits for before its line about the wait. */
  const isMarkerRead = new Promise<void>((resolve) => {
    onMarkerRead = resolve;
  });
  const command = whoami(clock, onMarkerRead);
  await gate.reached;
  const pid = (await createLock().holder(lockPath))?.pid;
  assert.ok(pid);
  assert.equal(pid, await stage.findHelper());
  process.kill(pid, 'SIGSTOP');
  context.after(() => {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It has ended, as it should.
    }
  });
  const rotation = service.rotation();
  gate.open();
  await rotation;
  return { pid, command, clock, isMarkerRead };
}

test('the command that started the helper: a line after 3 s, the end after 60 s, and nothing is lost', async (context) => {
  const { pid, command, clock, isMarkerRead } = await stoppedHelper(context);
  clock.advance(3000);
  await isMarkerRead;
  clock.advance(57_000);
  const { status, output, errors } = await command;
  assert.equal(status, 1, errors);
  assert.equal(output, '');
  const [waiting, what, why] = errors.split('\n');
  assert.equal(waiting, 'Still refreshing the sign-in default (up to 60 s).');
  assert.equal(what, `wm: Another wm (process ${pid}) is still refreshing the sign-in default`);
  assert.equal(why, '  it did not end in time');
  await goesOn(errors, pid);
});

test('another command does the same, and sends nothing', async (context) => {
  const { pid, command, clock } = await stoppedHelper(context);
  const { requests } = service.counts;
  // Each look at the lock takes five seconds.
  const hurried: TestClock = createTestClock((milliseconds) => {
    if (milliseconds < 100) hurried.advance(5000);
  });
  const { status, errors } = await whoami(hurried);
  assert.equal(status, 1, errors);
  assert.ok(
    errors.startsWith(`Waiting for process ${pid}, which is using the sign-in default (up to 60 s).\n`),
    errors,
  );
  assert.ok(
    errors.includes(`\nwm: Another wm (process ${pid}) is still using the sign-in default\n`),
    errors,
  );
  assert.equal(service.counts.requests, requests);
  await goesOn(errors, pid);
  assert.equal((await command).status, 0);
  clock.advance(1);
});

/** The hint works as it is printed, and afterwards the sign-in does. */
async function goesOn(errors: string, pid: number): Promise<void> {
  const [, hint = ''] = continued.exec(errors) ?? [];
  assert.equal(hint, `kill -CONT ${pid}`, errors);
  execFileSync('sh', ['-c', hint]);
  const next = await stage.run('whoami');
  assert.equal(next.status, 0, next.errors);
  assert.equal(service.counts.rejected, 0);
  const { generation, refreshToken } = await stage.item();
  assert.deepEqual([generation, refreshToken], [2, service.refreshToken()]);
}
