// CSV as spreadsheets write it: empty rows and columns behind the table, a line that names the delimiter, TRUE and FALSE,
// columns that wm does not know.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-', '--yes'];

test('rows of empty cells, of any length, are skipped and counted; the others keep their lines', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `id,title\r\n,\r\n${first},Hello\r\n , \r\n,,,\r\n${second},There\r\n"",""\r\n`;
  const ran = await wm(fromInput, { input, exit: 0 });
  assert.match(ran.errors, /^2 of 2 rows from standard input will be updated \(title\)\n/);
  assert.match(ran.errors, /^Skipped: 4 rows of empty cells$/m);
  const lines = ran.output.split('\n').filter(Boolean).sort();
  assert.deepEqual(lines, [`3\t${first}\tupdated\t`, `6\t${second}\tupdated\t`]);
  assert.equal((await task(second)).title, 'There');
});

test('one row of empty cells is skipped as well, and empty lines are not counted', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(fromInput, { input: `id,title\n\n${first},a\n\n,\n\n`, exit: 0 });
  assert.match(ran.errors, /^Skipped: 1 row of empty cells$/m);
});

test('a file with only such rows has no rows', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(fromInput, { input: 'id,title\n,\n,\n', exit: 2 });
  assert.match(ran.errors, /^wm: There are no rows in standard input$/m);
});

test('columns without a name are skipped and counted, with the rows that have a value there', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `id,title, ,,\n${first},Hello,,,\n${second},There,seen,,x\n,,,,\n`;
  const ran = await wm(fromInput, { input, exit: 0 });
  assert.match(
    ran.errors,
    /^Skipped: 3 columns without a name \(1 row has values there\), 1 row of empty cells$/m,
  );
  assert.equal((await task(second)).title, 'There');
});

test('the line sep=; sets the delimiter, and the errors file has it again', async (context) => {
  const { wm, task, folder } = await emulated(context);
  for (const [sep, delimiter, end] of [
    ['sep=;', ';', '\r\n'],
    ['SEP=,', ',', '\n'],
    ['"sep=|"', '|', '\r'],
    ['sep=\t', '\t', '\r\n'],
  ] as const) {
    const errors = join(folder, 'errors.csv');
    const rows = [`id,title,status`, `${first},New,`, `${second},,Nope`];
    const text = rows.map((row) => row.replaceAll(',', delimiter)).join(end);
    const input = `\ufeff${sep}${end}${text}${end}`;
    const ran = await wm([...fromInput, '--errors', errors, '--restart'], { input, exit: 8 });
    assert.match(ran.output, /^3\tIEA\w+\tupdated\t$/m);
    assert.match(ran.output, /^4\tIEA\w+\tinvalid\t/m);
    assert.equal((await task(first)).title, 'New');
    const written = await readFile(errors, 'utf8');
    const header = ['line', 'outcome', 'error', 'id', 'title', 'status'].join(delimiter);
    assert.ok(written.startsWith(`\ufeff${sep}${end}${header}${end}4${delimiter}`), JSON.stringify(written));
    await wm([...fromInput, '--restart'], { input: written.replaceAll('Nope', 'Active'), exit: 0 });
  }
});

test('a line sep=; with nothing after it is not a header', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(fromInput, { input: 'sep=;\r\n', exit: 2 });
  assert.match(ran.errors, /^wm: standard input is empty/);
});

test('TRUE and FALSE of a checkbox, by field title or id, and choices by title, ignoring case', async (context) => {
  const { wm, task } = await emulated(context);
  const value = async (id: string) =>
    (await task(first)).customFields.find((one: { id: string }) => one.id === id)?.value;
  const update = async (title: string, cell: string) => {
    await wm(fromInput, { input: `id,custom-field:${title}\n${first},${cell}\n`, exit: 0 });
  };
  // Each is another value than the one before.
  for (const [title, cell, stored] of [
    ['Approved', 'TRUE', 'true'],
    ['Approved', 'FALSE', 'false'],
    [sample.checkbox, 'TRUE', 'true'],
    [sample.checkbox, 'FALSE', 'false'],
    ['Approved', ' True ', 'true'],
    [sample.checkbox, 'false', 'false'],
  ] as const) {
    await update(title, cell);
    assert.equal(await value(sample.checkbox), stored);
  }
  // Another type of field keeps what was typed, and so does a field that is not listed.
  await update(sample.text, 'TRUE');
  assert.equal(await value(sample.text), 'TRUE');
  const shown = await wm(['task', 'update', first, '--custom-field', `${sample.checkbox}=TRUE`, '--dry-run']);
  assert.match(decodeURIComponent(shown.output), /"value":"true"/);
  await update('Risk', 'HIGH');
  assert.equal(await value(sample.dropDown), 'High');
  await update('Channels', '"WEB,print"');
  assert.equal(await value(sample.multiple), '["Web","Print"]');
  const wrong = await wm(fromInput, { input: `id,custom-field:Risk\n${first},Nope\n`, exit: 2 });
  assert.match(wrong.output, /"Nope" is not one of its choices/);
});

