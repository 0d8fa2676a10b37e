// The filters of `wm task list`: what wm checks itself, and what an empty list says. test/transcript/task-filters.txt shows names in
// place of ids, days, and what is invalid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { startPagedService, tasksFrom } from './paged-service.ts';

async function ids({ wm }: Emulated, flags: string, now: number) {
  const ran = await wm(['task', 'list', ...wordsOf(flags)], { world: { clock: clockAt(now) }, exit: 0 });
  return ran.output.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

test('a status that the service has added is found by its own name, and by no other', async (context) => {
  const task = (id: string, status: string, more = {}) => ({ ...tasksFrom(0, 1)[0], id, status, ...more });
  const waiting = { customStatusId: 'IEAAAAAQJM000001' };
  const tasks = [task('T0', 'Active'), task('T1', 'OnHold'), task('T2', 'OnHold', waiting)];
  const lists = {
    workflows: [{ id: 'A', customStatuses: [{ id: 'IEAAAAAQJM000001', name: 'Waiting', group: 'OnHold' }] }],
  };
  const service = await startPagedService(context, (index) => (index === 0 ? { tasks } : undefined), lists);
  const list = async (status: string) => {
    const ran = await run(['task', 'list', '--status', status], { environment: service.environment });
    assert.equal(ran.status, 0, ran.errors);
    return ran.output.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };
  assert.deepEqual(await list('Active'), ['T0']);
  assert.deepEqual(await list('OnHold'), ['T1', 'T2']);
  assert.deepEqual(await list('Waiting'), ['T2']);
});

test('a custom status narrows the request to its group, if the group is known', async (context) => {
  const status = (id: string, name: string, group?: string) => ({ id, name, ...(group ? { group } : {}) });
  const lists = {
    workflows: [
      {
        id: 'A',
        customStatuses: [status('IEAAAAAQJM000001', 'Done', 'Completed'), status('IEAAAAAQJM000002', 'Idle')],
      },
      { id: 'B', customStatuses: [status('IEAAAAAQJM000003', 'Done', 'Completed')] },
    ],
  };
  const tasks = [1, 2, 3].map((n) => ({
    ...tasksFrom(n, 1)[0],
    id: `T${n}`,
    customStatusId: `IEAAAAAQJM00000${n}`,
  }));
  const service = await startPagedService(context, (index) => (index === 0 ? { tasks } : undefined), lists);
  const list = async (text: string) => {
    const ran = await run(['task', 'list', '--status', text], { environment: service.environment });
    assert.equal(ran.status, 0, ran.errors);
    return ran.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
  };
  assert.deepEqual(await list('done'), ['T1', 'T3']);
  assert.deepEqual(await list('idle'), ['T2']);
  assert.match(service.targets[0] ?? '', /\?status=%5B%22Completed%22%5D&/);
  assert.doesNotMatch(service.targets[1] ?? '', /status=/);
});

test('a date in words, and since some time ago', async (context) => {
  const given = await emulated(context);
  assert.deepEqual(await ids(given, '--due-before tomorrow', new Date(2026, 1, 9, 12).getTime()), [
    sample.task,
    sample.recurrent,
  ]);
  const created = Date.parse('2026-01-05T09:00:00Z');
  const hour = 3_600_000;
  const all = 11;
  for (const [since, now, count] of [
    ['2h', created + 2 * hour, all],
    ['2h', created + 2 * hour + 1000, 0],
    ['3 days ago', created + 72 * hour, all],
    ['3d', created + 73 * hour, 0],
    ['1 week', created + 7 * 24 * hour, all],
    ['1W', created + 7 * 25 * hour, 0],
    ['2026-01-05T09:00:00Z', created + hour, all],
    ['2026-01-05T09:00:01Z', created + hour, 0],
    ['2026-01-06', created + 100 * hour, 0],
    ['2026-01-04', created + 100 * hour, all],
  ] as const)
    assert.equal((await ids(given, `--updated-since '${since}'`, now)).length, count, `${since} at ${now}`);
});

test('a service that ignores every filter still gives the right list', async (context) => {
  const [wanted, ...others] = [
    {},
    { status: 'Completed' },
    { responsibleIds: ['KUAAADAQ'] },
    { responsibleIds: [] },
    { dates: { type: 'Planned', due: '2026-03-01T09:00:00' } },
    { dates: { type: 'Backlog' } },
    { updatedDate: '2026-01-01T00:00:00Z' },
    { title: 'Other' },
    { title: null },
    { dates: { type: 'Planned', due: '2025-12-31T09:00:00' } },
    { metadata: [{ key: 'a', value: '2' }] },
    { customFields: [{ id: sample.numeric, value: '2' }] },
    { customFields: [] },
  ].map((more, n) => ({
    id: `IEAAAAAQKQ0000${String(n).padStart(2, '0')}`,
    title: 'The Page',
    status: 'Active',
    responsibleIds: ['KUAAADAQ', 'KUAABENQ'],
    dates: { due: '2026-02-01T09:00:00' },
    updatedDate: '2026-02-01T00:00:00Z',
    metadata: [{ key: 'a', value: '1' }],
    customFields: [{ id: sample.numeric, value: '1' }],
    ...more,
  }));
  assert.ok(wanted);
  const service = await startPagedService(context, (index) =>
    index === 0 ? { tasks: [...others, wanted] } : undefined,
  );
  const ran = await run(
    [
      ...['task', 'list', '--status', 'active', '--responsible', 'KUAABENQ', '--due-before', '2026-03-01'],
      ...['--updated-since', '2026-01-15', '--title', 'page', '--json'],
      ...['--due-after', '2025-12-31', '--metadata', 'a=1', '--custom-field', `${sample.numeric}=1`],
    ],
    { environment: service.environment },
  );
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(JSON.parse(ran.output), [wanted]);
});

test('leaves fields that the records lack to the service, except for filters that only wm applies', async (context) => {
  const service = await startPagedService(context, (index) =>
    index === 0 ? { tasks: [{ id: 'A' }] } : undefined,
  );
  const list = async (flags: string) =>
    (await run(['task', 'list', ...wordsOf(flags)], { environment: service.environment })).output;
  const known = '--responsible KUAABENQ --due-before 2026-03-01 --updated-since 2026-01-15';
  assert.equal(await list(`--status active ${known}`), 'A\t\t\t\t\t\t\t\t\n');
  assert.equal(await list('--title a'), '');
  assert.equal(await list('--unassigned'), '');
  assert.equal(await list('--status IEAAAAAQJMZZZZZZ'), '');
});

for (const [flags, says] of [
  ['', /^No tasks that you can see\.\n$/],
  [
    '--folder IEAAAAAQI4AB5SUB --status active,Completed',
    /^No tasks in the folder "IEAAAAAQI4AB5SUB", with status Active or Completed\.\nThe folders below were not searched: --recursive includes them\.\n$/,
  ],
  [
    '--space IEAAAAAQI4AB5SUB --recursive --responsible KUAABENQ --title Zzz',
    /^No tasks in the space "IEAAAAAQI4AB5SUB", assigned to KUAABENQ, with "Zzz" in the title\.\nSearched 2 tasks\.\n$/,
  ],
  [
    "--due-before 2026-01-02 --updated-since 2026-01-01T00:00:00Z --title 'Task 7'",
    /^No tasks with "Task 7" in the title, due before 2026-01-02, updated since 2026-01-01T00:00:00Z\.\nSearched 2 tasks\.\n$/,
  ],
] as const) {
  test(`an empty list says what was searched: ${flags}`, async (context) => {
    const service = await startPagedService(context, (index) =>
      index === 0 && flags.includes('--title')
        ? { tasks: tasksFrom(0, 2, { updatedDate: '2026-02-01T00:00:00Z' }) }
        : undefined,
    );
    const ran = await run(['task', 'list', ...wordsOf(flags)], { environment: service.environment });
    assert.deepEqual([ran.status, ran.output], [0, '']);
    assert.match(ran.errors, says);
  });
}
