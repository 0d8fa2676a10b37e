// The file of --errors: in the form of the input, whatever its cells hold and however long its rows are, with the line and
// the reason in columns of their own; and it can be sent again, fixed or not.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeLines } from '../../../../src/bulk/decode-lines.ts';
import { parseCsv } from '../../../../src/bulk/parse-csv.ts';
import { sample } from '../../../../src/emulator/state/sample-ids.ts';
import { emulated } from '../../emulated.ts';

const { task: first, backlog: second } = sample;

async function rowsOf(bytes: Uint8Array) {
  async function* once() {
    yield bytes;
  }
  const rows: { line: number; value: readonly string[] }[] = [];
  for await (const batch of parseCsv(decodeLines(once()))) {
    assert.ok(!('problem' in batch));
    rows.push(...batch);
  }
  return rows;
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

test('CSV: every cell comes back as it was, behind the line and the reason, also in a row of the wrong length', async (context) => {
  const { wm, folder } = await emulated(context);
  const [path, errors, again] = ['in.csv', 'errors.csv', 'again.csv'].map((name) => join(folder, name));
  assert.ok(path && errors && again);
  const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((one) => one.isWellFormed());
  const cell = fc
    .oneof(text, fc.constantFrom('', 'a,b', 'a;b', '\t', '"', 'x\ny', ' x ', '=1+1', '\ufeff', '日本'))
    // A cell of an old line end would show csv-parse another one than the file's.
    .map((one) => one.replace(/\r\n?/g, '\n'));
  // A row of one empty cell is an empty line, which is no row.
  const row = fc
    .array(cell, { minLength: 1, maxLength: 7 })
    .filter((cells) => cells.join('') !== '' || cells.length > 1);
  const form = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    hasByteOrderMark: fc.boolean(),
    // Where an earlier file of errors had its columns, or somebody has moved one.
    header: fc.constantFrom(
      ['id', 'title', 'status'],
      ['line', 'error', 'id', 'title', 'status'],
      ['line', 'outcome', 'error', 'id', 'title', 'status'],
      ['id', 'Error', 'title', 'status'],
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      form,
      fc.array(row, { minLength: 1, maxLength: 6 }),
      async ({ delimiter, lineEnd, hasByteOrderMark, header }, rows) => {
        // None of them is valid: a status is none, or the length is wrong.
        const all = rows.map((cells) =>
          cells.length === header.length ? [...cells.slice(0, -1), 'Nonsense'] : cells,
        );
        const lines = [header, ...all].map((cells) => cells.map(quoted).join(delimiter) + lineEnd);
        await writeFile(path, `${hasByteOrderMark ? '\ufeff' : ''}${lines.join('')}`);
        const [, ...input] = await rowsOf(await readFile(path));
        const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', errors]);
        assert.equal(ran.status, 2, ran.errors);
        const bytes = await readFile(errors);
        const written = bytes.toString();
        assert.equal(written.startsWith('\ufeff'), hasByteOrderMark);
        const own = header.filter((title) => !/^(?:line|outcome|error)$/i.test(title));
        assert.ok(
          written
            .replace(/^\ufeff/, '')
            .startsWith(['line', 'outcome', 'error', ...own].join(delimiter) + lineEnd),
          written,
        );
        if (lineEnd === '\n') assert.ok(!written.includes('\r'));
        const [, ...output] = await rowsOf(bytes);
        const isOwn = header.map((title) => !own.includes(title));
        assert.deepEqual(
          output.map(({ value: [line, , , ...cells] }) => [Number(line), cells]),
          input.map(({ line, value }) => [line, value.filter((_, at) => !isOwn[at])]),
        );
        for (const { value } of output)
          assert.match(value[2] ?? '', /Nonsense|This row has \d cells?; the header has \d/);
        // Sent again as it is, it says the same of the same rows, and grows no further columns.
        const resent = await wm(['task', 'update', '--from', errors, '--yes', '--errors', again]);
        assert.equal(resent.status, 2, resent.errors);
        const [, ...third] = await rowsOf(await readFile(again));
        assert.deepEqual(
          third.map(({ value: [, , , ...cells] }) => cells),
          output.map(({ value: [, , , ...cells] }) => cells),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test('CSV with semicolons and a mark: fixed where a spreadsheet would fix it, it is sent', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'in.csv');
  const errors = join(folder, 'errors.csv');
  await writeFile(path, `\ufeffID;Title;Status\r\n${first};"a;b";Nonsense\r\n${second};c\r\n`);
  assert.equal((await wm(['task', 'update', '--from', path, '--yes', '--errors', errors])).status, 2);
  const written = await readFile(errors, 'utf8');
  assert.ok(
    written.startsWith(
      '\ufeffline;outcome;error;ID;Title;Status\r\n2;invalid;"Status: ""Nonsense"" is not one of',
    ),
    written,
  );
  assert.ok(
    written.endsWith(`\r\n3;invalid;"This row has 2 cells; the header has 3";${second};c\r\n`),
    written,
  );
  await writeFile(path, written.replace(/;Nonsense\r/, ';Completed\r').replace(/;c\r/, ';c;\r'));
  const ran = await wm(['task', 'update', '--from', path, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual([(await task(first)).title, (await task(first)).status], ['a;b', 'Completed']);
  assert.equal((await task(second)).title, 'c');
});

test('NDJSON: a line stays as it was written, with its line and the reason before it; what is no JSON stays alone', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const [path, errors, again] = ['in.ndjson', 'errors.ndjson', 'again.ndjson'].map((name) =>
    join(folder, name),
  );
  assert.ok(path && errors && again);
  const lines = [
    `{"id":"${first}","title":"a","title":"b"}`,
    `{ "id": "${first}", "dates": {"due":"2026-12-01","due":"2026-12-02"} }`,
    `{"id":"${first}","titel":12345678901234567890.10}`,
    '{}',
    'nonsense',
    `{"id":"${first}","ti\\u0074le":"a","title":"b"}`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  const before = await task(first);
  const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', errors]);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(
    ran.errors,
    /line 1 \(\w+\): "title" is given twice in this row\n.*line 2 \(\w+\): "due" is given twice/,
  );
  assert.match(ran.errors, /line 6 \(\w+\): "title" is given twice/);
  assert.deepEqual(await task(first), before);
  const check = async (file: string) => {
    const written = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    assert.equal(written.length, lines.length);
    for (const [at, line] of lines.entries()) {
      const text = written[at] ?? '';
      if (line === 'nonsense') assert.equal(text, line);
      else {
        const { line: number, outcome, error } = JSON.parse(text);
        assert.deepEqual([number, outcome], [at + 1, 'invalid']);
        assert.match(error, /is given twice|is not the name|has no "id"/);
        assert.ok(text.replace(/\s/g, '').endsWith(line.slice(1).replace(/\s/g, '')), text);
      }
    }
    return written;
  };
  const written = await check(errors);
  // Sent again as it is: the same, with no second reason.
  assert.equal((await wm(['task', 'update', '--from', errors, '--yes', '--errors', again])).status, 2);
  assert.deepEqual(await check(again), written);
  await writeFile(path, `${written[0]?.replace('"title":"a",', '')}\n`);
  assert.equal((await wm(['task', 'update', '--from', path, '--yes'])).status, 0);
  assert.equal((await task(first)).title, 'b');
});

test('bytes that are no UTF-8: the error says how to save the file', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'in.csv');
  for (const [from, bytes] of [
    ['WINDOWS-1252', Buffer.from('id,title\nT,M\xfcller\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffid,title\n', 'utf16le')],
    ['UTF-16', Buffer.from('\ufeffid,title\n', 'utf16le').swap16()],
  ] as const) {
    await writeFile(path, bytes);
    const ran = await wm(['task', 'update', '--from', path, '--yes']);
    assert.equal(ran.status, 2);
    assert.match(
      ran.errors,
      /in\.csv, line [12]: is not UTF-8 text\n {2}Save it as UTF-8 \(in Excel: "CSV UTF-8"\)/,
    );
    assert.ok(ran.errors.includes(`iconv -f ${from} -t UTF-8`), ran.errors);
  }
});
