// The emulator's clock while it advances.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmulatorClock } from '#emulator/state/clock.ts';
import { handClock, start } from '#test/support/service/start-emulator.ts';

test('a reset before the first timer is due ends an advance: no timer runs, and the time is real again', async () => {
  const errors: unknown[] = [];
  const clock = createEmulatorClock({ clock: handClock() }, (error) => errors.push(error));
  let settled = () => {};
  const ran: string[] = [];
  clock.after(500, () => ran.push('before the reset'));
  const began = new Promise<void>((resolve) => {
    void clock
      .advance(1_000, () => {
        resolve();
        return new Promise((end) => {
          settled = end;
        });
      })
      .then((isDone) => ran.push(`done: ${isDone}`));
  });
  await began;
  clock.reset();
  clock.after(500, () => ran.push('after the reset'));
  settled();
  // Another advance waits for the first.
  assert.equal(await clock.advance(499, async () => {}), true);
  assert.deepEqual(ran, ['done: false']);
  assert.equal(clock.now(), start + 499);
  assert.deepEqual(errors, []);
});

test('the timestamp matches the time, however the clock moves', async () => {
  const clock = createEmulatorClock({ clock: handClock() }, () => {});
  const same = () => assert.equal(clock.timestamp(), `${new Date(clock.now()).toISOString().slice(0, 19)}Z`);
  same();
  for (const milliseconds of [1, 998, 1, 1, 86_400_000]) {
    await clock.advance(milliseconds, async () => {});
    same();
  }
  clock.freeze(Date.parse('2031-01-01T00:00:00.999Z'));
  assert.equal(clock.timestamp(), '2031-01-01T00:00:00Z');
  clock.reset();
  same();
});
