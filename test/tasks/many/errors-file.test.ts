// The file of --errors: in the form of the input, whatever its cells hold and however long its rows are, with the line and
// the reason in columns of their own; and it can be sent again, fixed or not.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { testErrorsFile } from './errors-file.ts';

const { task: first, backlog: second } = sample;

testErrorsFile(8);

test('CSV with semicolons and a byte order mark: can be sent after fixing it in a spreadsheet', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'in.csv');
  const errors = join(folder, 'errors.csv');
  await writeFile(path, `\ufeffID;Title;Status\r\n${first};"a;b";Nonsense\r\n${second};c\r\n`);
  await wm(['task', 'update', '--from', path, '--yes', '--errors', errors], { exit: 2 });
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
  await wm(['task', 'update', '--from', path, '--yes'], { exit: 0 });
  assert.deepEqual([(await task(first)).title, (await task(first)).status], ['a;b', 'Completed']);
  assert.equal((await task(second)).title, 'c');
});

test('NDJSON: a line stays as written, after its number and the reason; text that is not JSON stays alone', async (context) => {
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
  const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', errors], { exit: 2 });
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
  await wm(['task', 'update', '--from', errors, '--yes', '--errors', again], { exit: 2 });
  assert.deepEqual(await check(again), written);
  await writeFile(path, `${written[0]?.replace('"title":"a",', '')}\n`);
  await wm(['task', 'update', '--from', path, '--yes'], { exit: 0 });
  assert.equal((await task(first)).title, 'b');
});

test('bytes that are not UTF-8: the error says how to save the file', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'in.csv');
  for (const [from, bytes] of [
    ['WINDOWS-1252', Buffer.from('id,title\nT,M\xfcller\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffid,title\n', 'utf16le')],
    ['UTF-16', Buffer.from('\ufeffid,title\n', 'utf16le').swap16()],
  ] as const) {
    await writeFile(path, bytes);
    const ran = await wm(['task', 'update', '--from', path, '--yes'], { exit: 2 });
    assert.match(
      ran.errors,
      /in\.csv, line [12]: this line is not UTF-8 text\n {2}Save it as UTF-8 \(in Excel: "CSV UTF-8"\)/,
    );
    assert.ok(ran.errors.includes(`iconv -f ${from} -t UTF-8`), ran.errors);
  }
});
