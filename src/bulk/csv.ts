// Rows of CSV (RFC 4180), the header included. The only file that knows csv-parse, and one that is loaded only for CSV.
// A row may have line breaks inside quotes, so its line is counted by what the rows before it held.

import { parse } from 'csv-parse';
import { csvShapeOf } from './csv-form.ts';
import type { Entry, WrongInput } from './row.ts';
import type { Piece } from './text.ts';

type Cells = readonly string[];

export async function* csvRows(
  pieces: AsyncIterable<Piece | WrongInput>,
): AsyncGenerator<readonly Entry<Cells>[] | WrongInput> {
  let parser: ReturnType<typeof parse> | undefined;
  let fault: Error | undefined;
  let line = 1;
  // In an old file a line ends with a carriage return alone, inside a cell as well.
  let lineEnd = '\n';
  const take = (): readonly Entry<Cells>[] => {
    const entries: Entry<Cells>[] = [];
    for (let cells: Cells | null = parser?.read() ?? null; cells !== null; cells = parser?.read() ?? null) {
      // An empty line separates nothing from nothing.
      if (cells.length > 1 || cells[0] !== '') entries.push({ line, value: cells });
      line++;
      for (const cell of cells) if (cell.includes(lineEnd)) line += cell.split(lineEnd).length - 1;
    }
    return entries;
  };
  for await (const piece of pieces) {
    if ('wrong' in piece) {
      yield piece;
      return;
    }
    if (!parser) {
      // Told both, or it would take the first that it meets for the only one.
      const lineEnds = piece.text.includes('\n') ? ['\n', '\r\n'] : ['\r'];
      if (!piece.text.includes('\n')) lineEnd = '\r';
      parser = parse({
        delimiter: csvShapeOf(piece.text, false).delimiter,
        record_delimiter: lineEnds,
        relax_column_count: true,
      });
      parser.on('error', (error) => {
        fault = error;
      });
    }
    parser.write(piece.text);
    yield take();
    // What the parser found wrong it tells a moment later.
    await Promise.resolve();
    if (fault) break;
  }
  if (parser && !fault) {
    const ending = parser;
    const last: Entry<Cells>[] = [];
    await new Promise<void>((done) => {
      ending.on('error', () => done()).on('end', done);
      ending.on('readable', () => last.push(...take()));
      ending.end();
    });
    yield last;
  }
  if (fault) yield { line, wrong: fault.message };
}
