// The dates of a task: types, a date alone, working days of 480 minutes. 2026-02-02 is a Monday.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalidUpdate, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started, update } from '#test/support/service/start-emulator.ts';
import { subscribed } from '../dispatch/subscribed.ts';
import { seedOf } from '../seed/any-seed.ts';
import { shows } from '../shows.ts';

const backlog = 'IEAAAAAQKQAB5BLG';

/** A function that sends dates to a task, and gives back those it then has. */
const dating =
  (emulator: Started, taskId: string = emulator.sampleTask) =>
  async (dates: unknown) =>
    (await update(emulator, { dates }, taskId)).dates;

const plan = (start: string, due: string, duration: number, more: object = {}) => ({
  ...{ type: 'Planned', duration, start, due },
  ...more,
});

test('a start and a due date make a planned task with its working minutes', async (t) => {
  const dates = dating(await started(t), backlog);
  const [friday, monday] = ['2026-02-06T09:00:00', '2026-02-09T17:00:00'];
  const weekend = { start: '2026-02-06', due: '2026-02-09' };
  const day = { start: '2026-02-02', due: '2026-02-02' };
  const halves = { start: '2026-02-02T13:00:00', due: '2026-02-03T10:30:00' };
  for (const [sent, expected] of [
    [day, plan('2026-02-02T09:00:00', '2026-02-02T17:00:00', 480)],
    // Friday to Monday: the weekend does not count, unless it is worked.
    [weekend, plan(friday, monday, 960)],
    [{ ...weekend, workOnWeekends: true }, plan(friday, monday, 1920, { workOnWeekends: true })],
    [{ workOnWeekends: false }, plan(friday, monday, 960, { workOnWeekends: false })],
    [halves, plan(halves.start, halves.due, 330, { workOnWeekends: false })],
  ] as const)
    assert.deepEqual(await dates(sent), expected, JSON.stringify(sent));
});

test('a start on a day off moves to the next working day; a due date does not', async (t) => {
  shows('date-without-time', 'default');
  const dates = dating(await started(t), backlog);
  // The order of the members too.
  assert.equal(
    JSON.stringify(await dates({ start: '2026-10-10', due: '2026-10-15' })),
    '{"type":"Planned","duration":1920,"start":"2026-10-12T09:00:00","due":"2026-10-15T17:00:00"}',
  );
  for (const [sent, start, due, duration] of [
    [{ start: '2026-10-11', due: '2026-10-17' }, '12', '17', 2400],
    [{ start: '2026-10-10', duration: 960 }, '12', '13', 960],
    [{ start: '2026-10-10', due: '2026-10-13', duration: 60 }, '12', '13', 60],
    [{ start: '2026-10-10', due: '2026-10-12', workOnWeekends: true }, '10', '12', 1440],
    // The flag of the task counts as that of the update does; without it the start moves.
    [{ start: '2026-10-11', due: '2026-10-12' }, '11', '12', 960],
    [{ workOnWeekends: false }, '12', '12', 480],
  ] as const) {
    const shown = await dates(sent);
    const expected = [`2026-10-${start}T09:00:00`, `2026-10-${due}T17:00:00`, duration];
    assert.deepEqual([shown.start, shown.due, shown.duration], expected, JSON.stringify(sent));
  }
});

test('a due date moves if the start has moved past it; times of day stay', async (t) => {
  shows('weekend-dates', 'default');
  const emulator = await started(t);
  for (const [start, due, movedStart, movedDue, duration, isAssumed] of [
    ['10', '11', '12T09:00:00', '12T17:00:00', 480, true],
    ['10T10:00:00', '10T12:00:00', '12T10:00:00', '12T12:00:00', 120, true],
    ['10T14:00:00', '11T10:00:00', '12T14:00:00', '12T14:00:00', 0, true],
    ['09', '10', '09T09:00:00', '10T17:00:00', 480, true],
    ['10', '12', '12T09:00:00', '12T17:00:00', 480, false],
  ] as const) {
    const dates = { start: `2026-10-${start}`, due: `2026-10-${due}` };
    const { body, headers } = await call(emulator, 'PUT', `/tasks/${backlog}?${query({ dates })}`);
    const moved = plan(`2026-10-${movedStart}`, `2026-10-${movedDue}`, duration);
    assert.deepEqual(body.data[0].dates, moved);
    const rows = headers.get('emulator-assumption') ?? '';
    assert.equal(rows.includes('weekend-dates'), isAssumed, start);
  }
});

