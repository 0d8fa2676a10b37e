// Rows of CSV (RFC 4180), the header included. The only file that knows csv-parse, and one that is loaded only for CSV.
// A row may have line breaks inside quotes, so its line is counted by what the rows before it held.

import { CsvError, type Parser, parse } from 'csv-parse';
import { csvShapeOf } from './csv-form.ts';
import type { Entry, WrongInput } from './row.ts';
import { longestLine, type Piece } from './text.ts';

type Cells = readonly string[];

export async function* csvRows(
  pieces: AsyncIterable<Piece | WrongInput>,
): AsyncGenerator<readonly Entry<Cells>[] | WrongInput> {
  let reader: CsvReader | undefined;
  for await (const piece of pieces) {
    if ('wrong' in piece) {
      yield piece;
      return;
    }
    reader ??= createReader(piece);
    yield await reader.read(piece.text);
    if (reader.wrong) break;
  }
  if (reader && !reader.wrong) yield await reader.end();
  if (reader?.wrong) yield reader.wrong;
}

interface CsvReader {
  /** The rows that end in the text. */
  read(text: string): Promise<readonly Entry<Cells>[]>;
  /** The row that ends with the input. */
  end(): Promise<readonly Entry<Cells>[]>;
  /** Why nothing more can be read. */
  readonly wrong: WrongInput | undefined;
}

/** The first piece has all of the header's line. */
function createReader({ text: start, line: firstLine }: Piece): CsvReader {
  const isOld = !start.includes('\n');
  // In an old file a line ends with a carriage return alone, inside a cell as well.
  const lineEnd = isOld ? '\r' : '\n';
  let entries: Entry<Cells>[] = [];
  let line = firstLine;
  let emptyLines = 0;
  let fault: Error | undefined;
  /** To where the next row begins, or the one that cannot be read. */
  const passEmptyLines = () => {
    line += parser.info.empty_lines - emptyLines;
    emptyLines = parser.info.empty_lines;
  };
  const parser: Parser = parse({
    delimiter: csvShapeOf(start, false).delimiter,
    // Told both, or it would take the first that it meets for the only one.
    record_delimiter: isOld ? ['\r'] : ['\n', '\r\n'],
    relax_column_count: true,
    // Of each empty line it would make a row, and an error that nobody reads.
    skip_empty_lines: true,
    max_record_size: longestLine,
    // Called at once: what the stream hands out comes later, and not at all if the text behind it is wrong.
    on_record(cells: Cells) {
      passEmptyLines();
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
  const taken = (): readonly Entry<Cells>[] => {
    const some = entries;
    entries = [];
    return some;
  };
  return {
    async read(text) {
      await new Promise<void>((done) => {
        parser.write(text, (error) => done(failed(error)));
      });
      return taken();
    },
    async end() {
      await new Promise<void>((done) => {
        parser.on('error', () => done()).on('end', done);
        parser.end();
      });
      return taken();
    },
    get wrong() {
      if (!fault) return undefined;
      passEmptyLines();
      return { line, ...meaningOf(fault) };
    },
  };
}

/** Its own message counts lines in another way, or none. */
function meaningOf(fault: Error): { wrong: string; cure?: string } {
  switch (fault instanceof CsvError ? fault.code : undefined) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return { wrong: 'a quote is opened in this row and never closed', cure: quoting };
    case 'CSV_INVALID_CLOSING_QUOTE':
      return { wrong: 'a quoted cell of this row goes on behind its closing quote', cure: quoting };
    case 'INVALID_OPENING_QUOTE':
      return { wrong: 'a cell of this row has a quote in it and does not begin with one', cure: quoting };
    case 'CSV_MAX_RECORD_SIZE':
      return { wrong: `this row is longer than ${longestLine} bytes; is a quote not closed?`, cure: quoting };
    default:
      return { wrong: fault.message };
  }
}

const quoting = 'A cell with a quote in it is written in quotes, and the quote twice: "24"" screen"';
