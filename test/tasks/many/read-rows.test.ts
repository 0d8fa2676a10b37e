// How rows are read: beside the flags of the command line, out of large files and files that are no text; and how much of a long plan
// is shown. test/transcript/task-{rows,records,spreadsheet}.txt have what a row may look like.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-'];

/** The query of each request of a dry run. */
function queries(output: string): readonly object[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => Object.fromEntries(new URL(JSON.parse(line).url).searchParams));
}

test('lists from the command line and the row add up; for the same key, the entry of the row applies', async (context) => {
  const { wm } = await emulated(context);
  const allocation = (assignee: object, effortMinutes: number) => ({
    dailyAllocation: [{ date: '2026-02-03', effortMinutes }],
    ...assignee,
  });
  const placeholder = { placeholderId: sample.placeholder };
  const [ben, bot] = [{ userId: sample.ben }, { userId: sample.bot }];
  const defaultAllocations = [ben, placeholder, bot].map((assignee) => allocation(assignee, 30));
  const line = [
    ...['--set-responsible-allocation', JSON.stringify(defaultAllocations)],
    ...['--metadata', 'a=1', '--metadata', 'b=1'],
    ...['--custom-field', `${sample.numeric}=1`, '--custom-field', `${sample.text}=blue`],
    ...['--add-parents', 'IEAONE,IEATWO', '--add-responsibles', `${sample.ben},${sample.bot}`],
    ...['--title', 'of the line'],
  ];
  const own = {
    metadata: [{ key: 'b', value: '2' }],
    customFields: [{ id: sample.numeric, value: '2' }],
    addParents: ['IEATWO', 'IEATHREE'],
    addResponsibles: [sample.bot, sample.ada],
    setResponsibleAllocation: [allocation(ben, 60), allocation(placeholder, 60)],
    title: 'of the row',
  };
  const expected = {
    metadata: '[{"key":"a","value":"1"},{"key":"b","value":"2"}]',
    customFields: `[{"id":"${sample.text}","value":"blue"},{"id":"${sample.numeric}","value":"2"}]`,
    addParents: '["IEAONE","IEATWO","IEATHREE"]',
    addResponsibles: `["${sample.ben}","${sample.bot}","${sample.ada}"]`,
    setResponsibleAllocation: JSON.stringify([allocation(bot, 30), ...own.setResponsibleAllocation]),
    title: 'of the row',
  };
  const json = `${JSON.stringify({ id: first, ...own })}\n`;
  const allocations = JSON.stringify(own.setResponsibleAllocation);
  const csv = `id,metadata:b,custom-field:${sample.numeric},add-parents,add-responsibles,set-responsible-allocation,title
${first},2,2,"IEATWO,IEATHREE","${sample.bot},${sample.ada}","${allocations.replaceAll('"', '""')}",of the row
`;
  for (const input of [json, csv]) {
    const ran = await wm([...fromInput, ...line, '--dry-run', '--json'], { input, exit: 0 });
    assert.deepEqual(queries(ran.output), [expected]);
  }
});

for (const [invalid, more] of [
  [20, ''],
  [21, '  and 1 more\n'],
  [1025, '  and 1,005 more\n'],
] as const) {
  test(`a plan with ${invalid} invalid rows shows the first 20`, async (context) => {
    const { wm } = await emulated(context);
    const input = `id,status\n${first},Active\n${`${first},Nope\n`.repeat(invalid)}`;
    const ran = await wm([...fromInput, '--dry-run'], { input, exit: 2 });
    const [, shown = ''] = /invalid:\n((?: {2}.*\n)*)/.exec(ran.errors) ?? [];
    const lines = Array.from({ length: 20 }, (_, at) => `  line ${at + 3} (${first}): `);
    assert.deepEqual(shown.match(/^ {2}line \d+ \(\w+\): /gm), lines);
    assert.ok(shown.endsWith(`${more}`), shown);
    assert.equal(shown.split('\n').length - 1, more === '' ? 20 : 21);
  });
}

test('shows the meaning of the first ten relative dates', async (context) => {
  const { wm } = await emulated(context);
  const rows = Array.from({ length: 12 }, (_, n) => `${first},today,+${n + 1}d\n`);
  const ran = await wm([...fromInput, '--dry-run'], { input: `id,start,due\n${rows.join('')}`, exit: 0 });
  const shown = ran.errors.match(/^ {2}(\S+) is \d{4}-\d\d-\d\d$/gm) ?? [];
  assert.deepEqual(
    shown.map((line) => line.trim().split(' ')[0]),
    ['today', ...Array.from({ length: 9 }, (_, n) => `+${n + 1}d`)],
  );
});

test('names ten kinds that the service drops from descriptions, and counts fifty', async (context) => {
  const { wm } = await emulated(context);
  const tags = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `<x${from + n}>a</x${from + n}>`).join('');
  const rows = [tags(0, 30), tags(0, 60), tags(0, 1) + tags(100, 110)];
  const input = `id,description\n${rows.map((html) => `${first},${html}\n`).join('')}`;
  const ran = await wm([...fromInput, '--dry-run'], { input, exit: 0 });
  const named = Array.from({ length: 10 }, (_, n) => `<x${n}> (${n === 0 ? 3 : 2} rows)`).join(', ');
  assert.ok(
    ran.errors.includes(
      `The service drops from descriptions: ${named}, and 40 more. See wm task update --help html\n`,
    ),
    ran.errors,
  );
  // A row that says it once more still counts.
  const one = await wm(['task', 'update', first, '--description', tags(0, 11), '--dry-run']);
  assert.match(one.errors, /<x9> \(1\), and 1 more\. See wm/);
});

