// Property: every cell of a CSV file comes back in the file of --errors. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeLines } from '#bulk/decode-lines.ts';
import { parseCsv } from '#bulk/parse-csv.ts';
import { all, fail } from '#test/bulk/csv-input.ts';
import { anyCharacter } from '#test/support/any-character.ts';
import { emulated } from '#test/support/program/emulated.ts';

async function rowsOf(bytes: Uint8Array) {
  async function* once() {
    yield bytes;
  }
  return (await all(parseCsv(decodeLines(once(), fail), fail))).flat();
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Declares the test, with so many runs. */
export function testErrorsFile(runs: number): void {
  test('CSV: every cell is unchanged, after the line and the reason, even in a row of the wrong length', async (context) => {
    const { wm, folder } = await emulated(context);
    const [path, errors, again] = ['in.csv', 'errors.csv', 'again.csv'].map((name) => join(folder, name));
    assert.ok(path && errors && again);
    const text = fc.string({ unit: anyCharacter, maxLength: 8 });
    const cell = fc
      .oneof(text, fc.constantFrom('', 'a,b', 'a;b', '\t', '"', 'x\ny', ' x ', '=1+1', '\ufeff', '日本'))
      // A cell of an old line end would show csv-parse another one than the file's.
      .map((one) => one.replace(/\r\n?/g, '\n'));
    // A row of empty cells is none: test/transcript/task-spreadsheet.txt.
    const row = fc
      .array(cell, { minLength: 1, maxLength: 7 })
      .filter((cells) => cells.join('').trim() !== '');
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
          await wm(['task', 'update', '--from', path, '--yes', '--errors', errors], { exit: 2 });
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
            output.map(({ cells: [line, , , ...cells] }) => [Number(line), cells]),
            input.map(({ line, cells }) => [line, cells.filter((_, at) => !isOwn[at])]),
          );
          for (const { cells } of output)
            assert.match(cells[2] ?? '', /Nonsense|This row has \d cells?; the header has \d/);
          // Sent again as it is, it says the same of the same rows, and grows no further columns.
          await wm(['task', 'update', '--from', errors, '--yes', '--errors', again], { exit: 2 });
          const [, ...third] = await rowsOf(await readFile(again));
          assert.deepEqual(
            third.map(({ cells: [, , , ...cells] }) => cells),
            output.map(({ cells: [, , , ...cells] }) => cells),
          );
        },
      ),
      { numRuns: runs },
    );
  });
}
