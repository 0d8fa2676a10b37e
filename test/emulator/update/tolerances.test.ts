// Task updates that are accepted or rejected by an assumption: the response names it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control } from '#test/support/service/control.ts';
import { call, query, started, update } from '#test/support/service/start-emulator.ts';

const task = 'IEAAAAAQKQAB5BNG';

test('a user who has left can be removed from a task, but not added', async (t) => {
  const emulator = await started(t);
  await update(emulator, { addResponsibles: ['KUAABENQ'], addShareds: ['KUAABENQ'] });
  await control(emulator, 'DELETE', '/users/KUAABENQ');
  const send = async (parameters: Record<string, unknown>) => {
    const { status, headers, body } = await call(emulator, 'PUT', `/tasks/${task}?${query(parameters)}`);
    return { outcome: [status, headers.get('emulator-assumption')], record: body.data?.[0] };
  };
  for (const name of ['addResponsibles', 'addShareds', 'addFollowers'])
    assert.deepEqual((await send({ [name]: ['KUAABENQ'] })).outcome, [400, 'former-user'], name);
  for (const name of ['removeResponsibles', 'removeShareds'])
    assert.deepEqual((await send({ [name]: ['KUAANONE'] })).outcome, [400, 'unresolved-id'], name);
  const { outcome, record } = await send({ removeResponsibles: ['KUAABENQ'], removeShareds: ['KUAABENQ'] });
  assert.deepEqual(outcome, [200, 'former-user']);
  assert.ok(!record.responsibleIds.includes('KUAABENQ') && !record.sharedIds.includes('KUAABENQ'));
});

test('effortAllocation resets what it leaves out, except the allocations of assignees', async (t) => {
  const emulator = await started(t);
  const send = async (effort: object) => {
    const parameters = query({ effortAllocation: effort, fields: ['effortAllocation'] });
    const { headers, body } = await call(emulator, 'PUT', `/tasks/IEAAAAAQKQAB5BUG?${parameters}`);
    return [body.data[0].effortAllocation, headers.get('emulator-assumption')];
  };
  const responsibleAllocation = [
    { userId: 'KUAABENQ', dailyAllocation: [{ date: '2026-02-02', effortMinutes: 60 }] },
  ];
  const first = { mode: 'FullTime', totalEffort: 120, responsibleAllocation };
  assert.deepEqual(await send(first), [{ allocatedEffort: 60, ...first }, null]);
  assert.deepEqual(await send({ mode: 'Basic' }), [
    { allocatedEffort: 60, mode: 'Basic', responsibleAllocation },
    'effort-replaced',
  ]);
});

test('an allocation needs exactly one assignee', async (t) => {
  const emulator = await started(t);
  const dailyAllocation = [{ date: '2026-02-02', effortMinutes: 60 }];
  for (const assignee of [{}, { userId: 'KUAABENQ', placeholderId: 'IEAAAAAQNVAB5DEV' }]) {
    const setResponsibleAllocation = [{ ...assignee, dailyAllocation }];
    const { status, headers } = await call(
      emulator,
      'PUT',
      `/tasks/${task}?${query({ setResponsibleAllocation })}`,
    );
    assert.deepEqual([status, headers.get('emulator-assumption')], [400, 'allocation-assignee']);
  }
});

for (const [row, parameters] of [
  ['priority-contradiction', { priorityBefore: task }],
  ['super-task-loop', { addSuperTasks: ['IEAAAAAQKQAB5SUB'] }],
  ['custom-field-types', { customFields: [{ id: 'IEAAAAAQJUAB5NUM', value: 'many' }] }],
  ['custom-status-group', { customStatus: 'IEAAAAAQJMAB5CMP', status: 'Active' }],
  ['item-type-of-projects', { convertToCustomItemType: 'IEAAAAAQPIAB5CMP' }],
  ['contradictory-dates', { dates: { type: 'Backlog', due: '2026-02-02' } }],
  ['due-before-start', { dates: { start: '2026-02-03', due: '2026-02-02' } }],
  ['type-without-dates', { dates: { type: 'Milestone' } }],
  ['surrogate-halves', { title: '\ud800' }],
] as const) {
  test(`${row}: an update that only an assumption rejects`, async (t) => {
    const emulator = await started(t);
    const id = row === 'type-without-dates' ? 'IEAAAAAQKQAB5BLG' : task;
    const sent =
      row === 'surrogate-halves'
        ? call(emulator, 'PUT', `/tasks/${id}`, { json: parameters })
        : call(emulator, 'PUT', `/tasks/${id}?${query(parameters)}`);
    const { status, headers, body } = await sent;
    assert.deepEqual(
      [status, body.error, headers.get('emulator-assumption')],
      [400, 'invalid_parameter', row],
      body.errorDescription,
    );
  });
}
