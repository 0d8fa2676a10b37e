// Parses CSV, and detects from the header how it is written. The only file that imports csv-parse; it is loaded only for CSV. A row
// may have line breaks inside quotes, so the number of its first line follows from the contents of the rows before it.

import { CsvError, type Parser, parse } from 'csv-parse';
import { countOccurrences } from '#contract/json.ts';
import { maxLineBytes, type TextChunk } from './decode-lines.ts';
import type { CsvFormat, FailToRead } from './row.ts';

type CsvDialect = Omit<CsvFormat, 'header'>;

/** The line above the header by which a spreadsheet names the delimiter: `sep=;`. */
const separatorLine = /^\s*"?sep=([^"\r\n])"?(\r\n|\n|\r|$)/i;

/** `text`: the beginning of the file, with its whole header, after any empty lines. Never throws. */
export function detectCsvDialect(text: string, hasByteOrderMark: boolean): CsvDialect {
  const [line = '', separator, end = ''] = separatorLine.exec(text) ?? [];
  if (separator !== undefined)
    return { delimiter: separator, lineEnd: end || '\n', hasByteOrderMark, separatorLine: line };
  const unquoted = new Set<string>();
  let lineEnd = '\n';
  let isQuoted = false;
  // Character by character: a regular expression for quoted cells runs out of stack in a cell of some megabytes.
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character !== '\n' && character !== '\r') unquoted.add(character);
    else if (unquoted.size > 0) {
      lineEnd = text.startsWith('\r\n', index) ? '\r\n' : character;
      break;
    }
  }
  return {
    // Spreadsheets write a semicolon where the comma is the decimal separator.
    delimiter: [',', ';', '\t'].find((character) => unquoted.has(character)) ?? ',',
    lineEnd,
    hasByteOrderMark,
  };
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Yields rows, the header included. Rejects where `chunks` does.
 * @see [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
 */
export async function* parseCsv(chunks: AsyncIterable<TextChunk>, fail: FailToRead) {
  let reader: ReturnType<typeof createReader> | undefined;
  for await (const chunk of chunks) {
    let { text } = chunk;
    if (!reader) {
      const dialect = detectCsvDialect(text, false);
      const { separatorLine = '', lineEnd } = dialect;
      text = text.slice(separatorLine.length);
      const line = chunk.line + countOccurrences(separatorLine, lineEnd);
      reader = createReader({ text, line }, dialect, fail);
    }
    yield await reader.read(text);
    reader.assertReadable();
  }
  if (reader) yield await reader.end();
  reader?.assertReadable();
}

/** The first chunk holds the whole header, or the line that names the delimiter. */
function createReader(
  { text: start, line: firstLine }: TextChunk,
  { delimiter, lineEnd: headerEnd }: CsvDialect,
  fail: FailToRead,
) {
  const isOld = headerEnd === '\r' && !start.includes('\n');
  // In an old file a line ends with a carriage return alone, inside a cell as well.
  const lineEnd = isOld ? '\r' : '\n';
  const rows: CsvRow[] = [];
  let line = firstLine;
  let emptyLines = 0;
  let fault: Error | undefined;
  /** Moves `line` to the next row, or to the unreadable row. */
  const skipEmptyLines = () => {
    line += parser.info.empty_lines - emptyLines;
    emptyLines = parser.info.empty_lines;
  };
  const parser: Parser = parse({
    delimiter,
    // Otherwise csv-parse accepts only the kind of line end that comes first.
    record_delimiter: isOld ? ['\r'] : ['\n', '\r\n'],
    relax_column_count: true,
    // Otherwise each empty line is a row.
    skip_empty_lines: true,
    max_record_size: maxLineBytes,
  });
  // Not `on_record`, for which csv-parse describes each row. The stream emits rows later, and none of them if the text after them
  // is invalid.
  const end = parser.push.bind(parser, null);
  parser.push = (cells: CsvRow['cells'] | null) => {
    if (cells === null) return end();
    skipEmptyLines();
    rows.push({ line, cells });
    line++;
    for (const cell of cells) if (cell.includes(lineEnd)) line += countOccurrences(cell, lineEnd);
    return true;
  };
  const onError = (error: Error | null | undefined) => {
    fault ??= error ?? undefined;
  };
  parser.on('error', onError);
  parser.resume();
  return {
    /** The rows that end in the text. */
    async read(text: string) {
      await new Promise<void>((resolve) => {
        parser.write(text, (error) => resolve(onError(error)));
      });
      return rows.splice(0);
    },
    /** The row that ends with the input. */
    async end() {
      await new Promise<void>((resolve) => {
        parser.on('error', () => resolve()).on('end', resolve);
        parser.end();
      });
      return rows.splice(0);
    },
    assertReadable() {
      if (!fault) return;
      skipEmptyLines();
      const problem = fault instanceof CsvError ? problems[fault.code] : undefined;
      fail({ line, problem: problem ?? fault.message, fix: quoting });
    },
  };
}

/** csv-parse's own messages count lines differently, or not at all. */
const problems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a quoted cell of this row continues after its closing quote',
  INVALID_OPENING_QUOTE: 'a cell of this row contains a quote but does not begin with one',
  CSV_MAX_RECORD_SIZE: `this row is longer than ${maxLineBytes} bytes; is a quote missing?`,
};

const quoting = 'Put a cell that contains a quote in quotes, and double the quote: "24"" screen"';
