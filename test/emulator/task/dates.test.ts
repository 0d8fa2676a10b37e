// The dates of a task: types, a date alone, working days of 480 minutes. 2026-02-02 is a Monday.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '#test/support/service/control.ts';
import { call, rejectedUpdate, started, update } from '#test/support/service/start-emulator.ts';
import { createWebhook, withReceiver } from '../dispatch/subscribed.ts';
import { seedOf } from '../seed/any-seed.ts';
import { shows } from '../shows.ts';

const backlog = 'IEAAAAAQKQAB5BLG';

test('a start and a due date make a planned task with its working minutes', async (t) => {
  const emulator = await started(t);
  const dates = async (sent: unknown) => (await update(emulator, { dates: sent }, backlog)).dates;
  assert.deepEqual(await dates({ start: '2026-02-02', due: '2026-02-02' }), {
    type: 'Planned',
    start: '2026-02-02T09:00:00',
    due: '2026-02-02T17:00:00',
    duration: 480,
  });
  // Friday to Monday: the weekend does not count, unless it is worked.
  assert.deepEqual(await dates({ start: '2026-02-06', due: '2026-02-09' }), {
    type: 'Planned',
    start: '2026-02-06T09:00:00',
    due: '2026-02-09T17:00:00',
    duration: 960,
  });
  assert.deepEqual(await dates({ start: '2026-02-06', due: '2026-02-09', workOnWeekends: true }), {
    type: 'Planned',
    start: '2026-02-06T09:00:00',
    due: '2026-02-09T17:00:00',
    duration: 1920,
    workOnWeekends: true,
  });
  assert.deepEqual(await dates({ workOnWeekends: false }), {
    type: 'Planned',
    start: '2026-02-06T09:00:00',
    due: '2026-02-09T17:00:00',
    duration: 960,
    workOnWeekends: false,
  });
  const halves = await dates({ start: '2026-02-02T13:00:00', due: '2026-02-03T10:30:00' });
  assert.deepEqual(
    [halves.start, halves.due, halves.duration],
    ['2026-02-02T13:00:00', '2026-02-03T10:30:00', 330],
  );
});

test('a start on a day off moves to the next working day; a due date does not', async (t) => {
  shows('date-without-time', 'default');
  const emulator = await started(t);
  const dates = async (sent: object) => {
    const { dates: shown } = await update(emulator, { dates: sent }, backlog);
    return [shown.start, shown.due, shown.duration];
  };
  const recorded = await update(emulator, { dates: { start: '2026-10-10', due: '2026-10-15' } }, backlog);
  // The order of the members too.
  assert.equal(
    JSON.stringify(recorded.dates),
    '{"type":"Planned","duration":1920,"start":"2026-10-12T09:00:00","due":"2026-10-15T17:00:00"}',
  );
  const monday = '2026-10-12T09:00:00';
  assert.deepEqual(await dates({ start: '2026-10-11', due: '2026-10-17' }), [
    monday,
    '2026-10-17T17:00:00',
    2400,
  ]);
  assert.deepEqual(await dates({ start: '2026-10-10', duration: 960 }), [monday, '2026-10-13T17:00:00', 960]);
  assert.deepEqual(await dates({ start: '2026-10-10', due: '2026-10-13', duration: 60 }), [
    monday,
    '2026-10-13T17:00:00',
    60,
  ]);
  const saturday = { start: '2026-10-10', due: '2026-10-12', workOnWeekends: true };
  assert.deepEqual(await dates(saturday), ['2026-10-10T09:00:00', '2026-10-12T17:00:00', 1440]);
  // The flag of the task counts as that of the update does; without it the start moves.
  assert.deepEqual(await dates({ start: '2026-10-11', due: '2026-10-12' }), [
    '2026-10-11T09:00:00',
    '2026-10-12T17:00:00',
    960,
  ]);
  assert.deepEqual(await dates({ workOnWeekends: false }), [monday, '2026-10-12T17:00:00', 480]);
});

test('a due date moves if the start has moved past it; times of day stay', async (t) => {
  shows('weekend-dates', 'default');
  const emulator = await started(t);
  for (const [sent, start, due, duration, isAssumed] of [
    [{ start: '2026-10-10', due: '2026-10-11' }, '2026-10-12T09:00:00', '2026-10-12T17:00:00', 480, true],
    [
      { start: '2026-10-10T10:00:00', due: '2026-10-10T12:00:00' },
      '2026-10-12T10:00:00',
      '2026-10-12T12:00:00',
      120,
      true,
    ],
    [
      { start: '2026-10-10T14:00:00', due: '2026-10-11T10:00:00' },
      '2026-10-12T14:00:00',
      '2026-10-12T14:00:00',
      0,
      true,
    ],
    [{ start: '2026-10-09', due: '2026-10-10' }, '2026-10-09T09:00:00', '2026-10-10T17:00:00', 480, true],
    [{ start: '2026-10-10', due: '2026-10-12' }, '2026-10-12T09:00:00', '2026-10-12T17:00:00', 480, false],
  ] as const) {
    const { body, headers } = await call(
      emulator,
      'PUT',
      `/tasks/${backlog}?dates=${encodeURIComponent(JSON.stringify(sent))}`,
    );
    assert.deepEqual(body.data[0].dates, { type: 'Planned', duration, start, due });
    const rows = headers.get('emulator-assumption') ?? '';
    assert.equal(rows.includes('weekend-dates'), isAssumed, JSON.stringify(sent));
  }
});

