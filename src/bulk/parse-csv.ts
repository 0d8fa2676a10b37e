// Parses CSV, piece by piece. A row may have line breaks inside quotes, so the number of its first line follows from the
// contents of the rows before it.

import { countOf } from '../contract/json.ts';
import { detectCsvDialect } from './csv-dialect.ts';
import { maxLineBytes, type TextChunk } from './decode-lines.ts';
import type { RawRow, UnreadableInput } from './row.ts';

type Cells = readonly string[];

/**
 * Yields rows, the header included; the last yield may be an {@link UnreadableInput}. Rejects where `chunks` does.
 * @see [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
 */
export async function* parseCsv(
  chunks: AsyncIterable<TextChunk | UnreadableInput>,
): AsyncGenerator<readonly RawRow<Cells>[] | UnreadableInput> {
  let reader: CsvReader | undefined;
  for await (const chunk of chunks) {
    if ('problem' in chunk) {
      yield chunk;
      return;
    }
    reader ??= new CsvReader(chunk);
    yield reader.read(chunk.text);
    if (reader.problem) break;
  }
  reader?.end();
  if (reader?.problem) yield reader.problem;
}

class CsvReader {
  /** Why nothing more can be read. */
  problem: UnreadableInput | undefined;
  readonly #delimiter: string;
  /** In an old file a line ends with a carriage return alone, inside a cell as well. */
  readonly #lineEnd: string;
  /** Where the row begins whose cells these are. */
  #line: number;
  #cells: string[] = [];
  #lineEndsInCells = 0;
  /** The parts of a quoted cell that has not ended yet. */
  #open: string[] | undefined;
  #openBytes = 0;

  /** The first chunk holds the whole header. */
  constructor({ text, line }: TextChunk) {
    this.#delimiter = detectCsvDialect(text, false).delimiter;
    this.#lineEnd = text.includes('\n') ? '\n' : '\r';
    this.#line = line;
  }

  /** The rows that end in the text, which ends with a line, or with the input. */
  read(text: string): readonly RawRow<Cells>[] {
    const rows: RawRow<Cells>[] = [];
    const nextDelimiter = createFinder(text, this.#delimiter);
    const nextLineEnd = createFinder(text, this.#lineEnd);
    const nextQuote = createFinder(text, '"');
    for (let at = 0; at < text.length; ) {
      const isQuoted = this.#open !== undefined || text[at] === '"';
      if (isQuoted) at = this.#readQuoted(text, at);
      else {
        const end = Math.min(nextDelimiter(at), nextLineEnd(at));
        if (nextQuote(at) < end)
          this.#fail('a cell of this row contains a quote but does not begin with one');
        const hasCarriageReturn = end > at && this.#isCarriageReturnAndLineEnd(text, end - 1);
        this.#cells.push(text.slice(at, hasCarriageReturn ? end - 1 : end));
        at = end;
      }
      if (this.problem || this.#open) return rows;
      if (text[at] === this.#delimiter) {
        at++;
        if (at < text.length) continue;
        this.#cells.push('');
      } else at += this.#isCarriageReturnAndLineEnd(text, at) ? 2 : 1;
      this.#endRow(rows, isQuoted);
    }
    return rows;
  }

  /** For an input that ends here. */
  end(): void {
    if (this.#open && !this.problem) this.#fail('a quote is opened in this row and never closed');
  }

  /** Reads a quoted cell, or one that was open, from here. Returns where it ends. */
  #readQuoted(text: string, at: number): number {
    const from = this.#open ? at : at + 1;
    let end = text.indexOf('"', from);
    while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    const part = text.slice(from, end === -1 ? text.length : end);
    this.#lineEndsInCells += countOf(part, this.#lineEnd);
    const cell = part.includes('"') ? part.replaceAll('""', '"') : part;
    if (end === -1) {
      this.#open ??= [];
      this.#open.push(cell);
      this.#openBytes += Buffer.byteLength(part);
      if (this.#openBytes > maxLineBytes)
        this.#fail(`this row is longer than ${maxLineBytes} bytes; is a quote missing?`);
      return text.length;
    }
    this.#cells.push(this.#open ? this.#open.join('') + cell : cell);
    this.#open = undefined;
    this.#openBytes = 0;
    const next = text[end + 1];
    if (
      next !== undefined &&
      next !== this.#delimiter &&
      next !== this.#lineEnd &&
      !this.#isCarriageReturnAndLineEnd(text, end + 1)
    )
      this.#fail('a quoted cell of this row continues after its closing quote');
    return end + 1;
  }

  #endRow(rows: RawRow<Cells>[], isLastQuoted: boolean): void {
    const isEmptyLine = this.#cells.length === 1 && this.#cells[0] === '' && !isLastQuoted;
    if (!isEmptyLine) rows.push({ line: this.#line, value: this.#cells });
    this.#line += 1 + this.#lineEndsInCells;
    this.#lineEndsInCells = 0;
    this.#cells = [];
  }

  #isCarriageReturnAndLineEnd(text: string, at: number): boolean {
    return text[at] === '\r' && text[at + 1] === '\n' && this.#lineEnd === '\n';
  }

  #fail(problem: string): void {
    this.problem = { line: this.#line, problem, fix: quoting };
  }
}

const quoting = 'Put a cell that contains a quote in quotes, and double the quote: "24"" screen"';

/** Where the character next stands, for places that only increase; the length of the text where it does not. */
function createFinder(text: string, character: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) found = text.indexOf(character, from);
    if (found === -1) found = text.length;
    return found;
  };
}
