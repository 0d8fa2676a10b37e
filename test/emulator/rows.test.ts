// The tables of docs/contract-tests.md: every row of the contract and every assumption has a line, every line a row, and every line a
// test with that title in that file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assumptions } from '#contract/assumption.ts';
import { findShown } from '../../scripts/rows/find-shown.mjs';
import { withRows } from '../../scripts/rows/format-rows.mjs';
import { assumptionTests } from '../witness/assumption-tests.ts';
import { sections } from '../witness/rows.ts';
import { taskParameters, taskUpdateLines } from '../witness/task-update.ts';

interface Line {
  readonly section: string;
  readonly row: string;
  readonly title: string;
  readonly file: string;
}

async function tableLines(): Promise<readonly Line[]> {
  const readme = await readFile('docs/contract-tests.md', 'utf8');
  const [, table = ''] = readme.split('## Every row of the contract, and the test that holds it\n');
  let section = '';
  const lines: Line[] = [];
  for (const text of table.split('\n')) {
    if (text.startsWith('### ')) section = text.slice(4);
    if (!text.startsWith('| ') || /^\| (?:row |-)/.test(text)) continue;
    const [row = '', title = '', file = ''] = text
      .slice(1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    lines.push({ section, row, title, file: `test/${file.replaceAll('`', '')}.test.ts` });
  }
  return lines;
}

/** What the titles of a file's tests look like; a part that is worked out may be anything. */
async function titlesIn(file: string): Promise<readonly RegExp[]> {
  const text = await readFile(file, 'utf8');
  const literally = (part: string) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return [...text.matchAll(/\btest\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`)/g)].map(
    ([, single, double, template]) => {
      const plain = (single ?? double)?.replace(/\\(.)/g, '$1');
      const parts = plain === undefined ? (template ?? '').split(/\$\{[^}]*\}/) : [plain];
      return new RegExp(`^${parts.map(literally).join('[\\s\\S]+')}$`);
    },
  );
}

test('every row of the contract has a line in the table, and every line a row', async () => {
  const lines = await tableLines();
  const listed = lines.map(({ section, row }) => `${section}: ${row}`);
  const wanted = sections.flatMap(({ section, rows }) => rows.map((row) => `${section}: ${row}`));
  // `every other event` is held by a test that goes through all of the witness.
  const isOther = (row: string) => listed.includes(row.replace(/: (\w+) \w+$/, ': every other $1'));
  assert.deepEqual(
    wanted.filter((row) => !listed.includes(row) && !isOther(row)),
    [],
    'rows without a line',
  );
  assert.deepEqual(
    listed.filter((row) => !wanted.includes(row)),
    [],
    'lines without a row',
  );
  assert.equal(new Set(wanted).size, wanted.length);
  assert.ok(wanted.length > 250);
});

test('every line of the table names a test that there is', async () => {
  const titles = new Map<string, readonly RegExp[]>();
  const missing: string[] = [];
  for (const { row, title, file } of await tableLines()) {
    const known = titles.get(file) ?? (await titlesIn(file));
    titles.set(file, known);
    if (!known.some((pattern) => pattern.test(title))) missing.push(`${row}: ${title} in ${file}`);
    // A title that is worked out must come from a value that stands in the file.
    const text = await readFile(file, 'utf8');
    const start = /^(?:(\d{3}) |([a-z-]+) revokes tokens|reduces (.*))/.exec(title);
    const value = start?.[1] ?? start?.[2] ?? start?.[3];
    if (value !== undefined && !text.includes(value)) missing.push(`${title}: ${value} is not in ${file}`);
  }
  assert.deepEqual(missing, []);
});

test('a parameter without a line of its own has one in the witness that says what a task shows then', async () => {
  const listed = (await tableLines()).map(({ row }) => row);
  assert.deepEqual(
    taskParameters
      .map(({ name }) => name)
      .filter((name) => !listed.includes(`parameter ${name}`))
      .filter((name) => !taskUpdateLines.some((line) => line.parameter === name && line.shows)),
    [],
  );
});

/** Listed, and marked in the tests. */
const shownRows = async () => [...assumptionTests, ...(await findShown(''))];

test('a test shows each row of the assumptions by default, and in each mode in which it differs', async () => {
  const listed = (await shownRows()).map(([row, mode]) => `${row}, ${mode}`);
  const wanted = assumptions.flatMap(({ id, bare, strict }) => [
    `${id}, default`,
    ...(bare === undefined ? [] : [`${id}, bare`]),
    ...(strict === undefined ? [] : [`${id}, strict`]),
  ]);
  assert.deepEqual(
    wanted.filter((row) => !listed.includes(row)),
    [],
    'shown by no test',
  );
  assert.deepEqual(
    listed.filter((row) => !wanted.includes(row)),
    [],
    'no row, or no difference in this mode',
  );
});

test('every test that shows an assumption is there', async () => {
  const missing: string[] = [];
  const fits = new Map<string, readonly RegExp[]>();
  for (const [row, , title, name] of assumptionTests) {
    const file = `test/${name}.test.ts`;
    const known = fits.get(file) ?? (await titlesIn(file));
    fits.set(file, known);
    if (!known.some((pattern) => pattern.test(title))) missing.push(`${row}: ${title} in ${file}`);
    // A title that is worked out, or one for many rows, must name the row in its file.
    const text = await readFile(file, 'utf8');
    const isShared =
      assumptionTests.filter((entry) => entry[2] === title).length > 3 || title.startsWith(`${row}: `);
    if (isShared && !text.includes(`'${row}'`) && !text.includes(`${row}:`))
      missing.push(`${row} is not in ${file}`);
  }
  assert.deepEqual(missing, []);
});

test('the table of the assumptions in docs/contract-tests.md is current; otherwise: npm run rows', async () => {
  const readme = await readFile('docs/contract-tests.md', 'utf8');
  assert.equal(readme, withRows(readme, await shownRows()), 'Run: npm run rows');
});
