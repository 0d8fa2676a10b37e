// A service that takes the request and never responds: the helper's two attempts end before anybody's patience does, so that
// the command says what happened, and not that another process is at work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { helperInside } from '#test/support/program/helper-inside.ts';
import { run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Http } from '#world/world.ts';
import { stageForAll } from './stage.ts';

const { stage } = await stageForAll();

test('the command learns from its own helper that no response came', async () => {
  await stage.signInAnew();
  await stage.expire();
  const time = createTestClock();
  const clock = { ...time, sleep: async (milliseconds: number) => time.advance(milliseconds) };
  const environment = { WM_CONFIG_DIR: stage.folder, WM_TOKEN_STORE: 'file' };
  let attempts = 0;
  let isAsking = false;
  const http: Http = {
    send: (_request, { timeoutMs }) =>
      new Promise((resolve) => {
        attempts++;
        isAsking = true;
        clock.limit(timeoutMs, () => {
          isAsking = false;
          resolve({ fault: 'timeout', sent: true, detail: `${timeoutMs} ms` });
        });
      }),
  };
  const { world } = helperInside({
    ...createWorld(),
    environment,
    files: createFiles(environment, process.platform, stage.folder),
    lock: createLock(process.platform, clock),
    clock,
    http,
  });
  const { files, lock, process: own } = world;
  let isOver = false;
  const command = run(['whoami'], {
    environment,
    world: {
      files,
      lock,
      clock,
      http,
      process: { ...own, onInterrupt: () => () => {}, onResume: () => () => {} },
    },
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.nextTurn();
    // The disk takes no time: only the service does.
    if (isAsking) clock.advance(100);
  }
  const { status, errors } = await command;
  assert.equal(attempts, 2);
  assert.equal(status, 7, errors);
  assert.match(errors, /^wm: Cannot refresh the sign-in: no usable response$/m);
  assert.doesNotMatch(errors, /Another wm/);
});
