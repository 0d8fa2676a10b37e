// Decodes an input as UTF-8, in chunks of whole lines. Bytes that are not UTF-8 are an error with their line; replacement characters
// would be sent to the service.

import { isUtf8 } from 'node:buffer';
import { countOccurrences } from '#contract/json.ts';
import type { FailToRead } from './row.ts';

export interface TextChunk {
  /** Ends with a line feed, except for the last chunk. */
  readonly text: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** Set on the first chunk if the file begins with U+FEFF, which `text` leaves out. */
  readonly hasByteOrderMark?: true;
}

/** Longer than a description of a million characters (contract: Limits), each of them escaped. */
export const maxLineBytes = 16 * 1024 * 1024;
const lineFeed = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];
const utf16ByteOrderMarks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Recognises files in a spreadsheet's own format, which users mistake for CSV, by their first bytes. */
function workbookKind(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (start.startsWith('\xd0\xcf\x11\xe0')) return 'an Excel workbook (.xls)';
  if (!start.startsWith('PK\x03\x04')) return undefined;
  if (start.includes('opendocument.spreadsheet')) return 'a workbook (.ods)';
  return /\[Content_Types\]|_rels\/|xl\/|docProps\//.test(start)
    ? 'an Excel workbook (.xlsx)'
    : 'a ZIP archive, such as .xlsx';
}

function saveAsUtf8Hint(bytes: Uint8Array): string {
  const isUtf16 = utf16ByteOrderMarks.some((mark) => startsWith(bytes, mark));
  const from = isUtf16 ? 'UTF-16' : 'WINDOWS-1252';
  const inPowershell = isUtf16 ? ' (PowerShell: Get-Content FILE | Set-Content -Encoding utf8 NEW)' : '';
  return `Save it as UTF-8 (in Excel: "CSV UTF-8"), or convert it: iconv -f ${from} -t UTF-8 FILE > NEW${inPowershell}`;
}

/** Calls `fail` for a line that is too long or not UTF-8; without it, such bytes become U+FFFD. Rejects where `bytes` does. */
export async function* decodeLines(bytes: AsyncIterable<Uint8Array>, fail?: FailToRead) {
  // `ignoreBOM`: after the start of the file, U+FEFF is a character.
  const decoder = new TextDecoder('utf-8', { fatal: fail !== undefined, ignoreBOM: true });
  let rest: Uint8Array[] = [];
  let restLength = 0;
  let line = 1;
  let isFirst = true;
  const decode = (lines: Uint8Array): TextChunk => {
    const kind = fail && isFirst ? workbookKind(lines) : undefined;
    const fix = 'Save the sheet as CSV (in Excel: "CSV UTF-8")';
    if (kind !== undefined) fail?.({ line, problem: `this is ${kind}, not CSV`, fix });
    const hasByteOrderMark = isFirst && startsWith(lines, byteOrderMark);
    isFirst = false;
    try {
      const text = decoder.decode(hasByteOrderMark ? lines.subarray(byteOrderMark.length) : lines);
      return hasByteOrderMark ? { text, line, hasByteOrderMark } : { text, line };
    } catch (error) {
      const invalidLine = firstInvalidLine(lines, line);
      fail?.({ line: invalidLine, problem: 'this line is not UTF-8 text', fix: saveAsUtf8Hint(lines) });
      throw error;
    }
  };
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      for (const piece of splitChunk(concat([...rest, chunk.subarray(0, end)]))) {
        const decoded = decode(piece);
        yield decoded;
        line += countOccurrences(decoded.text, '\n');
      }
      rest = [];
      restLength = 0;
    }
    if (end < chunk.length) {
      rest.push(chunk.subarray(end));
      restLength += chunk.length - end;
    }
    if (restLength > maxLineBytes) {
      fail?.({ line, problem: `this line is longer than ${maxLineBytes} bytes` });
      yield { line, text: '\ufffd' };
      return;
    }
  }
  if (restLength > 0) yield decode(concat(rest));
}

/** Bytes. One chunk is read in one step, which blocks everything else; and a cell of a row keeps the text of its chunk. */
const chunkLength = 12 * 1024;

function* splitChunk(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, from + chunkLength) + 1 || bytes.length;
    yield bytes.subarray(from, end);
    from = end;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return first && parts.length === 1 ? first : Buffer.concat(parts);
}

function firstInvalidLine(bytes: Uint8Array, firstLine: number): number {
  let line = firstLine;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, from) + 1 || bytes.length;
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end;
  }
  return line;
}
