// The short forms of `wm task update`: which requests they become. None of it needs a network. test/transcript/task-invalid.txt shows
// which are invalid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { run } from '#test/support/program/program.ts';
import { showUpdate, testTenths } from './tenths.ts';

const id = 'IEAAAAAQKQAB5BNG';

// Those that floating point does not make whole minutes (4.1 * 60 is not 246), and some others.
testTenths((n) => n % 40 === 0 || [60, 480].some((unit) => !Number.isInteger((n / 10) * unit)));

const dates: readonly [name: string, flags: string, dates: object][] = [
  ['today', '--start today --due tomorrow', { start: '2026-11-21', due: '2026-11-22' }],
  ['a weekday is the next one', '--start mon --due friday', { start: '2026-11-23', due: '2026-11-27' }],
  ['never today', '--start sat --duration 1d', { start: '2026-11-28', duration: 480 }],
  ['days and weeks', '--start +3d --due +2w', { start: '2026-11-24', due: '2026-12-05' }],
  ['over the end of a year', '--start +50d --due +51d', { start: '2027-01-10', due: '2027-01-11' }],
  [
    'with a time',
    "--start 'mon 9:30' --due fridayT17:00",
    { start: '2026-11-23T09:30:00', due: '2026-11-27T17:00:00' },
  ],
  ['upper case', '--start Tomorrow --due THU', { start: '2026-11-22', due: '2026-11-26' }],
  [
    'a duration in days and hours',
    '--start 2026-12-01 --duration 2d4h',
    { start: '2026-12-01', duration: 1200 },
  ],
  ['in hours and minutes', '--start 2026-12-01 --duration 1.5h', { start: '2026-12-01', duration: 90 }],
  ['in minutes', '--start 2026-12-01 --duration 90m', { start: '2026-12-01', duration: 90 }],
  ['a milestone', '--milestone --due fri', { type: 'Milestone', due: '2026-11-27' }],
  [
    'a time without seconds, behind T or a space',
    "--start 2026-12-01T9:05 --due '2026-12-04 17:00'",
    { start: '2026-12-01T09:05:00', due: '2026-12-04T17:00:00' },
  ],
  [
    'a time with seconds',
    "--start 'mon 9:30:15' --due '2026-12-04 17:00:59'",
    { start: '2026-11-23T09:30:15', due: '2026-12-04T17:00:59' },
  ],
  [
    'yesterday, and the next of a weekday',
    "--start yesterday --due 'next Monday'",
    { start: '2026-11-20', due: '2026-11-23' },
  ],
  ['next, never today', "--start today --due 'next sat'", { start: '2026-11-21', due: '2026-11-28' }],
  ['so many days', "--start '3 days' --due 'in 4 days'", { start: '2026-11-24', due: '2026-11-25' }],
  [
    'one day, and weeks',
    "--start 'in 1 day' --due 'in 2 weeks at 17:00'",
    { start: '2026-11-22', due: '2026-12-05T17:00:00' },
  ],
  [
    'with spaces and capitals anywhere',
    "--start ' In  3 DAYS ' --due ' 2026-12-01t10:00 '",
    { start: '2026-11-24', due: '2026-12-01T10:00:00' },
  ],
  [
    'a leap day',
    '--start 2028-02-29 --due 2028-02-29T10:00',
    { start: '2028-02-29', due: '2028-02-29T10:00:00' },
  ],
  [
    'a leap day in a century that has one',
    '--start 2000-02-29 --due 2000-03-01',
    { start: '2000-02-29', due: '2000-03-01' },
  ],
];

for (const [name, flags, expected] of dates) {
  test(`dates: ${name}`, async () => {
    const { query, errors } = await showUpdate(flags);
    assert.deepEqual(JSON.parse(query.get('dates') ?? errors), expected);
  });
}

