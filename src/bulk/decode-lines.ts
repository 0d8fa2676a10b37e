// Decodes an input as UTF-8, in chunks of whole lines, however its bytes were cut. Bytes that are not UTF-8 are an error with
// their line; replacement characters would be sent to the service.

import { countOccurrences } from '#contract/json.ts';
import type { UnreadableInput } from './row.ts';

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
/** At the start of a file in UTF-16, in one byte order and the other. */
const utf16ByteOrderMarks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** Recognises files in a spreadsheet's own format, which users mistake for CSV, by their first bytes. */
function workbookKind(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  if (start.startsWith('\xd0\xcf\x11\xe0')) return 'an Excel workbook (.xls)';
  if (!start.startsWith('PK\x03\x04')) return undefined;
  if (start.includes('opendocument.spreadsheet')) return 'a workbook (.ods)';
  return /\[Content_Types\]|_rels\/|xl\/|docProps\//.test(start)
    ? 'an Excel workbook (.xlsx)'
    : 'a ZIP archive, as .xlsx is one';
}

function saveAsUtf8Hint(bytes: Uint8Array): string {
  const isUtf16 = utf16ByteOrderMarks.some((two) => two.every((byte, at) => bytes[at] === byte));
  const from = isUtf16 ? 'UTF-16' : 'WINDOWS-1252';
  const inPowershell = isUtf16 ? ' (PowerShell: Get-Content FILE | Set-Content -Encoding utf8 NEW)' : '';
  return `Save it as UTF-8 (in Excel: "CSV UTF-8"), or convert it: iconv -f ${from} -t UTF-8 FILE > NEW${inPowershell}`;
}

/** Decodes a file that a crash may have torn: bytes that are not UTF-8 become U+FFFD. Rejects where `bytes` does. */
export async function* decodeLinesLeniently(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextChunk> {
  for await (const chunk of decodeLines(bytes, false)) if ('text' in chunk) yield chunk;
}

/**
 * The last yield may be an {@link UnreadableInput}: a line is too long, or, where `isStrict`, not UTF-8. Rejects where
 * `bytes` does.
 */
export async function* decodeLines(
  bytes: AsyncIterable<Uint8Array>,
  isStrict = true,
): AsyncGenerator<TextChunk | UnreadableInput> {
  // Without `ignoreBOM` a byte order mark at the start is left out; later it is a character.
  const decoders = {
    first: new TextDecoder('utf-8', { fatal: isStrict }),
    later: new TextDecoder('utf-8', { fatal: isStrict, ignoreBOM: true }),
  };
  let rest: Uint8Array[] = [];
  let restLength = 0;
  let line = 1;
  let isFirst = true;
  const decode = (whole: Uint8Array): TextChunk | UnreadableInput => {
    const kind = isStrict && isFirst ? workbookKind(whole) : undefined;
    if (kind !== undefined)
      return {
        line,
        problem: `this is ${kind}, not CSV`,
        fix: 'Save the sheet as CSV (in Excel: "CSV UTF-8")',
      };
    const decoder = isFirst ? decoders.first : decoders.later;
    const hasByteOrderMark = isFirst && byteOrderMark.every((byte, at) => whole[at] === byte);
    isFirst = false;
    try {
      const text = decoder.decode(whole);
      return hasByteOrderMark ? { text, line, hasByteOrderMark } : { text, line };
    } catch {
      return {
        line: firstInvalidLine(whole, line),
        problem: 'is not UTF-8 text',
        fix: saveAsUtf8Hint(whole),
      };
    }
  };
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      for (const piece of splitChunk(concat([...rest, chunk.subarray(0, end)]))) {
        const decoded = decode(piece);
        yield decoded;
        if ('problem' in decoded) return;
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
      yield { line, problem: `is longer than ${maxLineBytes} bytes` };
      return;
    }
  }
  if (restLength > 0) yield decode(concat(rest));
}

/** Bytes. One chunk is read in one step, which blocks everything else; and a cell of a row keeps the text of its chunk. */
const chunkLength = 4096;

function* splitChunk(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, from + chunkLength) + 1 || bytes.length;
    yield bytes.subarray(from, end);
    from = end;
  }
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function firstInvalidLine(bytes: Uint8Array, first: number): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = first;
  for (let from = 0; from < bytes.length; line++) {
    const feed = bytes.indexOf(lineFeed, from);
    const end = feed === -1 ? bytes.length : feed + 1;
    try {
      decoder.decode(bytes.subarray(from, end));
    } catch {
      return line;
    }
    from = end;
  }
  return first;
}
