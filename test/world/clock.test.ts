// Waiting, on the real clock: order, cancelling, aborting, and delays longer than setTimeout takes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClock } from '#world/clock.ts';

const clock = createClock();
const year = 365 * 86_400_000;

if (process.argv[2] === 'pending') {
  clock.after(60_000, () => {});
  clock.after(year, () => {});
} else {
  test('now is the time of day', () => {
    assert.ok(Math.abs(clock.now() - Date.now()) < 1000);
  });

  test('after runs once and asynchronously, and not once cancelled', async () => {
    const ran: string[] = [];
    clock.after(1, () => ran.push('cancelled'))();
    clock.after(1, () => ran.push('one'));
    assert.deepEqual(ran, []);
    await clock.sleep(20);
    assert.deepEqual(ran, ['one']);
  });

  test('a delay of a year does not fire at once', async () => {
    let ran = false;
    const cancel = clock.after(year, () => {
      ran = true;
    });
    await clock.sleep(20);
    cancel();
    assert.equal(ran, false);
  });

  test('many sleeps on one signal cause no warning from Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const stopping = new AbortController();
    const sleeps = Array.from({ length: 20 }, () => clock.sleep(year, stopping.signal));
    await clock.nextTurn();
    stopping.abort();
    await Promise.all(sleeps);
    process.off('warning', onWarning);
    assert.deepEqual(warnings, []);
  });

  test('a sleep ends early when aborted, before or during it', async () => {
    await clock.sleep(year, AbortSignal.abort());
    const controller = new AbortController();
    clock.after(5, () => controller.abort());
    await clock.sleep(year, controller.signal);
  });

  test('a pending after does not keep the process alive', async () => {
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), 'pending'], {
      timeout: 60_000,
    });
  });
}
