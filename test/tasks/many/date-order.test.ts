// Files with dates such as 12/4/2026: none is sent where one of them contradicts the account's date format, and --date-order
// gives the order of the file.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-', '--yes'];

/** The account writes dd/MM/yyyy. `days` are those of both tasks. */
async function withDays(context: TestContext) {
  const service = await emulated(context);
  const days = async () =>
    Promise.all(
      [first, second].map(async (id) => {
        const { start, due } = (await service.task(id)).dates;
        return [start, due].map((date: string | undefined) => date?.slice(0, 10));
      }),
    );
  return { ...service, days, before: await days() };
}

const json = (id: string, dates: object) => `${JSON.stringify({ id, dates })}\n`;
const csvCell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
const effort = (date: string) => ({
  id: second,
  setResponsibleAllocation: [{ userId: sample.ada, dailyAllocation: [{ date, effortMinutes: 60 }] }],
});

for (const [form, input] of [
  ['dates in two columns', `id,start,due\n${first},12/3/2026,12/4/2026\n${second},12/30/2026,12/31/2026\n`],
  [
    'dates with times',
    `id,start,due\n${first},12/3/2026 9am,12/4/2026T17:00\n${second},12/4/2026,12/31/2026T17:00\n`,
  ],
  [
    'the contradiction first',
    `id,start,due\n${second},12/30/2026,12/31/2026\n${first},12/3/2026,12/4/2026\n`,
  ],
  [
    'rows of other columns',
    `id,title,start,due\n${first},New,12/3/2026,12/4/2026\n${second},,2026-12-05,12/31/2026\n`,
  ],
  [
    'NDJSON',
    json(first, { start: '12/3/2026', due: '12/4/2026' }) +
      json(second, { start: '12/4/2026', due: '12/31/2026' }),
  ],
  [
    'JSON with escaped slashes',
    (
      json(first, { start: '12/3/2026', due: '12/4/2026' }) +
      json(second, { start: '12/4/2026', due: '12/31/2026' })
    ).replaceAll('/', '\\/'),
  ],
  [
    'JSON in a cell',
    `id,dates\n${first},${csvCell({ start: '12/3/2026', due: '12/4/2026' })}\n${second},${csvCell({ start: '12/4/2026', due: '12/31/2026' })}\n`,
  ],
  [
    'the days of an effort',
    json(first, { start: '12/3/2026', due: '12/4/2026' }) + JSON.stringify(effort('12/31/2026')),
  ],
  [
    'a custom field that holds a date',
    `id,start,due,custom-field:Goes to print\n${first},12/3/2026,12/4/2026,\n${second},,,12/31/2026\n`,
  ],
] as const)
  test(`a date that contradicts the format of the account stops the whole file: ${form}`, async (context) => {
    const { wm, days, before } = await withDays(context);
    for (const more of [[], ['--dry-run']]) {
      const ran = await wm([...fromInput, ...more], { input, exit: 2 });
      assert.equal(ran.output, '');
      assert.match(
        ran.errors,
        /^wm: standard input has 12\/3[01]\/2026, but this account writes dd\/MM\/yyyy$/m,
      );
      assert.match(ran.errors, /^ {2}Nothing was sent\. Give the order of the dates in the file:$/m);
      assert.match(ran.errors, /^ {2}--date-order month-first \(12\/[34]\/2026 is 2026-12-0[34]\)$/m);
      assert.match(ran.errors, /^ {2}--date-order day-first \(12\/[34]\/2026 is 2026-0[34]-12\)$/m);
    }
    assert.deepEqual(await days(), before);
  });

test('without an ambiguous date, the contradicting date shows both orders', async (context) => {
  const { wm } = await withDays(context);
  const ran = await wm(fromInput, { input: `id,start,due\n${second},2026-12-30,12/31/2026\n`, exit: 2 });
  assert.match(ran.errors, /^ {2}--date-order month-first \(12\/31\/2026 is 2026-12-31\)$/m);
  assert.match(ran.errors, /^ {2}--date-order day-first \(12\/31\/2026 is invalid\)$/m);
});

for (const [form, input] of [
  ['CSV', `id,start,due\n${first},12/3/2026,12/4/2026\n${second},12/4/2026,12/31/2026\n`],
  [
    'NDJSON',
    json(first, { start: '12/3/2026', due: '12/4/2026' }) +
      json(second, { start: '12/4/2026', due: '12/31/2026' }),
  ],
] as const)
  test(`--date-order month-first reads every date of the file, and says so: ${form}`, async (context) => {
    const { wm, days, control } = await withDays(context);
    // The account is not asked.
    await control('faults', { request: 'getAccount', status: 500, times: 9 });
    const ran = await wm([...fromInput, '--date-order', 'Month-First'], { input, exit: 0 });
    assert.deepEqual(await days(), [
      ['2026-12-03', '2026-12-04'],
      ['2026-12-04', '2026-12-31'],
    ]);
    assert.match(ran.errors, /12\/3\/2026\S* is \S*2026-12-03.*: --date-order month-first$/m);
  });

