// The dates of the sample lie around the start of the emulator, and some tasks are the user's. With --fixed-tokens it is always the
// same.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { valuesOf } from '#test/support/service/records.ts';
import { call, query, started } from '#test/support/service/start-emulator.ts';

const fields = { fields: '["responsibleIds"]' };

async function tasksOf(context: TestContext, options: EmulatorOptions) {
  const emulator = await started(context, options);
  const { body } = await call(emulator, 'GET', `/tasks?${query(fields)}`);
  const tasks: readonly {
    readonly id: string;
    readonly title: string;
    readonly dates: { readonly start?: string; readonly due?: string };
    readonly createdDate: string;
    readonly responsibleIds: readonly string[];
  }[] = body.data;
  return tasks;
}

test('dates are around the start, on the same weekdays; ids, titles and date order stay', async (context) => {
  const fixed = await tasksOf(context, {});
  // The clock of the test starts on Monday, 2 March 2026: four weeks after the week of the sample.
  const alive = await tasksOf(context, { fixedTokens: false });
  const named = (tasks: typeof fixed) => tasks.map(({ id, title }) => [id, title]);
  assert.deepEqual(named(alive), named(fixed));
  const of = (tasks: typeof fixed, id: string) => tasks.find((task) => task.id === id) ?? assert.fail();
  assert.equal(of(fixed, sample.task).dates.start, '2026-02-02T09:00:00');
  assert.equal(of(alive, sample.task).dates.start, '2026-03-02T09:00:00');
  assert.equal(of(alive, sample.task).dates.due, '2026-03-06T17:00:00');
  assert.equal(of(alive, sample.milestone).dates.due, '2026-03-30T17:00:00');
  assert.equal(of(alive, sample.task).createdDate, '2026-02-02T09:00:00Z');
});

test('some open tasks are assigned to the user', async (context) => {
  const mine = (await tasksOf(context, {})).filter(({ responsibleIds }) =>
    responsibleIds.includes(sample.ada),
  );
  assert.deepEqual(valuesOf(mine, 'title'), ['Weekly report', 'The form loses its text']);
});
