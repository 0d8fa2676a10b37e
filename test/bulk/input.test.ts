// The input of a bulk, however its bytes are cut: lines with their numbers, rows of CSV as RFC 4180 has them, and what is
// no text told by its line.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { decodeLines } from '#bulk/decode-lines.ts';
import { detectCsvDialect, parseCsv } from '#bulk/parse-csv.ts';
import { parseNdjson, splitJsonList } from '#bulk/parse-ndjson.ts';
import { all, cut, fail, long, places, testCsvInput, untilUnreadable } from './csv-input.ts';

testCsvInput(10);

test('reports malformed CSV with the line where its row begins, and reads everything before it', async () => {
  const faults: readonly [string, RegExp][] = [
    ['x,"never closed\n', /never closed/],
    ['x,"never\n\nclosed,y\nz', /never closed/],
    ['x,"closed"too early\ny,z\n', /after its closing quote/],
    ['x,a "quote" inside\ny,z\n', /does not begin with one/],
  ];
  const before = fc.array(
    fc.constantFrom(['', 1], ['a,b', 1], ['a,"b\n\nc"', 3], ['only one', 1], ['"a""",""', 1] as const),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(
      before,
      fc.constantFrom(...faults),
      fc.constantFrom('\n', '\r\n'),
      places,
      async (rows, [wrong, message], end, where) => {
        const lines = ['id,t', ...rows.map(([row]) => row), wrong].join('\n').replaceAll('\n', end);
        const { items, unreadable } = await untilUnreadable((failing) =>
          parseCsv(decodeLines(cut(Buffer.from(lines), where), failing), failing),
        );
        assert.match(unreadable.problem, message);
        assert.equal(unreadable.line, 2 + rows.reduce((sum, [, height]) => sum + height, 0));
        assert.equal(items.flat().length, 1 + rows.filter(([row]) => row !== '').length);
      },
    ),
  );
});

test('an empty line costs next to nothing, wherever it is', async (context) => {
  const empty = '\n'.repeat(50_000);
  const capture = mock.method(Error, 'captureStackTrace').mock;
  context.after(() => capture.restore());
  const bytes = cut(Buffer.from(`id;t\n${empty}a;"b${empty}"\n${empty}c;d`), []);
  const entries = (await all(parseCsv(decodeLines(bytes, fail), fail))).flat();
  assert.deepEqual(
    entries.map(({ line, cells }) => [line, cells[0], cells.length]),
    [
      [1, 'id', 2],
      [50_002, 'a', 2],
      [150_003, 'c', 2],
    ],
  );
  // Each was taken for a row of the wrong length, with an error that nobody read.
  assert.equal(capture.callCount(), 0);
});

test('NDJSON round-trips, with the line of each row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.option(
          fc.oneof(
            fc.json(),
            long.map((value) => JSON.stringify(value)),
          ),
        ),
        { maxLength: 10 },
      ),
      places,
      async (rows, where) => {
        const bytes = new TextEncoder().encode(rows.map((row) => row ?? '').join('\n'));
        const entries = (await all(parseNdjson(decodeLines(cut(bytes, where), fail)))).flat();
        const expected = rows.flatMap((row, index) =>
          row === null ? [] : [{ line: index + 1, value: JSON.parse(row) }],
        );
        assert.deepEqual(
          entries.map(({ line, value }) => ({ line, value })),
          expected,
        );
      },
    ),
  );
});

test('reports bytes that are not UTF-8 with their line, and reads everything before them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(6), fc.nat(6), places, async (before, after, where) => {
      const good = (count: number) => Array.from({ length: count }, () => Buffer.from('é\n'));
      const bytes = Buffer.concat([...good(before), Buffer.from([0x61, 0xc3, 0x0a]), ...good(after)]);
      const { unreadable } = await untilUnreadable((failing) => decodeLines(cut(bytes, where), failing));
      assert.deepEqual([unreadable.line, unreadable.problem], [before + 1, 'this line is not UTF-8 text']);
    }),
  );
});

