// The limits of what the end of a receiver waits for.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { printWithin, within } from '#receiver/listen/stop-receiver.ts';
import { createTestClock } from '#test/support/clock.ts';

test('reports whether work finishes in time', async () => {
  const clock = createTestClock();
  assert.equal(await within({ clock }, 1_000, Promise.resolve()), true);
  const late = within({ clock }, 1_000, new Promise(() => {}));
  clock.advance(1_000);
  assert.equal(await late, false);
  await assert.rejects(within({ clock }, 1_000, Promise.reject(new Error('no disk'))), /no disk/);
});

test('an output written in time is not given up', async () => {
  const clock = createTestClock();
  let givenUp = 0;
  const output = {
    isTerminal: false,
    columns: undefined,
    write: async () => {},
    raw: new PassThrough(),
    abandon: () => void givenUp++,
  };
  await printWithin({ clock }, output, Promise.resolve());
  assert.equal(givenUp, 0);
});
