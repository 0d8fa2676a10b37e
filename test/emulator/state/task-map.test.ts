// The index of tasks by folder and account agrees with a search through all tasks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { comparePriority, TaskMap } from '#emulator/state/task-map.ts';
import { valuesOf } from '#test/support/service/records.ts';

interface Listed {
  readonly id: string;
  readonly accountId: string;
  readonly parentIds: readonly string[];
  readonly priority: string;
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const place = fc.constantFrom('F1', 'F2', 'F3');
const listed: fc.Arbitrary<Listed> = fc.record({
  id,
  accountId: fc.constantFrom('A1', 'A2'),
  parentIds: fc.uniqueArray(place),
  // Few, so that many are equal.
  priority: fc.constantFrom('01', '02', '03', '04'),
});
const change = fc.oneof(
  { weight: 6, arbitrary: listed.map((task) => ({ set: task })) },
  { weight: 2, arbitrary: id.map((deletedId) => ({ delete: deletedId })) },
  { weight: 1, arbitrary: fc.constant({ clear: true }) },
);

test('each list matches a search, in priority order, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const tasks = new TaskMap<Listed>(() => {});
      for (const step of changes) {
        if ('set' in step) tasks.set(step.set.id, step.set);
        else if ('delete' in step) tasks.delete(step.delete);
        else tasks.clear();
      }
      for (const place of ['A1', 'A2', 'F1', 'F2', 'F3']) {
        const found = [...tasks.values()]
          .filter(({ accountId, parentIds }) => accountId === place || parentIds.includes(place))
          .sort(comparePriority);
        assert.deepEqual(tasks.idsIn(place), valuesOf(found, 'id'), place);
      }
    }),
    { numRuns: 500 },
  );
});

test('each change of a task changes the version', () => {
  const tasks = new TaskMap<Listed>(() => {});
  const versions = new Set([tasks.version]);
  const task: Listed = { id: 'a', accountId: 'A1', parentIds: ['F1'], priority: '01' };
  for (const run of [
    () => tasks.set('a', task),
    () => tasks.set('a', { ...task }),
    () => tasks.set('a', { ...task, priority: '02' }),
    () => tasks.delete('a'),
    () => tasks.clear(),
  ]) {
    run();
    versions.add(tasks.version);
  }
  assert.equal(versions.size, 6);
});
