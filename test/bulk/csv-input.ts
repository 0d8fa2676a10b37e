// Property: CSV is read as it was written, however its bytes are cut. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeLines } from '#bulk/decode-lines.ts';
import { parseCsv } from '#bulk/parse-csv.ts';
import type { FailToRead, UnreadableInput } from '#bulk/row.ts';
import { anyCharacter } from '#test/support/any-character.ts';

/** The bytes in pieces that end at these places. */
export async function* cut(bytes: Uint8Array, places: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const position of [...places].sort((a, b) => a - b)) {
    const to = Math.min(position, bytes.length);
    if (to > from) yield bytes.subarray(from, to);
    from = Math.max(from, to);
  }
  if (from < bytes.length) yield bytes.subarray(from);
}

export const places = fc.array(fc.oneof(fc.nat(400), fc.nat(40_000)), { maxLength: 6 });
/** Longer than what is understood in one go. */
export const long = fc.nat(6000).map((length) => 'é'.repeat(length));
const text = fc.string({ unit: anyCharacter, maxLength: 12 });

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** For input that can be read to its end. */
export const fail: FailToRead = ({ problem }) => assert.fail(problem);

/** Everything that is read, and why nothing more can be read. */
export async function untilUnreadable<T>(read: (fail: FailToRead) => AsyncIterable<T>) {
  const items: T[] = [];
  const inputs: UnreadableInput[] = [];
  const failing: FailToRead = (input) => {
    inputs.push(input);
    throw new Error(input.problem);
  };
  await assert.rejects(async () => {
    for await (const item of read(failing)) items.push(item);
  });
  const [unreadable] = inputs;
  assert.ok(unreadable);
  return { items, unreadable };
}

/** Declares the test, with so many runs. */
export function testCsvInput(runs: number): void {
  test('CSV round-trips, with the line of each row', async () => {
    const cell = fc.oneof(
      text,
      long,
      fc.constantFrom('', 'a,b', '"', '""', 'x\ny', 'x\r\ny', ';', '\t', ' '),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        places,
        async (rows, end, where) => {
          // The line end that csv-parse takes is the first it meets, so a cell must not show it another one.
          const tame = rows.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n')));
          const file = [
            'a,b,c',
            ...tame.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')),
          ];
          const bytes = new TextEncoder().encode(file.join(end) + end);
          const entries = (await all(parseCsv(decodeLines(cut(bytes, where), fail), fail))).flat();
          assert.deepEqual(
            entries.slice(1).map(({ cells }) => cells),
            tame,
          );
          let line = 1;
          for (const [index, { line: reportedLine, cells }] of entries.entries()) {
            assert.equal(reportedLine, line, `row ${index}`);
            line += 1 + cells.join('').split('\n').length - 1;
          }
        },
      ),
      { numRuns: runs },
    );
  });
}