test('a byte order mark is not part of the first word', async () => {
  const [piece] = await all(decodeLines(cut(Buffer.from('\ufeffid,title\n\ufeffa,b\n'), []), fail));
  assert.deepEqual(piece, { text: 'id,title\n\ufeffa,b\n', line: 1, hasByteOrderMark: true });
});

test('parses in small batches so that connections are not kept waiting', async () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => `{"id":"T${row}"}\n`);
  const batches = await all(parseNdjson(decodeLines(cut(Buffer.from(rows.join('')), []), fail)));
  assert.ok(batches.length > 10);
  for (const batch of batches) assert.ok(batch.length < 1000);
});

test('detects the delimiter from the header, outside its quotes', async () => {
  for (const [header, cells] of [
    ['id;"custom-field:Size, ""in"" cm";title', ['id', 'custom-field:Size, "in" cm', 'title']],
    ['id\ttitle', ['id', 'title']],
    ['"id","a;b"', ['id', 'a;b']],
    ['id', ['id']],
  ] as const) {
    const bytes = cut(Buffer.from(`${header}\n1\n`), []);
    const [first] = (await all(parseCsv(decodeLines(bytes, fail), fail))).flat();
    assert.deepEqual(first?.cells, cells);
  }
});

test('rows may end in LF or CRLF, in any mix; a file with CR line ends keeps to CR', async () => {
  for (const [text, rows] of [
    [
      'id,t\na,b\r\n"c","d\r\ne"\r\nf,g',
      [
        ['id', 't'],
        ['a', 'b'],
        ['c', 'd\r\ne'],
        ['f', 'g'],
      ],
    ],
    [
      'id,t\r\na,b\nc,d\n',
      [
        ['id', 't'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'id,t\ra,b\r"c",d\r',
      [
        ['id', 't'],
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ] as const) {
    const batches = await all(parseCsv(decodeLines(cut(Buffer.from(text), []), fail), fail));
    assert.deepEqual(
      batches.flat().map(({ cells }) => cells),
      rows,
    );
  }
});

test('reports NDJSON that is not UTF-8 with its line, and reads the rows before it', async () => {
  for (const end of ['', '\n']) {
    const bytes = Buffer.concat([
      Buffer.from('{"id":1}\n{"id":"'),
      Buffer.from([0xff]),
      Buffer.from(`"}${end}`),
    ]);
    const { items, unreadable } = await untilUnreadable((failing) =>
      parseNdjson(decodeLines(cut(bytes, [9]), failing)),
    );
    assert.deepEqual([unreadable.line, unreadable.problem], [2, 'this line is not UTF-8 text']);
    assert.deepEqual(
      items.flat().map(({ line, value }) => [line, value]),
      [[1, { id: 1 }]],
    );
  }
});

test('detects the CSV dialect of a file that ends with its header', () => {
  for (const [text, lineEnd] of [
    ['id;title', '\n'],
    ['id;title\n', '\n'],
    ['\r\nid;title\r\n', '\r\n'],
    ['id;"a\r\nb"\r', '\r'],
  ] as const)
    assert.deepEqual(detectCsvDialect(text, true), { delimiter: ';', lineEnd, hasByteOrderMark: true });
});

/** The rows of a file of JSON. */
async function rowsOf(text: string, where: readonly number[]) {
  const bytes = splitJsonList(cut(new TextEncoder().encode(text), where), fail);
  return (await all(parseNdjson(decodeLines(bytes, fail)))).flat();
}

const everyByte = Array.from({ length: 600 }, (_, index) => index);
const member = fc.oneof(fc.jsonValue({ maxDepth: 3 }), long, fc.constantFrom('\n', '}', '{"', '\\"', ']'));
const object = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__'),
  member,
  { maxKeys: 4 },
);
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('JSON has the same rows in every layout, each with its first line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { minLength: 1, maxLength: 6 }),
      fc.constantFrom<string | number>('', 1, 2, '\t'),
      fc.constantFrom('\n', '\r\n', '\n\n', ' \n\t\n'),
      fc.oneof(places, fc.constant(everyByte)),
      async (rows, indent, end, where) => {
        const layout = (value: unknown) => JSON.stringify(value, null, indent).replaceAll('\n', end);
        const lines = rows.map((row) => `${layout(row)}${end}`);
        const expected = plain(rows);
        const entries = await rowsOf(lines.join(''), where);
        assert.deepEqual(
          entries.map(({ value, invalid }) => [plain(value), invalid]),
          expected.map((row: unknown) => [row, undefined]),
        );
        let line = 1;
        for (const [index, entry] of entries.entries()) {
          assert.equal(entry.line, line);
          line += String(lines[index]).split('\n').length - 1;
          assert.doesNotMatch(entry.text, /\n/);
          assert.deepEqual(JSON.parse(entry.text), expected[index]);
        }
        const half = Math.floor(rows.length / 2);
        const page = (data: readonly unknown[], token: object) =>
          layout({ kind: 'tasks', ...token, data, errors: [{ a: ['}'] }] });
        for (const text of [
          `\ufeff${end}${layout(rows)}${end}`,
          `${layout({ kind: 'tasks', data: rows })}${end}`,
          layout({ data: rows, kind: 'tasks', nextPageToken: 'a"]}b' }),
          page(rows.slice(0, half), { nextPageToken: 'AB CD', size: 3 }) + end + page(rows.slice(half), {}),
        ])
          assert.deepEqual(
            (await rowsOf(text, where)).map(({ value, line: place }) => [plain(value), place > 0]),
            expected.map((row: unknown) => [row, true]),
          );
      },
    ),
  );
});

