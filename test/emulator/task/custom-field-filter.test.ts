// Lists of tasks by the values of custom fields: each comparator, by the type of the field.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { invalid, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const { task, milestone, backlog, text, numeric, date, multiple, checkbox } = sample;

async function found(emulator: Started, parameters: Record<string, unknown>) {
  const data = await records(emulator, 'GET', `/tasks?${query(parameters)}`);
  return valuesOf(data, 'id');
}

async function withValues(emulator: Started) {
  const values = (...entries: readonly (readonly [string, string | null])[]) => ({
    customFields: entries.map(([id, value]) => ({ id, value })),
  });
  await update(
    emulator,
    values(
      [text, 'Red car'],
      [numeric, '9'],
      [date, '2026-03-05'],
      [multiple, '["Print","Web"]'],
      [checkbox, 'true'],
    ),
    task,
  );
  await update(
    emulator,
    values([text, 'Blue car'], [numeric, '10.0'], [date, '2026-04-01'], [multiple, '["Web"]']),
    milestone,
  );
  await update(emulator, values([text, 'None'], [numeric, '-3']), backlog);
}

const filters: readonly (readonly [id: string, filter: object, finds: readonly string[]])[] = [
  [text, {}, [task, milestone, backlog]],
  [text, { value: 'Red car' }, [task]],
  [text, { comparator: 'EqualTo', value: 'Red car' }, [task]],
  [text, { comparator: 'EqualTo', value: 'no such value' }, []],
  [text, { comparator: 'Contains', value: 'CAR' }, [task, milestone]],
  [text, { comparator: 'StartsWith', value: 'blue' }, [milestone]],
  [text, { comparator: 'EndsWith', value: 'car' }, [task, milestone]],
  [checkbox, { comparator: 'IsNotEmpty' }, [task]],
  [numeric, { comparator: 'EqualTo', value: '10' }, [milestone]],
  [numeric, { comparator: 'LessThan', value: '10' }, [task, backlog]],
  [numeric, { comparator: 'LessOrEqualTo', value: '10' }, [task, milestone, backlog]],
  [numeric, { comparator: 'GreaterThan', value: '9' }, [milestone]],
  [numeric, { comparator: 'GreaterOrEqualTo', value: '9' }, [task, milestone]],
  [numeric, { comparator: 'InRange', minValue: '-5', maxValue: '9' }, [task, backlog]],
  [numeric, { comparator: 'InRange', minValue: '10' }, [milestone]],
  [numeric, { comparator: 'NotInRange', minValue: '-5', maxValue: '9' }, [milestone]],
  [date, { comparator: 'GreaterThan', value: '2026-03-05' }, [milestone]],
  [date, { comparator: 'InRange', minValue: '2026-03-01', maxValue: '2026-03-31' }, [task]],
  [multiple, { comparator: 'ContainsAll', values: ['Web', 'Print'] }, [task]],
  [multiple, { comparator: 'ContainsAny', values: ['Web', 'Radio'] }, [task, milestone]],
  [multiple, { comparator: 'Contains', value: 'Print' }, [task]],
];

test('filters by a custom field with each comparator, alone and in a list', async (t) => {
  shows('task-filters', 'default');
  const emulator = await started(t);
  await withValues(emulator);
  for (const [id, filter, finds] of filters) {
    const customField = { id, ...filter };
    assert.deepEqual(await found(emulator, { customField }), finds, JSON.stringify(filter));
    assert.deepEqual(await found(emulator, { customFields: [customField] }), finds, JSON.stringify(filter));
  }
  const all = await found(emulator, {});
  assert.deepEqual(
    await found(emulator, { customField: { id: text, comparator: 'IsEmpty' } }),
    all.filter((id: string) => ![task, milestone, backlog].some((each) => each === id)),
  );
  const both = [
    { id: text, comparator: 'Contains', value: 'car' },
    { id: numeric, comparator: 'LessThan', value: '10' },
  ];
  assert.deepEqual(await found(emulator, { customFields: both }), [task], 'each of them');
  const reply = await call(emulator, 'GET', `/tasks?${query({ customFields: both })}`);
  assert.ok(reply.headers.get('emulator-assumption')?.split(', ').includes('task-filters'));
});

test('a custom field filter that does not say what to compare with is an error', async (t) => {
  const emulator = await started(t);
  for (const filter of [
    { comparator: 'EqualTo' },
    { comparator: 'InRange' },
    { comparator: 'InRange', value: '1' },
    { comparator: 'ContainsAll', values: [] },
    { comparator: 'Like', value: 'x' },
    { comparator: 'EqualTo', value: 'x', colour: 'red' },
  ])
    for (const parameters of [
      { customField: { id: text, ...filter } },
      { customFields: [{ id: text, ...filter }] },
    ]) {
      assert.deepEqual(
        await outcome(emulator, 'GET', `/tasks?${query(parameters)}`),
        invalid,
        JSON.stringify(parameters),
      );
    }
  for (const filter of [{ comparator: 'IsEmpty' }, {}, { value: 'x' }])
    assert.deepEqual(await found(emulator, { customField: { id: 'IEAAAAAQJUABNONE', ...filter } }), []);
});