test('names every unknown column at once, and --ignore-column skips them', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `id,Title,Start Date,"Due, Date",Assigned To\n${first},a,1,2,3\n`;
  const ran = await wm(fromInput, { input, exit: 2 });
  assert.match(
    ran.errors,
    /^wm: The columns "Start Date", "Due, Date" and "Assigned To" are not names of flags\n/,
  );
  assert.match(ran.errors, /^ {2}"Start Date": Did you mean start\?$/m);
  const [, hint = ''] = /^ {2}To skip them: (.*)$/m.exec(ran.errors) ?? [];
  assert.equal(hint, `--ignore-column '["Start Date","Due, Date","Assigned To"]'`);
  await wm([...fromInput, '--ignore-column', 'start date,ASSIGNED TO', '--ignore-column', '["Due, Date"]'], {
    input,
    exit: 0,
  });
  assert.equal((await task(first)).title, 'a');
  // A column that wm knows can be ignored, too.
  await wm([...fromInput, '--ignore-column', 'due'], {
    input: `id,title,due\n${first},b,never\n`,
    exit: 0,
  });
});

test('--ignore-column skips members of NDJSON', async (context) => {
  const { wm, task } = await emulated(context);
  await wm([...fromInput, '--ignore-column', 'owner'], {
    input: `{"id":"${first}","title":"c","owner":"x"}\n`,
    exit: 0,
  });
  assert.equal((await task(first)).title, 'c');
});

test('an empty list is ignored: in a row, in a cell, and after a flag', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['task', 'update', '--from', '-', '--dry-run', '--json'], {
    input: `{"id":"${first}","title":"N","addParents":[],"removeResponsibles":[],"customFields":[],"metadata":[],"fields":[]}\n`,
    exit: 0,
  });
  const { search } = new URL(JSON.parse(ran.output).url);
  assert.equal(search, '?title=N');
  // A list of the command line stays.
  const joined = await wm(
    ['task', 'update', '--from', '-', '--dry-run', '--json', '--add-parents', sample.folder],
    { input: `{"id":"${first}","addParents":[]}\n` },
  );
  assert.equal(new URL(JSON.parse(joined.output).url).searchParams.get('addParents'), `["${sample.folder}"]`);
  for (const argv of [
    ['--add-parents', '[]'],
    ['--metadata', '[]'],
    ['--dates', '{}'],
    ['--custom-fields', '[]'],
    ['--remove-custom-field', '[]'],
  ]) {
    const one = await wm(['task', 'update', first, '--title', 'N', ...argv, '--dry-run', '--json']);
    assert.equal(new URL(JSON.parse(one.output).url).search, '?title=N', one.output);
  }
});

test('reads 14/12/2026 in a cell by the date format of the account, as after a flag', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const errors = join(folder, 'errors.csv');
  const input = `id,start,due\n${first},4/12/2026,14/12/2026 9am\n${second},2026-12-05,14/13/2026\n`;
  const ran = await wm([...fromInput, '--errors', errors], { input, exit: 8 });
  const { dates } = await task(first);
  assert.deepEqual([dates.start.slice(0, 10), dates.due], ['2026-12-04', '2026-12-14T09:00:00']);
  assert.match(ran.errors, /^4\/12\/2026 is 2026-12-04: this account writes dd\/MM\/yyyy$/m);
  assert.match(ran.errors, /14\/13\/2026" is not a date/);
  assert.match(await readFile(errors, 'utf8'), /,14\/13\/2026\n$/);
});

test('if the date format is not known, such a cell is an error that names both readings', async (context) => {
  const { wm, control } = await emulated(context);
  await control('faults', { request: 'getAccount', status: 403, times: 9 });
  const ran = await wm(fromInput, { input: `id,start,due\n${first},2026-12-01,5/12/2026\n`, exit: 2 });
  assert.match(ran.errors, /may have the day or the month first: write 2026-12-05 or 2026-05-12/);
});
