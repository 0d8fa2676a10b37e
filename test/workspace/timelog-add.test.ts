// `wm timelog add`: hours as people write them, the day in any form, and a lost response names what may be the timelog.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
/** A Monday, in the local calendar. */
const clock = clockAt(new Date(2026, 2, 2, 12).getTime());

async function sent(...typed: readonly string[]) {
  const ran = await run(['timelog', 'add', sample.task, ...typed, '--dry-run', '--json'], {
    exit: 0,
    environment,
    world: { clock },
  });
  const { url, body } = JSON.parse(ran.output);
  return { url, ...Object.fromEntries(new URLSearchParams(body)) };
}

for (const [typed, hours] of [
  ['1.5', '1.5'],
  ['1h30m', '1.5'],
  ['90m', '1.5'],
  ['1h 30m', '1.5'],
  ['1d', '8'],
  ['20m', '0.3333'],
  ['23.99', '23.99'],
] as const) {
  test(`--hours ${typed} is ${hours} hours`, async () => {
    const { url, ...body } = await sent('--hours', typed);
    assert.equal(url, `https://api.example.com/api/v4/tasks/${sample.task}/timelogs`);
    assert.deepEqual(body, { hours, trackedDate: '2026-03-02' });
  });
}

for (const [typed, day] of [
  ['2026-02-28', '2026-02-28'],
  ['yesterday', '2026-03-01'],
  ['friday', '2026-03-06'],
] as const) {
  test(`--date ${typed} is ${day}`, async () => {
    const { url: _, ...body } = await sent('--hours', '1', '--date', typed, '--comment', 'a & b');
    assert.deepEqual(body, { hours: '1', trackedDate: day, comment: 'a & b' });
  });
}

for (const [typed, message] of [
  [[], 'Missing: --hours'],
  [['--hours', '0'], '--hours: "0" is not a positive time'],
  [['--hours', '0m'], '--hours: "0m" is not a positive time'],
  [['--hours', '-1'], '--hours: '],
  [['--hours', '24.1'], '--hours: 24.1 is not in the range [0, 24]'],
  [['--hours', 'all day'], '--hours: "all day" is not a number of hours: 1.5, 1h30m or 90m'],
  [['--hours', '1:30'], '--hours: "1:30" is not a number of hours: 1.5, 1h30m or 90m'],
  [['--hours', '1', '--date', '2026-02-30'], '--date: "2026-02-30" is not a date in the calendar'],
  [['--hours', '1', '--date', '2026-02-20 10:00'], '--date: "2026-02-20 10:00" is not a date: yyyy-MM-dd'],
  [['--hours', '1', '--date', 'today 10:00'], '--date: '],
  [['--hours', '1', '--comment', 'x'.repeat(10_001)], 'the limit is 10000'],
] as const) {
  test(`sends nothing for ${typed.join(' ').slice(0, 60)}: ${message}`, async () => {
    const ran = await run(['timelog', 'add', sample.task, ...typed], {
      exit: 2,
      environment: { WM_HOST: 'api.example.com' },
    });
    assert.ok(ran.errors.includes(message.trim()), ran.errors);
  });
}

test('prints the timelog as returned by the service', async (context) => {
  const { wm } = await emulated(context);
  const add = (...typed: string[]) =>
    wm(['timelog', 'add', sample.task, ...typed], { exit: 0, world: { clock } });
  const ran = await add('--hours', '1h15m', '--date', 'yesterday', '--comment', 'x');
  assert.equal(ran.errors, '--date yesterday is 2026-03-01\n');
  assert.match(
    ran.output,
    new RegExp(`^\\w+\\t${sample.task}\\t${sample.ada}\\t2026-03-01\\t1\\.25\\tx\\n$`),
  );
  const today = await add('--hours', '2', '--json');
  assert.equal(today.errors, '');
  const { trackedDate, hours } = JSON.parse(today.output);
  assert.deepEqual([trackedDate, hours], ['2026-03-02', 2]);
});

test('a lost response: names the timelogs of the same day and hours, exit 9', async (context) => {
  const { wm, control } = await emulated(context);
  const add = (status: number, hours: string) =>
    wm(['timelog', 'add', sample.task, '--hours', hours, '--date', '2026-03-01'], { exit: status });
  await add(0, '1.5');
  await add(0, '2');
  await control('faults', { request: 'createTaskTimelog', cutAfter: 0, when: 'after' });
  const lost = await add(9, '1.5');
  assert.match(lost.errors, /2 timelogs have this day and these hours, created now or earlier: /);
  assert.match(lost.errors, /\n {2}Check before you send it again\n/);
});