test('a list of more than 16 MB on one line, as from a pipe', async (context) => {
  const { wm } = await emulated(context);
  const record = JSON.stringify({ id: first, permalink: 'x', briefDescription: 'x'.repeat(60_000) });
  const input = `[${Array.from({ length: 300 }, () => record).join(',')}]`;
  const ran = await wm(['task', 'update', '--from', '-', '--dry-run', '--title', 'x'], { input, exit: 0 });
  assert.match(ran.errors, /^300 of 300 rows/m);
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
    const ran = await wm([...fromInput, '--yes', '--errors', errors, '--restart'], { input, exit: 8 });
    assert.match(ran.output, /^3\tIEA\w+\tupdated\t$/m);
    assert.match(ran.output, /^4\tIEA\w+\tinvalid\t/m);
    assert.equal((await task(first)).title, 'New');
    const written = await readFile(errors, 'utf8');
    const header = ['line', 'outcome', 'error', 'id', 'title', 'status'].join(delimiter);
    assert.ok(written.startsWith(`\ufeff${sep}${end}${header}${end}4${delimiter}`), JSON.stringify(written));
    await wm([...fromInput, '--yes', '--restart'], { input: written.replaceAll('Nope', 'Active'), exit: 0 });
  }
});

test('without --from, a terminal as standard input is not suggested as rows', async (context) => {
  const { wm } = await emulated(context);
  const { streams, texts } = collectStreams({ input: { isTerminal: true } });
  await wm(['task', 'update', '--yes'], { world: { streams }, exit: 2 });
  assert.equal(
    texts.errors,
    'wm: Missing: ID\n  Give the id of the task, or its title: wm task update ID --yes\n  To list tasks: wm task list\n',
  );
});

test('a file that is not UTF-8 text: says what it is, and how to save it', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const zip = (name: string) =>
    Buffer.from(`PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0${'\xff'.repeat(12)}${name}\n\xff\n`, 'latin1');
  const workbook = (kind: string) =>
    `line 1: this is ${kind}, not CSV\n  Save the sheet as CSV (in Excel: "CSV UTF-8")`;
  const encoded = (line: number, command: string) =>
    `line ${line}: this line is not UTF-8 text\n  Save it as UTF-8 (in Excel: "CSV UTF-8"), or convert it: ${command}`;
  const utf16 =
    'iconv -f UTF-16 -t UTF-8 FILE > NEW (PowerShell: Get-Content FILE | Set-Content -Encoding utf8 NEW)';
  for (const [bytes, says] of [
    [zip('[Content_Types].xml'), workbook('an Excel workbook (.xlsx)')],
    [zip('_rels/.rels'), workbook('an Excel workbook (.xlsx)')],
    [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), workbook('a workbook (.ods)')],
    [zip('photo.png'), workbook('a ZIP archive, such as .xlsx')],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1', 'latin1'), workbook('an Excel workbook (.xls)')],
    [
      Buffer.from('id,title\nT,M\xfcller\n', 'latin1'),
      encoded(2, 'iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW'),
    ],
    [Buffer.from('\ufeffid,title\n', 'utf16le'), encoded(1, utf16)],
    [Buffer.from('\ufeffid,title\n', 'utf16le').swap16(), encoded(1, utf16)],
  ] as const) {
    await writeFile(path, bytes);
    const { errors } = await wm(['task', 'update', '--from', path, '--yes'], { exit: 2 });
    assert.equal(errors, `wm: ${path}, ${says}\n  Nothing after it can be read, so nothing was sent.\n`);
  }
});

const empty = 5000;

for (const [format, header, row, wrong] of [
  ['CSV', '\ufeffid;title\n', `${first};x\n`, `${first};x;y\n`],
  ['NDJSON', '', `{"id":"${first}","title":"x"}\n`, '{"id":1}\n'],
] as const) {
  test(`${format}: thousands of empty lines at the beginning and between the rows`, async (context) => {
    const { wm, folder, task } = await emulated(context);
    const path = join(folder, 'tasks');
    const gap = '\r\n'.repeat(empty);
    const [mark, title] = header === '' ? ['', ''] : [header.slice(0, 1), header.slice(1)];
    await writeFile(path, `${mark}${gap}${title}${gap}${row}${gap}${wrong}${gap}`);
    const errors = join(folder, 'failed');
    const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', errors], { exit: 8 });
    assert.match(ran.errors, /^1 of 2 rows from \S+ will be updated \(title\); 1 is invalid:\n/);
    const at = header === '' ? 2 * empty + 1 : 2 * empty + 2;
    assert.deepEqual(
      ran.output
        .split('\n')
        .map((line) => line.split('\t')[0])
        .toSorted(),
      ['', String(at), String(at + empty + 1)],
    );
    assert.equal((await task(first)).title, 'x');
  });
}

test('reports an unclosed quote with the line where its row begins, and no other', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(
    path,
    `id,title\n\n\n${first},"two\nlines"\n${first}\n${first},"open\n${`${first},x\n`.repeat(3000)}`,
  );
  const ran = await wm(['task', 'update', '--from', path, '--yes', '--verbose'], { exit: 2 });
  assert.match(ran.errors, /tasks\.csv, line 7: a quote is opened in this row and never closed\n/);
  assert.doesNotMatch(ran.errors, /line (?!7)|PUT /);
});