test('with --date-order day-first, the rows that contradict it are invalid, and the others are sent', async (context) => {
  const { wm, days, before } = await withDays(context);
  const input = `id,start,due\n${first},12/3/2026,12/4/2026\n${second},12/30/2026,12/31/2026\n`;
  const ran = await wm([...fromInput, '--date-order', 'day-first'], { input, exit: 8 });
  assert.deepEqual(await days(), [['2026-03-12', '2026-04-12'], before[1]]);
  assert.match(ran.errors, /line 3 \(\S+\): start: "12\/30\/2026" can only be 2026-12-30; write that$/m);
});

test('a date that is invalid in both orders is an error of its row only', async (context) => {
  const { wm, days, before } = await withDays(context);
  for (const wrong of ['14/13/2026', '31/02/2026', '2/30/2026', '31/31/2026', '29/2/2027', '0/5/2026']) {
    const ran = await wm(fromInput, {
      input: `id,start,due\n${first},3/12/2026,4/12/2026\n${second},1/12/2026,${wrong}\n`,
      exit: 8,
    });
    assert.ok(ran.errors.includes(`"${wrong}" is not a date`), ran.errors);
    assert.deepEqual(await days(), [['2026-12-03', '2026-12-04'], before[1]]);
  }
});

test('--date-order has no effect on a file without such dates, or on an ignored column', async (context) => {
  const { wm, days } = await withDays(context);
  for (const [input, ...more] of [
    [`id,title,start,due\n${first},12/31/2026,2026-12-03,4.12.2026\n`],
    [`id,start,due,milestone\n${first},2026-12-03,2026-12-04,\n`, '--date-order', 'month-first'],
    [`id,start,due,dates\n${first},3/12/2026,4/12/2026,12/31/2026\n`, '--ignore-column', 'dates'],
  ] as const) {
    await wm([...fromInput, ...more], { input, exit: 0 });
    assert.deepEqual((await days())[0], ['2026-12-03', '2026-12-04']);
  }
  await wm(['task', 'update', first, '--title', 'N', '--date-order', 'month-first'], { exit: 0 });
});

test('--date-order reads the dates of flags too, for one task and for a file', async (context) => {
  const { wm, days } = await withDays(context);
  const dates = ['--start', '12/3/2026', '--due', '12/4/2026', '--date-order', 'month-first'];
  for (const named of [[first], ['--from', '-']]) {
    await wm(['task', 'update', first, '--start', '2026-01-01', '--due', '2026-01-02'], { exit: 0 });
    await wm(['task', 'update', ...named, ...dates, '--yes'], { input: `id\n${first}\n`, exit: 0 });
    assert.deepEqual((await days())[0], ['2026-12-03', '2026-12-04']);
  }
});

test('a resumed run keeps the order of its dates: another order is another run', async (context) => {
  const { wm, folder, days, control } = await withDays(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,start,due\n${first},12/3/2026,12/4/2026\n${second},1/5/2026,1/6/2026\n`);
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', join(folder, 'journal')];
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  await wm([...argv, '--date-order', 'month-first', '--concurrency', '1'], { exit: 8 });
  for (const other of [[], ['--date-order', 'day-first']]) {
    const refused = await wm([...argv, '--resume', ...other], { exit: 2 });
    assert.match(refused.errors, /is the journal of another bulk run/);
  }
  await wm([...argv, '--resume', '--date-order', 'month-first'], { exit: 0 });
  assert.deepEqual(await days(), [
    ['2026-12-03', '2026-12-04'],
    ['2026-01-05', '2026-01-06'],
  ]);
});

test('the file of a resumed run is checked again', async (context) => {
  const { wm, folder, days, control } = await withDays(context);
  const path = join(folder, 'tasks.csv');
  const rows = `id,start,due\n${first},3/12/2026,4/12/2026\n${second},`;
  await writeFile(path, `${rows}3/12/2026,4/12/2026\n`);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  await wm(argv, { exit: 8 });
  const sent = await days();
  await writeFile(path, `${rows}12/30/2026,12/31/2026\n`);
  await wm([...argv, '--resume'], { exit: 2 });
  assert.deepEqual(await days(), sent);
});