test("the account's own working days count, and the event has the dates as stored", async (t) => {
  const accounts = [{ name: 'A', workDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu'] }];
  const seed = seedOf({ version: 1, accounts, tasks: [{ title: 'a' }] });
  const { emulator, events } = await subscribed(t, {}, { seed });
  const expected = plan('2026-10-11T09:00:00', '2026-10-12T17:00:00', 960);
  assert.deepEqual(await dating(emulator)({ start: '2026-10-09', due: '2026-10-12' }), expected);
  const { start: startDate, due: dueDate, ...others } = expected;
  assert.deepEqual(valuesOf(await events(), 'dates'), [{ startDate, dueDate, ...others }]);
});

test('a start and a duration give the due date', async (t) => {
  const dates = dating(await started(t), backlog);
  for (const [start, duration, more, due] of [
    ['2026-02-02', 480, {}, '2026-02-02T17:00:00'],
    ['2026-02-02', 481, {}, '2026-02-03T09:01:00'],
    ['2026-02-06', 960, {}, '2026-02-09T17:00:00'],
    ['2026-02-06', 960, { workOnWeekends: true }, '2026-02-07T17:00:00'],
    ['2026-02-02', 1, { workOnWeekends: false }, '2026-02-02T09:01:00'],
    ['2026-02-02', 1.5, {}, '2026-02-02T09:01:30'],
  ] as const)
    assert.equal((await dates({ start, duration, ...more })).due, due, `${start} ${duration}`);
});

test('a duration can be a fraction of a minute, or zero where the due date or the type allows it', async (t) => {
  const dates = dating(await started(t), backlog);
  for (const duration of [0, 0.5]) {
    assert.equal((await dates({ start: '2026-02-02', due: '2026-02-02', duration })).duration, duration);
    assert.deepEqual(await dates({ type: 'Backlog', duration }), { type: 'Backlog', duration });
    assert.deepEqual(await dates({ duration }), { type: 'Backlog', duration });
  }
});

test('effort days have no range, and are calendar days', async (t) => {
  const emulator = await started(t);
  const sent = (date: string) => ({
    setResponsibleAllocation: [{ userId: 'KUAAADAQ', dailyAllocation: [{ date, effortMinutes: 60 }] }],
  });
  for (const date of ['1969-12-31', '2000-02-29', '2100-01-01', '2400-02-29'])
    await update(emulator, sent(date));
  for (const date of ['2100-02-29', '2028-02-30', '1900-02-29']) await invalidUpdate(emulator, sent(date));
});

test('a due date alone makes a milestone', async (t) => {
  const dates = await dating(await started(t))({ due: '2026-02-20' });
  assert.deepEqual(dates, { type: 'Milestone', due: '2026-02-20T17:00:00' });
});

test('a duration without start and due clears both', async (t) => {
  const dates = dating(await started(t));
  assert.deepEqual(await dates({ duration: 960 }), { type: 'Backlog', duration: 960 });
  await dates({ start: '2026-02-02', due: '2026-02-03' });
  assert.deepEqual(await dates({ duration: 480, due: '2026-02-03' }), { type: 'Backlog', duration: 480 });
});

test('a duration with start and due is stored as sent', async (t) => {
  const dates = await dating(await started(t))({ start: '2026-02-02', due: '2026-02-06', duration: 960 });
  assert.deepEqual(dates, plan('2026-02-02T09:00:00', '2026-02-06T17:00:00', 960));
});

test('a type alone changes the kind of task', async (t) => {
  const emulator = await started(t);
  const due = '2026-02-06T17:00:00';
  // Due before the day's work begins: nothing is left to do.
  const early = '2026-03-02T08:59:59';
  for (const [sent, expected] of [
    [{ type: 'Milestone' }, { type: 'Milestone', due }],
    [{ type: 'Planned' }, plan('2026-02-06T09:00:00', due, 480)],
    [{ type: 'Backlog' }, { type: 'Backlog' }],
    [{ type: 'Planned', due: early }, plan(early, early, 0)],
    [{ type: 'Backlog' }, { type: 'Backlog' }],
  ] as const)
    assert.deepEqual(await dating(emulator)(sent), expected);
  for (const [type, what] of [
    ['Planned', 'a start and a due date or a duration'],
    ['Milestone', 'a due date'],
  ] as const)
    assert.equal(
      await invalidUpdate(emulator, { dates: { type } }),
      `Parameter 'dates' value is invalid: "${type}" needs ${what}, and the task has none`,
    );
});

test('empty dates change nothing', async (t) => {
  const emulator = await started(t);
  const before = await update(emulator, {});
  assert.deepEqual(await update(emulator, { dates: {} }), before);
});

test('rejects impossible dates', async (t) => {
  const emulator = await started(t);
  for (const dates of [
    { start: '2026-02-02' },
    { start: '2026-02-02', workOnWeekends: true },
    { start: '2026-02-03', due: '2026-02-02' },
    { start: '2026-02-03T12:00:00', due: '2026-02-03T11:59:59' },
    { start: '2026-02-03T17:00:01', due: '2026-02-03' },
    { start: '2026-02-02', duration: 0 },
    { start: '2026-02-02', duration: 0.5 },
    { type: 'Planned', duration: 0 },
    { type: 'Planned', duration: 0.999 },
    { start: '2026-02-02', duration: 1_800_000 },
    { duration: -1 },
    { start: '2099-12-30', duration: 1_799_999 },
    { due: '2100-01-01' },
    { due: '1969-12-31T23:59:59' },
    { due: '2026-02-30' },
    { due: '2028-02-30' },
    { due: '2027-02-29' },
    { due: '2026-2-3' },
    { due: '2026-02-03T10:00:00Z' },
    { type: 'Milestone', start: '2026-02-02', due: '2026-02-03' },
    { type: 'Backlog', due: '2026-02-03' },
    { type: 'planed' },
    { finish: '2026-02-03' },
    [],
  ])
    assert.match(await invalidUpdate(emulator, { dates }), /'dates'/);
  const edges = { start: '1970-01-01T00:00:00', due: '2099-12-31T23:59:59' };
  assert.equal((await dating(emulator)(edges)).due, edges.due);
});

for (const [what, date, expected] of [
  ["before the task's own start begins on the due date", '2026-01-05', ['2026-01-05', 480]],
  ["after the task's own start keeps that start", '2026-02-03', ['2026-02-02', 960]],
] as const)
  test(`Planned with a due date ${what}`, async (t) => {
    const [start, duration] = expected;
    const dates = await dating(await started(t))({ type: 'Planned', due: date });
    assert.deepEqual(dates, plan(`${start}T09:00:00`, `${date}T17:00:00`, duration));
  });
