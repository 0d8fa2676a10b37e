// The input of a bulk run with rows and lines of many megabytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLines } from '#bulk/decode-lines.ts';
import { parseCsv } from '#bulk/parse-csv.ts';
import { all, cut, fail, untilUnreadable } from './csv-input.ts';

test('an unclosed quote does not load the rest of a long file into memory', async () => {
  let megabytes = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('id,t\na,b\nc,"');
    for (; megabytes < 40; megabytes++) yield Buffer.from(`${'x,y,'.repeat(255)}x,y\n`.repeat(1024));
  }
  const { unreadable } = await untilUnreadable((failing) =>
    parseCsv(decodeLines(endless(), failing), failing),
  );
  assert.equal(unreadable.line, 3);
  assert.match(unreadable.problem, /longer than \d+ bytes; is a quote missing\?/);
  assert.ok(megabytes < 20, `${megabytes} megabytes were read`);
});

test('reads a header with a cell of many megabytes', async () => {
  const title = 'x'.repeat(12 * 1024 * 1024);
  const bytes = cut(Buffer.from(`"${title}";id\n1;2\n`), []);
  const [header] = (await all(parseCsv(decodeLines(bytes, fail), fail))).flat();
  assert.deepEqual(header?.cells, [title, 'id']);
});

test('reports a line longer than 16 MiB before it is in memory, even if it is the last one', async () => {
  const piece = new Uint8Array(1024 * 1024).fill(0x61);
  let taken = 0;
  async function* endless() {
    yield Buffer.from('a\n');
    for (; taken < 40; taken++) yield piece;
  }
  const { items, unreadable } = await untilUnreadable((failing) => decodeLines(endless(), failing));
  assert.deepEqual(items, [{ text: 'a\n', line: 1 }]);
  assert.deepEqual(unreadable, { line: 2, problem: 'this line is longer than 16777216 bytes' });
  assert.equal(taken, 16);
  taken = 24;
  const [, last] = await all(decodeLines(endless(), fail));
  assert.equal(last?.text.length, 16 * 1024 * 1024);
});
