// `wm webhook apply`: whole, run again, and once killed as a process. apply-killed.deep.test.ts kills it before and after each request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expected, killAndRunAgain, listAlone, modes, openStage, withoutRecords } from './apply-stage.ts';

test('a complete run, then a second one that changes nothing', async (context) => {
  const stage = await openStage(context, withoutRecords);
  await stage.reset();
  assert.equal(await stage.apply(), 0);
  assert.deepEqual(await stage.state(), expected);
  stage.recording.watch();
  assert.equal(await stage.apply(), 0);
  assert.deepEqual(stage.recording.requests(), listAlone);
  assert.deepEqual(await stage.state(), expected);
});

test('a first run sends the same requests with records and without', async (context) => {
  const sequences = await Promise.all(
    [true, false].map(async (hasRecords) => {
      const stage = await openStage(context, { ...withoutRecords, records: [hasRecords, hasRecords] });
      await stage.reset();
      assert.equal(await stage.apply(), 0);
      return stage.requests();
    }),
  );
  assert.deepEqual(sequences[0], sequences[1]);
});

test('killed after creating one webhook, and run again', async (context) => {
  const [assumed] = modes;
  assert.ok(assumed);
  const stage = await openStage(context, assumed);
  await stage.reset();
  assert.equal(await stage.apply(), 0);
  const index = 1 + stage.recording.requests().findIndex((request) => request.startsWith('POST'));
  await killAndRunAgain(
    stage,
    'after creating one',
    () => stage.killProcess({ at: index, when: 'after' }),
    true,
  );
});
