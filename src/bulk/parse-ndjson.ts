// Parses rows of JSON without holding them all in memory: objects on one line or on several, a JSON list, or saved responses of the
// service. An object that is not JSON is an invalid row.

import { describeJsonError, endOfString, findDuplicateKey, maxJsonDepth, parseJson } from '#contract/json.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import { maxLineBytes, type TextChunk } from './decode-lines.ts';
import type { FailToRead } from './row.ts';

export interface JsonLine {
  readonly line: number;
  /** On one line if it is JSON, even where the input has several. */
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly value: unknown;
  /** Why the row is invalid: it is not JSON, or the object has a name twice, and which of the two values counts is ambiguous. */
  readonly invalid: ValidationError | undefined;
}

/** Yields rows. Rejects where `chunks` does. */
export async function* parseNdjson(chunks: AsyncIterable<TextChunk>): AsyncGenerator<readonly JsonLine[]> {
  let open: OpenObject | undefined;
  for await (const chunk of chunks) {
    const entries: JsonLine[] = [];
    let { line } = chunk;
    for (const text of chunk.text.split('\n')) {
      const isNext = open !== undefined && addLine(open, text);
      if (open && !(isNext && open.brackets !== '')) {
        entries.push(parseText(open.line, open.text, open.brackets));
        open = undefined;
      }
      if (!isNext && (text.startsWith('{') || text.trim() !== '')) {
        const entry = parseText(line, text);
        if (entry.value === undefined) open = openObject(line, text);
        if (!open) entries.push(entry);
      }
      line++;
    }
    yield entries;
  }
  if (open) yield [parseText(open.line, open.text, open.brackets)];
}

function parseText(line: number, text: string, brackets?: string): JsonLine {
  try {
    const value = parseJson(text);
    const name = findDuplicateKey(text, value);
    const invalid = name === undefined ? undefined : invalidValue(name, 'is given twice in this row');
    return { line, text, value, invalid };
  } catch (error) {
    const subject = brackets === undefined ? 'the line' : 'the object that begins on this line';
    const problem = brackets ? 'has no end' : describeJsonError(error);
    return { line, text, value: undefined, invalid: new ValidationError(subject, problem) };
  }
}

/** An object on several lines, as `jq` and ConvertTo-Json write it. */
interface OpenObject {
  readonly line: number;
  /** The lines so far, as one. */
  text: string;
  brackets: string;
}

/** Undefined if no object of several lines can begin with this one. */
function openObject(line: number, text: string): OpenObject | undefined {
  const object = { line, text: '', brackets: '' };
  return /^\s*\{/.test(text) && addLine(object, text) && object.brackets !== '' ? object : undefined;
}

/** False if the object cannot continue with the line: it has no end. */
function addLine(object: OpenObject, line: string): boolean {
  const text = line.trim();
  const before = object.text.slice(-1);
  const mayNest = before === ':' || (object.brackets.endsWith('[') && /[[,]/.test(before));
  const brackets = openBrackets(text, object.brackets);
  if (brackets === undefined || object.text.length + text.length > maxLineBytes) return false;
  if (before !== '' && text.startsWith('{') && !mayNest) return false;
  object.brackets = brackets;
  if (text !== '') object.text += before === '' ? text : ` ${text}`;
  return true;
}

/** The open brackets after the text. Undefined if there are too many, or if it ends inside a string, which no line break may do. */
function openBrackets(text: string, before: string): string | undefined {
  let open = before;
  for (let index = 0; index < text.length && open.length <= maxJsonDepth; index++) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') open += character;
    else if (character === '}' || character === ']') open = open.slice(0, -1);
    if (index === text.length) return undefined;
  }
  return open.length > maxJsonDepth ? undefined : open;
}

const [quote, backslash, comma, lineFeed, carriageReturn, space] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d, 0x20];
const opening: readonly number[] = [0x5b, 0x7b];
const closing: readonly number[] = [0x5d, 0x7d];
const blanks: readonly number[] = [space, 0x09, lineFeed, carriageReturn];
/** A list, or the `data` of a saved response of the service; after a byte order mark. */
const listStart = /^[\xef\xbb\xbf\s]*(?:\{\s*(?:"\w+"\s*:\s*(?:"[^"\\]*"|\w+)\s*,\s*)*"data"\s*:\s*)?\[/;
const unclearStart = /^[\xef\xbb\xbf\s]{0,4096}(?:\{[^[{}]{0,4096})?$/;

/** Puts each record of a list, or of saved responses, on its own line; passes other input on. Rejects where `bytes` does. */
export async function* splitJsonList(bytes: AsyncIterable<Uint8Array>, fail: FailToRead) {
  /** Undefined while the start is unclear. */
  let isList: boolean | undefined;
  /** In Latin-1, what comes before the next list. */
  let start = '';
  let listDepth = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isAfterList = false;
  const convert = (byte: number): number => {
    if (isText) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isText = false;
      return isAfterList ? space : byte;
    }
    if (byte === lineFeed || byte === carriageReturn) return space;
    if (depth === 0) {
      if (blanks.includes(byte)) return space;
      start += String.fromCharCode(byte);
      if (listDepth === 1 || !(unclearStart.test(start) || listStart.test(start)))
        fail({ problem: 'there is more after the end of the list' });
      if (byte !== opening[0]) return space;
      listDepth = start.includes('{') ? 2 : 1;
      [depth, start, isAfterList] = [listDepth, '', false];
      return space;
    }
    if (byte === quote) isText = true;
    if (opening.includes(byte)) depth++;
    if (closing.includes(byte)) depth -= 1;
    if (isAfterList) return space;
    isAfterList = depth < listDepth;
    // The list's own commas and bracket end a line.
    return isAfterList || (byte === comma && depth === listDepth) ? lineFeed : byte;
  };
  for await (const chunk of bytes) {
    let piece = chunk;
    if (isList === undefined) {
      start += Buffer.from(chunk).toString('latin1');
      if (unclearStart.test(start)) continue;
      isList = listStart.test(start);
      piece = Buffer.from(start, 'latin1');
      start = '';
    }
    yield isList ? piece.map(convert) : piece;
  }
  if (isList === undefined) yield Buffer.from(start, 'latin1');
  else if (depth > 0 || start !== '') fail({ problem: 'the list has no end' });
}
