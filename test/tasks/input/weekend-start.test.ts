// A start on a weekend, which the service moves to Monday: wm says so before it sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const says = (day: string, start: string) =>
  `The start ${start} is a ${day}: unless the task works on weekends (--work-on-weekends), the service moves it to Monday, 2026-10-12.\n`;

test('a start on a weekend is reported before the update is sent, and is moved', async (context) => {
  const { wm, task } = await emulated(context);
  const update = ['task', 'update', sample.task];
  for (const [day, start] of [
    ['Saturday', '2026-10-10'],
    ['Sunday', '2026-10-11T10:00:00'],
  ] as const) {
    for (const more of [['--dry-run'], []]) {
      const ran = await wm([...update, '--start', start, '--due', '2026-10-15', ...more]);
      assert.equal(ran.errors.replace('Dry run: nothing was sent.\n', ''), says(day, start));
      assert.equal(ran.status, 0);
    }
    const { dates } = await task(sample.task);
    assert.match(String(dates?.start), /^2026-10-12/);
  }
  const dates = JSON.stringify({ start: '2026-10-10', duration: 480 });
  assert.equal((await wm([...update, '--dates', dates])).errors, says('Saturday', '2026-10-10'));
  for (const more of [
    ['--start', '2026-10-10', '--due', '2026-10-15', '--work-on-weekends'],
    ['--dates', JSON.stringify({ start: '2026-10-10', duration: 480, workOnWeekends: true })],
    ['--start', '2026-10-09', '--due', '2026-10-10'],
    ['--start', '2026-10-12', '--duration', '1d'],
  ])
    assert.equal((await wm([...update, ...more])).errors, '', more.join(' '));
  const created = await wm([
    ...['task', 'create', 'x', '--folder', sample.folder, '--start', '2026-10-10', '--due', '2026-10-15'],
  ]);
  assert.equal(created.errors, says('Saturday', '2026-10-10'));
  assert.equal(created.status, 0);
});

test('one line for many rows, with their number', async (context) => {
  const { wm } = await emulated(context);
  const input = `id,start,due,work-on-weekends
${sample.task},2026-10-10,2026-10-15,
${sample.backlog},2026-10-11,2026-10-15,false
${sample.milestone},2026-10-10,2026-10-15,true
${sample.bug},2026-10-12,2026-10-15,
`;
  for (const more of [['--dry-run'], ['--yes']]) {
    const ran = await wm(['task', 'update', '--from', '-', ...more], { input, exit: 0 });
    assert.deepEqual(ran.errors.match(/.*weekend.*/gi), [
      'The start is on a weekend in 2 rows (the first: 2026-10-10): unless the tasks work on weekends (work-on-weekends), the service moves it to Monday.',
    ]);
  }
});
