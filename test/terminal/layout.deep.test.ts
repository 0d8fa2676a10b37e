// The layout of tables and blocks, for any text at any width: nothing is lost, nothing is wider than the terminal, and no
// word is broken that fits on a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { plainStyle, type Style } from '#terminal/style.ts';
import { type Column, createGrowingTable, drawBlock, type Row } from '#terminal/table.ts';
import { displayWidth, graphemes } from '#terminal/width.ts';
import { anyCharacter } from '#test/support/any-character.ts';

type Cells = readonly string[];

const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,12}$/),
  fc.stringMatching(/^[a-z]{20,90}$/),
  fc.string({ unit: fc.constantFrom(...'日本語のタイトル한국어漢字ｶﾞ。、'), minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'שלוםעולםمرحبا،'), minLength: 1, maxLength: 15 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('👩‍👩‍👧‍👦', '👍🏽', '🏳️‍🌈', '🇩🇪🇫🇷🇯🇵', '1️⃣', '❤️', '☎', '🏻', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
  fc.constantFrom('e\u0301', 'a\u0300\u0301\u0302\u0303', '\u0301', 'नमस्ते', 'ก็', '각', '\u1100\u1161\u11a8'),
  fc.constantFrom(
    '\u001b[31m',
    '\u202e',
    '\u2066',
    '\u0007',
    '\u009b2J',
    '\n',
    '\t',
    '\u200d',
    '\u200b',
    '\u3000',
  ),
  fc.constantFrom(
    '2026-02-06T17:00',
    '2026-02-06T17:00:00Z',
    '2026-02-06',
    '--dry-run',
    'a-b-c',
    '//',
    '/\u0301/',
  ),
  fc
    .array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 9 })
    .map((parts) => `https://hooks.example.com/${parts.join('/')}?a=1&b=2`),
);
const text = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '  ', '', '/', '-')), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));
const titles = ['id', 'status', 'title', 'assignees', 'custom status', 'place in the list'];
const width = fc.integer({ min: 20, max: 200 });
/** Several records of one to six columns. */
const records = fc
  .integer({ min: 1, max: titles.length })
  .chain((columns) =>
    fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
  );

/**
 * Each line of a cell is a link to its record and column, and a title one to `title`: a terminal shows no character of these. No cell
 * has an ESC: sanitizeLine replaces it.
 */
const mark = (name: string) => (line: string) => `\u001b]8;;${name}\u0007${line}\u001b]8;;\u0007`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches what `mark` writes
const marked = /\u001b\]8;;([^\u0007]*)\u0007([^\u001b]*)\u001b\]8;;\u0007/gu;
const marking: Style = { ...plainStyle, strong: mark('title'), faint: mark('title') };

const columnsOf = (cells: Cells, style: Style): readonly Column<number>[] =>
  cells.map((_, index) => ({
    title: titles[index] ?? '',
    cell: () => '',
    format: (record) => (style === plainStyle ? undefined : mark(`${record}.${index}`)),
  }));
const rowsOf = (records: readonly Cells[]): readonly Row<number>[] =>
  records.map((cells, record) => ({ record, texts: cells.map(sanitizeLine) }));

interface Drawn {
  readonly lines: readonly string[];
  /** By record and column, the lines of the cell; under `title`, all titles. */
  readonly cells: ReadonlyMap<string, readonly string[]>;
}

function draw(records: readonly Cells[], columns: number, drawing: 'table' | 'block'): Drawn {
  const drawn = (style: Style) =>
    drawing === 'block'
      ? rowsOf(records)
          .map((row) => drawBlock(columnsOf(row.texts, style), row, columns, style))
          .join('\n')
      : createGrowingTable(columns, style)(columnsOf(records[0] ?? [], style), rowsOf(records));
  const plain = drawn(plainStyle);
  const withMarks = drawn(marking);
  assert.equal(withMarks.replace(marked, '$2'), plain, 'a look changes nothing but the look');
  const cells = new Map<string, string[]>();
  for (const [, name = '', line = ''] of withMarks.matchAll(marked))
    cells.set(name, [...(cells.get(name) ?? []), line]);
  return { lines: plain.split('\n'), cells };
}