test('an object without its end is one invalid row and does not swallow other objects', async () => {
  const torn = [
    ['{', 'has no end'],
    ['{"a":1,', 'has no end'],
    ['{\n  "a": [\n    1', 'has no end'],
    ['{\n  "a": {}', 'has no end'],
    ['{"a":[{"b":1}', 'has no end'],
    ['{\n  "a" 1\n}', 'is not JSON'],
    ['{\n  "a": 1\n} x', 'is not JSON'],
    [`${'{"a":\n'.repeat(65)}1`, undefined],
    ['{"a":"', 'is not JSON'],
    ['{"a":1}}', 'is not JSON'],
    ['{"a":1]', 'is not JSON'],
  ] as const;
  for (const [text, problem] of torn) {
    const entries = await rowsOf(`{"n":1}\n${text}\n{"n":2}\n\n{\n"n":3}\n`, []);
    const good = entries.flatMap(({ line, value }) => (value === undefined ? [] : [[line, value]]));
    const after = 3 + text.split('\n').length - 1;
    assert.deepEqual(
      good,
      [
        [1, { n: 1 }],
        [after, { n: 2 }],
        [after + 2, { n: 3 }],
      ],
      text,
    );
    const [bad, ...more] = entries.filter(({ invalid }) => invalid);
    if (problem === undefined) continue;
    assert.deepEqual([bad?.line, bad?.invalid?.problem, more.length], [2, problem, 0], text);
    const last = (await rowsOf(`{"n":1}\n${text}`, [])).at(-1);
    assert.deepEqual([last?.line, last?.invalid?.problem], [2, problem]);
  }
});

test('a response may be followed only by another response; anything else is rejected', async () => {
  for (const [text, problem] of [
    ['{"kind":"tasks","data":[{}]}{"id":1}', 'there is more after the end of the list'],
    ['{"kind":"tasks","data":[{}]} "', 'there is more after the end of the list'],
    ['{"kind":"tasks","data":[{}]} {"kind":"tasks"', 'the list has no end'],
    ['{"kind":"tasks","data":[{}],"a":"b', 'the list has no end'],
    ['{"kind":"tasks","data":[{}', 'the list has no end'],
  ] as const) {
    const read = (failing: typeof fail) => splitJsonList(cut(Buffer.from(text), [10, 20]), failing);
    assert.equal((await untilUnreadable(read)).unreadable.problem, problem);
  }
});
