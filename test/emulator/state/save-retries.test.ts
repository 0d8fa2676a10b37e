// A failed save is retried after a second, then with a doubled delay up to half a minute. After a success, changes are saved promptly
// again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPersistence } from '#emulator/state/persistence.ts';
import { createSample } from '#emulator/state/sample.ts';
import { chooseSampleTokens } from '#emulator/state/sample-tokens.ts';
import { createStore } from '#emulator/state/store.ts';
import { createTestClock } from '#test/support/clock.ts';
import { createFiles } from '#world/files.ts';

const dataFile = { path: '/data.json', bytes: undefined };
const state = { store: createStore(createSample(chooseSampleTokens())), clock: { state: { offset: 0 } } };
const turn = () => new Promise(setImmediate);

test('closing saves waiting changes once, and not again later', async () => {
  let saved = 0;
  const clock = createTestClock();
  const files = {
    ...createFiles({}, process.platform),
    async write() {
      saved++;
    },
  };
  const persistence = createPersistence({ clock, files }, dataFile, state, () => {});
  persistence.scheduleSave();
  assert.equal(await persistence.close(), undefined);
  assert.equal(saved, 1);
  clock.advance(60_000);
  await turn();
  assert.equal(saved, 1);
});

test('saving is retried after 1, 2, 4, 8, 16 and then every 30 seconds', async () => {
  let isFull = true;
  let saved = 0;
  const clock = createTestClock();
  const files = {
    ...createFiles({}, process.platform),
    async write() {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      saved++;
    },
  };
  const persistence = createPersistence({ clock, files }, dataFile, state, () => {});
  persistence.scheduleSave();
  for (let attempt = 0; attempt < 8; attempt++) {
    clock.advance(clock.waits.at(-1) ?? 0);
    await turn();
    await turn();
  }
  assert.deepEqual(clock.waits, [50, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  isFull = false;
  clock.advance(30_000);
  await turn();
  await turn();
  assert.equal(saved, 1);
  // Nothing has changed since, so nothing is saved.
  clock.advance(60_000);
  await turn();
  assert.equal(saved, 1);
  assert.equal(clock.waits.length, 9);
  persistence.scheduleSave();
  assert.equal(clock.waits.at(-1), 50);
});