/** A space at which a line ends is not shown: what is left of it is the end of the line. */
const visible = (texts: readonly string[]) =>
  texts.flatMap(graphemes).filter((character) => character !== ' ');

function check(records: readonly Cells[], columns: number, drawing: 'table' | 'block'): Drawn {
  const drawn = draw(records, columns, drawing);
  for (const line of drawn.lines)
    assert.ok(displayWidth(line) <= columns, `${displayWidth(line)} of ${columns}: ${JSON.stringify(line)}`);
  records.forEach((cells, record) => {
    cells.forEach((cell, index) => {
      const lines = drawn.cells.get(`${record}.${index}`) ?? [];
      assert.deepEqual(visible(lines), visible([sanitizeLine(cell)]), `the cell ${record}.${index}`);
      unbroken(sanitizeLine(cell), lines, columns);
    });
  });
  const expected = titles.slice(0, records[0]?.length).join('');
  const shown = visible(drawn.cells.get('title') ?? [])
    .join('')
    .replaceAll(':', '');
  const once = visible([expected]).join('');
  // A block has no line for an empty cell.
  const isFilled = (cell: string) => visible([sanitizeLine(cell)]).length > 0;
  const inBlocks = records.flatMap((cells) =>
    cells.flatMap((cell, at) => (isFilled(cell) ? titles[at] : [])),
  );
  assert.ok(
    [...shown].sort().join('') === [...once].sort().join('') ||
      shown === visible([inBlocks.join('')]).join(''),
    shown,
  );
  return drawn;
}

/** True where a reader would break the text before this character: at a space, after / or -, before the T of a timestamp. */
function mayBreak(whole: readonly string[], at: number): boolean {
  const [before, here] = [whole[at - 1], whole[at]];
  if (before === undefined || here === undefined || before === ' ' || here === ' ') return true;
  if (before === '/') return here !== '/';
  if (before === '-') return here !== '-' && /[\p{L}\p{N}\p{M}]$/u.test(whole[at - 2] ?? '');
  return here === 'T' && /\d{4}-\d\d-\d\d$/.test(whole.slice(Math.max(0, at - 10), at).join(''));
}

function unbroken(cell: string, lines: readonly string[], columns: number): void {
  const whole = graphemes(cell);
  let at = 0;
  for (const line of lines.slice(0, -1)) {
    for (const character of visible([line])) {
      while (whole[at] === ' ') at++;
      assert.equal(whole[at], character);
      at++;
    }
    let [from, to] = [at, at];
    while (!mayBreak(whole, from)) from--;
    while (!mayBreak(whole, to)) to++;
    const broken = whole.slice(from, to).join('');
    assert.ok(
      displayWidth(broken) > columns || from === to,
      `${JSON.stringify(broken)} fits in ${columns}: ${JSON.stringify(lines)}`,
    );
  }
}

const runs = { numRuns: 1000, includeErrorInReport: true };

test('any records at any width: every character is in the table, in order, and no line is too wide', () => {
  const shapes = { table: 0, blocks: 0 };
  fc.assert(
    fc.property(records, width, (sample, columns) => {
      const { lines } = check(sample, columns, 'table');
      const isNamed = (line: string) => titles.some((title) => line.startsWith(`${title}:`));
      shapes[lines.some(isNamed) ? 'blocks' : 'table']++;
    }),
    runs,
  );
  // Both were met, and often.
  assert.ok(shapes.table > 100 && shapes.blocks > 100, JSON.stringify(shapes));
});

test('any single record in a block: the same', () => {
  fc.assert(
    fc.property(records, width, (sample, columns) => void check(sample.slice(0, 1), columns, 'block')),
    runs,
  );
});

test('keeps private-use characters (icon fonts) in the table and in the block', () => {
  const samples = [
    ['', '', '', '\u{f0002} ', ''],
    ['', '', '', '', ''],
  ];
  check(samples, 20, 'table');
  check(samples, 20, 'block');
});

test('starts new columns for a later part with a character wider than its column', () => {
  const jamo = '\u1100\u1100\u1100\u1161';
  const grow = createGrowingTable(20, plainStyle);
  const drawn = ['ab', jamo].map((cell) => grow(columnsOf([cell], plainStyle), rowsOf([[cell]])));
  assert.deepEqual(drawn, ['id\nab', `\nid\n${jamo}`]);
});
