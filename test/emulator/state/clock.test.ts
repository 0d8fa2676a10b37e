// The emulator's clock while it advances.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmulatorClock } from '../../../src/emulator/state/clock.ts';
import { handClock, start } from '../start.ts';

test('a reset before the first timer is due ends an advance: no timer runs, and the time is the real one', async () => {
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
