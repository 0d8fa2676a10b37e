// The flags of a bulk, each seen in what is sent: the rate and its units, clearing of dates in rows of JSON, and the first
// of the rows that are invalid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { bulkFlags } from '#tasks/many/flags.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second, milestone: third } = sample;

test('--rate: converts any unit to a number per minute', () => {
  for (const [typed, perMinute] of [
    ['400', 400],
    ['400/min', 400],
    ['400/m', 400],
    ['5/s', 300],
    ['5/sec', 300],
    ['6000/h', 100],
    ['6000/hour', 100],
  ] as const) {
    assert.equal(bulkFlags.rate.parse([typed]), perMinute, typed);
  }
  for (const typed of ['0', '5/d', '-1', '1.5', '5/', 'fast'])
    assert.throws(() => bulkFlags.rate.parse([typed]), /is not a rate/, typed);
});

test('--rate: sends every row', async (context) => {
  const { wm, task } = await emulated(context);
  const argv = ['task', 'update', first, second, third, '--importance', 'High', '--yes', '--rate', '1000/s'];
  await wm(argv, { exit: 0 });
  for (const id of [first, second, third]) assert.equal((await task(id)).importance, 'High');
});

test('--allow-clearing-dates applies to JSON rows, which are invalid without it', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `${JSON.stringify({ id: first, dates: { type: 'Planned', duration: 60 } })}\n`;
  const argv = ['task', 'update', '--from', '-', '--yes'];
  const invalid = await wm(argv, { input, exit: 2 });
  assert.match(invalid.errors, /--allow-clearing-dates/);
  const before = await task(first);
  assert.ok(before.dates.start);
  await wm([...argv, '--allow-clearing-dates'], { input, exit: 0 });
  assert.notDeepEqual((await task(first)).dates, before.dates);
});

test('if every row is invalid, shows the first one', async (context) => {
  const { wm } = await emulated(context);
  const input = `id,status\n${first},Nonsense\n${second},Rubbish\n`;
  const ran = await wm(['task', 'update', '--from', '-', '--yes', '--quiet'], { input, exit: 2 });
  assert.match(
    ran.errors,
    new RegExp(
      `^wm: 2 of 2 rows are invalid\\n  Fix them.*The first is:\\n +line 2 \\(${first}\\): status: "Nonsense"`,
    ),
  );
  assert.doesNotMatch(ran.errors, /Rubbish/);
});
