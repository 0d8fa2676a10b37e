// Rows of CSV (RFC 4180), the header included. The only file that knows csv-parse, and one that is loaded only for CSV.
// A row may have line breaks inside quotes, so its line is counted by what the rows before it held.

import { CsvError, type Parser, parse } from 'csv-parse';
import { detectCsvDialect } from './csv-dialect.ts';
import { maxLineBytes, type TextChunk } from './decode-lines.ts';
import type { RawRow, UnreadableInput } from './row.ts';

type Cells = readonly string[];

export async function* parseCsv(
  pieces: AsyncIterable<TextChunk | UnreadableInput>,
): AsyncGenerator<readonly RawRow<Cells>[] | UnreadableInput> {
  let reader: CsvReader | undefined;
  for await (const piece of pieces) {
    if ('problem' in piece) {
      yield piece;
      return;
    }
    reader ??= createReader(piece);
    yield await reader.read(piece.text);
    if (reader.problem) break;
  }
  if (reader && !reader.problem) yield await reader.end();
  if (reader?.problem) yield reader.problem;
}

interface CsvReader {
  /** The rows that end in the text. */
  read(text: string): Promise<readonly RawRow<Cells>[]>;
  /** The row that ends with the input. */
  end(): Promise<readonly RawRow<Cells>[]>;
  /** Why nothing more can be read. */
  readonly problem: UnreadableInput | undefined;
}

/** The first piece has all of the header's line. */
function createReader({ text: start, line: firstLine }: TextChunk): CsvReader {
  const isOld = !start.includes('\n');
  // In an old file a line ends with a carriage return alone, inside a cell as well.
  const lineEnd = isOld ? '\r' : '\n';
  let entries: RawRow<Cells>[] = [];
  let line = firstLine;
  let emptyLines = 0;
  let fault: Error | undefined;
  /** To where the next row begins, or the one that cannot be read. */
  const skipEmptyLines = () => {
    line += parser.info.empty_lines - emptyLines;
    emptyLines = parser.info.empty_lines;
  };
  const parser: Parser = parse({
    delimiter: detectCsvDialect(start, false).delimiter,
    // Told both, or it would take the first that it meets for the only one.
    record_delimiter: isOld ? ['\r'] : ['\n', '\r\n'],
    relax_column_count: true,
    // Of each empty line it would make a row, and an error that nobody reads.
    skip_empty_lines: true,
    max_record_size: maxLineBytes,
    // Called at once: what the stream hands out comes later, and not at all if the text behind it is wrong.
    on_record(cells: Cells) {
      skipEmptyLines();
      entries.push({ line, value: cells });
      line++;
      for (const cell of cells) if (cell.includes(lineEnd)) line += cell.split(lineEnd).length - 1;
      return null;
    },
  });
  const failed = (error: Error | null | undefined) => {
    fault ??= error ?? undefined;
  };
  parser.on('error', failed);
  parser.resume();
  const takeRows = (): readonly RawRow<Cells>[] => {
    const some = entries;
    entries = [];
    return some;
  };
  return {
    async read(text) {
      await new Promise<void>((done) => {
        parser.write(text, (error) => done(failed(error)));
      });
      return takeRows();
    },
    async end() {
      await new Promise<void>((done) => {
        parser.on('error', () => done()).on('end', done);
        parser.end();
      });
      return takeRows();
    },
    get problem() {
      if (!fault) return undefined;
      skipEmptyLines();
      return { line, ...describeCsvError(fault) };
    },
  };
}

/** Its own message counts lines in another way, or none. */
function describeCsvError(fault: Error): { problem: string; fix?: string } {
  switch (fault instanceof CsvError ? fault.code : undefined) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return { problem: 'a quote is opened in this row and never closed', fix: quoting };
    case 'CSV_INVALID_CLOSING_QUOTE':
      return { problem: 'a quoted cell of this row goes on behind its closing quote', fix: quoting };
    case 'INVALID_OPENING_QUOTE':
      return { problem: 'a cell of this row has a quote in it and does not begin with one', fix: quoting };
    case 'CSV_MAX_RECORD_SIZE':
      return {
        problem: `this row is longer than ${maxLineBytes} bytes; is a quote not closed?`,
        fix: quoting,
      };
    default:
      return { problem: fault.message };
  }
}

const quoting = 'A cell with a quote in it is written in quotes, and the quote twice: "24"" screen"';
