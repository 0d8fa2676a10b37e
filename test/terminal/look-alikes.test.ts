// A list of webhooks or tasks that are much alike: at any width, one text never stands for two values, no line is too wide, and what
// differs is what the reader sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLines } from '#terminal/lines.ts';
import { plainStyle } from '#terminal/style.ts';
import type { Column } from '#terminal/table.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

const columns: readonly Column<readonly string[]>[] = ['status', 'url', 'covers', 'note', 'id'].map(
  (title, index) => ({
    title,
    cell: (cells) => cells[index] ?? '',
    ...(title === 'id' ? { unbroken: true as const, yields: true as const } : {}),
  }),
);

const bases = [
  'hooks.acme-billing.example.com/work-management/events/v1/incoming/tasks',
  'integration-gateway.eu-west-1.example.com/api/v2/customers/12/webhooks/billing/incoming',
  'automation.example.org/hooks/catch/900411/work-management-tasks?key=a1b2c3d4e5f60718293a4b5c6d7e8f90&mode=async',
  'Write the text of the launch page, and have it checked by two others',
];
/** One of the texts with one letter, word or end changed, anywhere: in the host, in the middle, in the last segment, in the query. */
const lookAlike = fc
  .tuple(fc.constantFrom(...bases), fc.nat(120), fc.constantFrom('l', '1', '12', 'beta', '/', '', '-', ' x'))
  .map(([base, at, change]) => {
    const from = at % (base.length + 1);
    return base.slice(0, from) + change + base.slice(from + 1);
  });
const folder = fc.constantFrom(
  'Website',
  'Website and a long title of a folder',
  'Website and a long title of an account',
);
const record = fc.tuple(
  fc.constantFrom('Active', 'Suspended'),
  lookAlike,
  folder,
  fc.constantFrom('', 'ticket 4711: ask Ada'),
);

/** The cells below each title, without the blanks behind them. */
function readCells(lines: readonly string[]): readonly (readonly string[])[] {
  const [head = '', ...rows] = lines;
  const starts = [...head.matchAll(/\S+/g)].map(({ index }) => index);
  return rows.map((row) => starts.map((start, index) => row.slice(start, starts[index + 1]).trimEnd()));
}

for (const width of [60, 80, 100, 140])
  test(`at ${width} columns, different values never look alike`, () => {
    let shortened = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { minLength: 2, maxLength: 40, selector: ([, url]) => url }),
        (records) => {
          const rows = records.map((cells, index) => ({
            record: cells,
            texts: [...cells, `IEAAAAAQWAAAA${1000 + index}`],
          }));
          const lines = createLines(width, plainStyle)(columns, rows)?.split('\n');
          // Blocks show everything.
          if (lines === undefined) return;
          assert.equal(lines.length, rows.length + 1);
          for (const line of lines) assert.ok(line.length <= width, line);
          const titles = (lines[0] ?? '').split(/ +/);
          for (const [position, title] of titles.entries()) {
            const textOf = new Map<string, string | undefined>();
            const column = columns.findIndex((candidate) => candidate.title === title);
            for (const [rowIndex, cells] of readCells(lines).entries()) {
              const cell: string = cells[position] ?? '';
              const text: string | undefined = rows[rowIndex]?.texts[column];
              assert.equal(textOf.get(cell) ?? text, text, `${cell} stands for both`);
              textOf.set(cell, text);
              if (cell.includes('…')) shortened++;
            }
          }
        },
      ),
      { numRuns: 150 },
    );
    assert.ok(shortened > 1000, `only ${shortened} were shortened`);
  });

test('neither do values in parts of a list that arrive later', () => {
  const draw = createLines(60, plainStyle);
  const rowsOf = (...urls: string[]) =>
    urls.map((url) => ({ record: [], texts: ['Active', url, 'Website', '', 'ID'] }));
  const url = (name: string) => `hooks.example.com/work-management/events/v1/incoming/${name}/tasks`;
  const [first = '', second = ''] = [
    draw(columns, rowsOf(url('billing'), url('payroll'))) ?? '',
    draw(
      columns,
      rowsOf(url('billlng').replace('hooks', 'relay'), url('billing').replace('hooks', 'relay')),
    ) ?? '',
  ];
  const cellsOf = (part: string) => part.split('\n').flatMap((line) => line.match(/\S*…\S*/)?.[0] ?? []);
  assert.equal(new Set([...cellsOf(first), ...cellsOf(second)]).size, 4, `${first}\n${second}`);
});

const customers = [7, 11, 12, 13].flatMap((customer) =>
  ['billing', 'shipping', 'payroll'].map(
    (service) =>
      `https://integration-gateway.example.com/api/v2/customers/${customer}/webhooks/${service}/incoming`,
  ),
);

test('a list to read at night: customer and service on each line, then since when, and why', async (context) => {
  const stage = await setStage(context);
  for (const hookUrl of [...customers, 'http://hooks.example.com/a'])
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
  const show = async (
    line: string,
    setting: { columns?: number; environment?: Record<string, string> } = {},
  ) => {
    const terminal = openInProcess(context, stage, line, { columns: 80, rows: 60, ...setting });
    assert.equal(await terminal.ended, 0, terminal.text);
    return terminal.text.split(/\r?\n/).map((text) => text.trimEnd());
  };
  const active = await show('wm webhook list -q');
  assert.match(active[0] ?? '', /^status +url +scope +id$/);
  assert.match(active.join('\n'), /^Active +http:\/\/hooks\.example\.com\/a +account or… +IEA/m);
  await show("wm webhook suspend --all --url /12/ --note 'ticket 4711' --yes -q");
  const list = await show('wm webhook list -q');
  assert.match(list[0] ?? '', /^status +url +scope +since +note$/);
  for (const service of ['billing', 'shipping', 'payroll']) {
    assert.match(
      list.join('\n'),
      new RegExp(`^Suspended +…/12/webhooks/${service}\\S* .* (?:now|\\d+ s ago) +ticket 4711`, 'm'),
    );
    assert.match(list.join('\n'), new RegExp(`^Active +…/13/webhooks/${service}\\S* `, 'm'));
  }
  assert.match((await show('wm webhook list -q', { columns: 140 }))[0] ?? '', /since +note +id$/);
  // A screen reader has no columns to compare.
  const whole = await show('wm webhook list -q', { environment: { ACCESSIBLE: '1' } });
  const joined = whole.map((text) => text.trim()).join('');
  for (const url of customers) assert.ok(joined.includes(url), `${url}\n${whole.join('\n')}`);
  assert.doesNotMatch(whole.join('\n'), /…/);
});

test('the preview of a picker shows the differences at 40 columns', async (context) => {
  const stage = await setStage(context);
  const prefix = 'https://hooks.example.com/work-management/events/incoming/of/all/teams/of/';
  for (const name of ['acme-billing', 'acme-billlng'])
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: `${prefix}${name}` })}`);
  const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns: 40, rows: 20 });
  await terminal.screenShows(/^ {2}\S*…\S*\/of\/acme-billing\b/m, key.down);
  await terminal.screenShows(/^ {2}\S*…\S*\/of\/acme-billlng\b/m, key.enter);
  // Not at a hyphen.
  await terminal.screenShows(/^\S*\/?work-management\//m);
  await terminal.screenShows('(y/N)', `n${key.enter}`);
  assert.equal(await terminal.ended, 2);
});
