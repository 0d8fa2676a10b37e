// The tables of docs/contract-tests.md: every row of the contract and every assumption has a line, every line a row, and every line a
// test with that title in that file.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assumptions, recordedRows } from '#contract/assumption.ts';
import { valuesOf } from '#test/support/service/records.ts';
import { assumptionSources } from '../witness/assumption-sources.ts';
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

const testTitle = /\btest\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`)/;

/** What the titles of a file's tests look like; a part that is worked out may be anything. */
async function titlesIn(file: string): Promise<readonly RegExp[]> {
  const text = await readFile(file, 'utf8');
  const literally = (part: string) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return [...text.matchAll(new RegExp(testTitle, 'g'))].map(([, single, double, template]) => {
    const plain = (single ?? double)?.replace(/\\(.)/g, '$1');
    const parts = plain === undefined ? (template ?? '').split(/\$\{[^}]*\}/) : [plain];
    return new RegExp(`^${parts.map(literally).join('[\\s\\S]+')}$`);
  });
}

test('every contract row has a line in the table, and every line has a row', async () => {
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

test('every line of the table names an existing test', async () => {
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

test('a parameter without a line of its own has one in the witness that says what the task then shows', async () => {
  const listed = (await tableLines()).map(({ row }) => row);
  assert.deepEqual(
    valuesOf(taskParameters, 'name')
      .filter((name) => !listed.includes(`parameter ${name}`))
      .filter((name) => !taskUpdateLines.some((line) => line.parameter === name && line.shows)),
    [],
  );
});

/** The calls of shows() in test/emulator: row, mode, the test's title and its file. */
async function findShown() {
  const call = /\bshows\(((?:'[a-z0-9-]+'(?:,\s*)?)+)\)/;
  const files = (await readdir('test/emulator', { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts'))
    .toSorted();
  const shown: [string, string, string, string][] = [];
  for (const file of files) {
    const text = await readFile(`test/emulator/${file}`, 'utf8');
    let title = '';
    for (const [, single, double, template, names] of text.matchAll(
      new RegExp(`${testTitle.source}|${call.source}`, 'g'),
    )) {
      if (names === undefined) title = (single ?? double)?.replace(/\\(.)/g, '$1') ?? template ?? '';
      const [row = '', ...modes] = [...(names ?? '').matchAll(/'([a-z0-9-]+)'/g)].map(
        ([, name = '']) => name,
      );
      for (const mode of modes) shown.push([row, mode, title, `emulator/${file.replace(/\.test\.ts$/, '')}`]);
    }
  }
  return shown;
}

/** No response depends on these: they are about what is sent to a receiver, and when, or about a mail. */
const rowsOfDeliveries = [
  ...'signature-text delivery-timing delivery-timeout events-per-delivery shared-idempotency-key'.split(' '),
  ...'suspension-notice retry-pauses events-without-subject delivery-secret-header'.split(' '),
  ...'delivery-spacing other-statuses retry-order inactive-author'.split(' '),
];

test('the emulator code names every row that a response depends on', async () => {
  const folders = ['src/emulator', 'src/contract'];
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
    ),
  );
  const sources = files.flat().filter((file) => file.endsWith('.ts') && !file.endsWith('/assumption.ts'));
  const code = (await Promise.all(sources.map((file) => readFile(file, 'utf8')))).join('\n');
  // A row is a text, or the key of a table: `pkce: '...'`.
  const isNamed = (id: string) => code.includes(`'${id}'`) || new RegExp(`^ +${id}: `, 'm').test(code);
  assert.deepEqual(
    valuesOf(assumptions, 'id').filter((id) => !isNamed(id)),
    rowsOfDeliveries,
  );
});

test('each assumption has the source that the witness gives', () => {
  const wanted = Object.entries(assumptionSources).flatMap(([source, ids]) =>
    ids.split(/\s+/).map((id) => `${id}: ${source}`),
  );
  assert.deepEqual(assumptions.map(({ id, source }) => `${id}: ${source}`).toSorted(), wanted.toSorted());
});

/** It sees a row in the header alone, which does not name what was recorded. */
const headerTest = 'the response to each assumed request names its row';
const recorded: ReadonlySet<string> = recordedRows;

/** Listed, and marked in the tests. */
const shownRows = async () =>
  [...assumptionTests, ...(await findShown())].filter(
    ([row, , title]) => title !== headerTest || !recorded.has(row),
  );

test('each assumption row has a test by default, and in each mode in which it differs', async () => {
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

test('every test listed for an assumption exists', async () => {
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
  const path = 'docs/contract-tests.md';
  const sources = new Map<string, string>(assumptions.map(({ id, source }) => [id, source]));
  const rows = (await shownRows())
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(
      ([row, mode, title, file]) =>
        `| \`${row}\` | ${sources.get(row)} | ${mode} | ${title.replaceAll('|', '\\|')} | \`${file}\` |\n`,
    );
  const head =
    '| row | source | mode | shown by the test | in |\n| --- | ------ | ---- | ----------------- | -- |\n';
  const page = await readFile(path, 'utf8');
  const current = page.replace(
    /(?<=^<!-- rows -->\n)[\s\S]*(?=^<!-- end of rows -->)/m,
    () => `${head}${rows.join('')}`,
  );
  if (process.env['WRITE_FILES']) await writeFile(path, current);
  assert.equal(await readFile(path, 'utf8'), current, 'Run: npm run rows');
});