test('shows the date that a relative date means, on standard error', async () => {
  const { errors } = await showUpdate("--start 'next mon' --due '2026-12-01 17:00'");
  assert.equal(errors, '--start next mon is 2026-11-23\n');
});

test('a duration in any form is the sum of its parts', async () => {
  const part = fc.option(fc.nat(99));
  await fc.assert(
    fc.asyncProperty(part, part, part, async (days, hours, minutes) => {
      fc.pre(days !== null || hours !== null || minutes !== null);
      const messages = [
        days === null ? '' : `${days}d`,
        hours === null ? '' : `${hours}h`,
        minutes === null ? '' : `${minutes}m`,
      ];
      const sum = (days ?? 0) * 480 + (hours ?? 0) * 60 + (minutes ?? 0);
      const { query, errors } = await showUpdate(
        `--start 2026-12-01 --due 2026-12-02 --duration ${messages.join('')}`,
      );
      assert.equal(JSON.parse(query.get('dates') ?? errors).duration, sum);
    }),
    { numRuns: 50 },
  );
});

test('parts that only add up to a whole minute, and words for the units', async () => {
  for (const [text, minutes] of [
    ['0.005d0.01h', 3],
    ['2 days 4 hours 30 minutes', 1230],
    ['1 Day', 480],
    ['1hr 5min', 65],
    ['90 mins', 90],
    ['1.0m', 1],
  ] as const) {
    const { query, errors } = await showUpdate(`--start 2026-12-01 --due 2026-12-02 --duration '${text}'`);
    assert.equal(JSON.parse(query.get('dates') ?? errors).duration, minutes, text);
  }
});

test('effort by mode and total', async () => {
  const { query } = await showUpdate('--effort-mode Basic --total-effort 12h');
  assert.deepEqual(JSON.parse(query.get('effortAllocation') ?? ''), { mode: 'Basic', totalEffort: 720 });
});

test('several choices of a custom field, as the JSON inside the value', async () => {
  const { query } = await showUpdate(`--custom-field 'IEAAAAAQJUAB5MUL[]=Print,"a, ""quoted"" one", Web'`);
  assert.deepEqual(JSON.parse(query.get('customFields') ?? ''), [
    { id: 'IEAAAAAQJUAB5MUL', value: '["Print","a, \\"quoted\\" one","Web"]' },
  ]);
});

test('accepts a permalink of the web workspace for its id, in every flag that takes one', async () => {
  const link = (of: string) => `https://workspace.example.com/open?id=${of}`;
  const { path, query } = await showUpdate(
    `--priority-after ${link('IEAAFTER')} --add-parents ${link('IEAFOLD')},IEAOTHER --remove-super-tasks ${link('IEASUP')}`,
    link(id),
  );
  assert.equal(path, `/api/v4/tasks/${id}`);
  assert.equal(query.get('priorityAfter'), 'IEAAFTER');
  assert.equal(query.get('addParents'), '["IEAFOLD","IEAOTHER"]');
  assert.equal(query.get('removeSuperTasks'), '["IEASUP"]');
});

test('a relative due date alone is invalid, and named by its date', async () => {
  const { status, errors } = await showUpdate('--due fri');
  assert.equal(status, 2, errors);
  for (const one of ['2026-11-27', '--milestone']) assert.ok(errors.includes(one), errors);
});

test('metadata: null is text in KEY=VALUE, and removes an entry in JSON, as documented', async () => {
  const { query } = await showUpdate(
    `--metadata a=null --metadata b= --metadata '[{"key":"c","value":null}]'`,
  );
  assert.deepEqual(JSON.parse(query.get('metadata') ?? ''), [
    { key: 'a', value: 'null' },
    { key: 'b', value: '' },
    { key: 'c', value: null },
  ]);
  const help = await run(['task', 'update', '--help', 'all']);
  assert.match(
    help.output,
    /--metadata KEY=VALUE +Set metadata entries: KEY=VALUE, or JSON, in which\s+null\s+removes one\n/,
  );
});
