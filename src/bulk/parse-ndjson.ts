// Parses lines of JSON, each a row, or a JSON list of rows, without holding the list in memory. A line that is not JSON is an
// invalid row.

import { describeJsonError, findDuplicateKey, parseJson } from '#contract/json.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import type { TextChunk } from './decode-lines.ts';
import type { FailToRead } from './row.ts';

export interface JsonLine {
  readonly line: number;
  readonly text: string;
  /** Undefined if the line is not JSON. */
  readonly value: unknown;
  /** Why the line is invalid: it is not JSON, or the object has a name twice, and which of the two values counts is ambiguous. */
  readonly invalid: ValidationError | undefined;
}

/** Yields rows. Rejects where `chunks` does. */
export async function* parseNdjson(chunks: AsyncIterable<TextChunk>): AsyncGenerator<readonly JsonLine[]> {
  for await (const chunk of chunks) {
    const entries: JsonLine[] = [];
    let { line } = chunk;
    for (const text of chunk.text.split('\n')) {
      if (text.startsWith('{') || text.trim() !== '') entries.push(parseLine(line, text));
      line++;
    }
    yield entries;
  }
}

function parseLine(line: number, text: string): JsonLine {
  try {
    const value = parseJson(text);
    const name = findDuplicateKey(text, value);
    const invalid =
      name === undefined ? undefined : new ValidationError(formatValue(name), 'is given twice in this row');
    return { line, text, value, invalid };
  } catch (error) {
    const invalid = new ValidationError('the line', describeJsonError(error));
    return { line, text, value: undefined, invalid };
  }
}

const [quote, backslash, comma, lineFeed, carriageReturn, space] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d, 0x20];
const opening: readonly number[] = [0x5b, 0x7b];
const closing: readonly number[] = [0x5d, 0x7d];
const blanks: readonly number[] = [space, 0x09, lineFeed, carriageReturn];
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** Rejects where `bytes` does. */
export async function* splitJsonList(
  bytes: AsyncIterable<Uint8Array>,
  fail: FailToRead,
): AsyncGenerator<Uint8Array> {
  /** Undefined until the first character. */
  let isList: boolean | undefined;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  const convert = (byte: number): number => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isText = false;
      return byte;
    }
    if (byte === lineFeed || byte === carriageReturn) return space;
    if (depth === 0)
      return blanks.includes(byte) ? space : fail({ problem: 'there is more after the end of the list' });
    if (byte === quote) isText = true;
    if (opening.includes(byte)) depth++;
    // The list's own commas and bracket end a line.
    if (closing.includes(byte)) depth -= 1;
    return depth === 0 || (byte === comma && depth === 1) ? lineFeed : byte;
  };
  for await (const chunk of bytes) {
    let start = 0;
    if (isList === undefined) {
      start = chunk.findIndex((byte) => !blanks.includes(byte) && !byteOrderMark.includes(byte));
      if (start !== -1) isList = chunk[start] === opening[0];
      if (isList) {
        start++;
        depth = 1;
      }
    }
    yield isList ? chunk.subarray(start).map(convert) : chunk;
  }
  if (isList && depth > 0) fail({ problem: 'the list has no end' });
}
