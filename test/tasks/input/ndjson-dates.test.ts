// Relative dates of the command line apply to the rows of NDJSON too, and are printed with what they stand for before anything
// is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';

test('a relative date on the command line is printed for rows of NDJSON', async (context) => {
  const { wm, task } = await emulated(context);
  const ran = await wm(['task', 'update', '--from', '-', '--yes', '--start', 'tomorrow', '--due', '+3d'], {
    input: `${JSON.stringify({ id: sample.task, title: 'Later' })}\n`,
    world: { clock: clockAt(new Date(2026, 10, 17, 12).getTime()) },
    exit: 0,
  });
  assert.match(ran.errors, /\n {2}tomorrow is 2026-11-18\n {2}\+3d is 2026-11-20\n/);
  const { dates } = await task(sample.task);
  assert.match(`${dates.start} ${dates.due}`, /^2026-11-18T\S+ 2026-11-20T/);
});