test("the account's own working days count, and the event has the dates as stored", async (t) => {
  const { emulator, receiver } = await withReceiver(t, {
    seed: seedOf({
      version: 1,
      accounts: [{ name: 'A', workDays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu'] }],
      tasks: [{ title: 'a' }],
    }),
  });
  await createWebhook(emulator, receiver);
  const { dates } = await update(emulator, { dates: { start: '2026-10-09', due: '2026-10-12' } });
  const expected = {
    type: 'Planned',
    duration: 960,
    start: '2026-10-11T09:00:00',
    due: '2026-10-12T17:00:00',
  };
  assert.deepEqual(dates, expected);
  await settled(emulator);
  const { start: startDate, due: dueDate, ...others } = expected;
  const [event] = receiver.received.flatMap(({ events }) => events);
  assert.deepEqual(event?.['dates'], { startDate, dueDate, ...others });
});

test('a start and a duration give the due date', async (t) => {
  const emulator = await started(t);
  const due = async (sent: object) => (await update(emulator, { dates: sent }, backlog)).dates.due;
  assert.equal(await due({ start: '2026-02-02', duration: 480 }), '2026-02-02T17:00:00');
  assert.equal(await due({ start: '2026-02-02', duration: 481 }), '2026-02-03T09:01:00');
  assert.equal(await due({ start: '2026-02-06', duration: 960 }), '2026-02-09T17:00:00');
  assert.equal(
    await due({ start: '2026-02-06', duration: 960, workOnWeekends: true }),
    '2026-02-07T17:00:00',
  );
  assert.equal(await due({ start: '2026-02-02', duration: 1, workOnWeekends: false }), '2026-02-02T09:01:00');
});

test('a duration can be a fraction of a minute, or zero where the due date or the type allows it', async (t) => {
  const emulator = await started(t);
  const dates = async (sent: object) => (await update(emulator, { dates: sent }, backlog)).dates;
  assert.equal((await dates({ start: '2026-02-02', duration: 1.5 })).due, '2026-02-02T09:01:30');
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
  for (const date of ['2100-02-29', '2028-02-30', '1900-02-29']) {
    const { status, error } = await rejectedUpdate(emulator, sent(date));
    assert.deepEqual([status, error], [400, 'invalid_parameter'], date);
  }
});

test('a due date alone makes a milestone', async (t) => {
  const emulator = await started(t);
  const { dates } = await update(emulator, { dates: { due: '2026-02-20' } });
  assert.deepEqual(dates, { type: 'Milestone', due: '2026-02-20T17:00:00' });
});

test('a duration without start and due clears both', async (t) => {
  const emulator = await started(t);
  const { dates } = await update(emulator, { dates: { duration: 960 } });
  assert.deepEqual(dates, { type: 'Backlog', duration: 960 });
  await update(emulator, { dates: { start: '2026-02-02', due: '2026-02-03' } });
  const cleared = await update(emulator, { dates: { duration: 480, due: '2026-02-03' } });
  assert.deepEqual(cleared.dates, { type: 'Backlog', duration: 480 });
});

test('a duration with start and due is stored as sent', async (t) => {
  const emulator = await started(t);
  const { dates } = await update(emulator, {
    dates: { start: '2026-02-02', due: '2026-02-06', duration: 960 },
  });
  assert.deepEqual(dates, {
    type: 'Planned',
    start: '2026-02-02T09:00:00',
    due: '2026-02-06T17:00:00',
    duration: 960,
  });
});

test('a type alone changes the kind of task', async (t) => {
  const emulator = await started(t);
  assert.deepEqual((await update(emulator, { dates: { type: 'Milestone' } })).dates, {
    type: 'Milestone',
    due: '2026-02-06T17:00:00',
  });
  assert.deepEqual((await update(emulator, { dates: { type: 'Planned' } })).dates, {
    type: 'Planned',
    start: '2026-02-06T09:00:00',
    due: '2026-02-06T17:00:00',
    duration: 480,
  });
  assert.deepEqual((await update(emulator, { dates: { type: 'Backlog' } })).dates, { type: 'Backlog' });
  // Due before the day's work begins: nothing is left to do.
  const early = '2026-03-02T08:59:59';
  assert.deepEqual((await update(emulator, { dates: { type: 'Planned', due: early } })).dates, {
    type: 'Planned',
    start: early,
    due: early,
    duration: 0,
  });
  assert.deepEqual((await update(emulator, { dates: { type: 'Backlog' } })).dates, { type: 'Backlog' });
  for (const [type, why] of [
    ['Planned', 'a start and a due date or a duration'],
    ['Milestone', 'a due date'],
  ] as const) {
    const { status, description } = await rejectedUpdate(emulator, { dates: { type } });
    assert.deepEqual(
      [status, description],
      [400, `Parameter 'dates' value is invalid: "${type}" needs ${why}, and the task has none`],
    );
  }
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
  ]) {
    const { status, error, description } = await rejectedUpdate(emulator, { dates });
    assert.deepEqual([status, error], [400, 'invalid_parameter'], JSON.stringify(dates));
    assert.match(description, /'dates'/);
  }
  const edges = await update(emulator, {
    dates: { start: '1970-01-01T00:00:00', due: '2099-12-31T23:59:59' },
  });
  assert.equal(edges.dates.due, '2099-12-31T23:59:59');
});

test("Planned with a due date before the task's own start begins on the due date", async (t) => {
  const emulator = await started(t);
  const { dates } = await update(emulator, { dates: { type: 'Planned', due: '2026-01-05' } });
  assert.deepEqual(dates, {
    type: 'Planned',
    start: '2026-01-05T09:00:00',
    due: '2026-01-05T17:00:00',
    duration: 480,
  });
});

test("Planned with a due date after the task's own start keeps that start", async (t) => {
  const emulator = await started(t);
  assert.deepEqual((await update(emulator, { dates: { type: 'Planned', due: '2026-02-03' } })).dates, {
    type: 'Planned',
    start: '2026-02-02T09:00:00',
    due: '2026-02-03T17:00:00',
    duration: 960,
  });
});
