// A custom field that is a date, given by its name. test/transcript/task-names.txt and task-name-gaps.txt show other names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';

const update = ['task', 'update', sample.backlog];
const fieldOf = (task: { customFields: { id: string; value: string }[] }, id: string) =>
  task.customFields.find((one) => one.id === id)?.value;

test('a custom field date has no range limit, and accepts the same forms as every other date', async (context) => {
  const { wm, task } = await emulated(context);
  for (const [typedValue, date] of [
    ['1950-01-01', '1950-01-01'],
    ['2150-12-31 9:00', '2150-12-31T09:00:00'],
    ['in 2 weeks', '2026-12-05'],
  ]) {
    await wm([...update, '--custom-field', `Goes to print=${typedValue}`], {
      world: { clock: clockAt(new Date(2026, 10, 21).getTime()) },
      exit: 0,
    });
    assert.equal(fieldOf(await task(sample.backlog), sample.date), date);
  }
  await wm([...update, '--custom-field', 'Goes to print=2100-02-29'], { exit: 2 });
});
