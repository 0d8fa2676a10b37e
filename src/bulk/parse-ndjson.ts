// Parses lines of JSON, each a row. A line that is not JSON is an invalid row.

import { findDuplicateKey } from '../contract/duplicate-key.ts';
import { describeJsonError, parseJson } from '../contract/json.ts';
import type { TextChunk } from './decode-lines.ts';
import type { RawRow, UnreadableInput } from './row.ts';

export interface JsonLine {
  readonly text: string;
  /** Undefined where the line is invalid. */
  readonly value: unknown;
  /** Why the line is invalid: "is not JSON". */
  readonly invalid: string | undefined;
  /** A name that the object has twice: which of the two values counts is ambiguous. */
  readonly duplicateName: string | undefined;
}

/** Yields rows; the last yield may be an {@link UnreadableInput}. Rejects where `chunks` does. */
export async function* parseNdjson(
  chunks: AsyncIterable<TextChunk | UnreadableInput>,
): AsyncGenerator<readonly RawRow<JsonLine>[] | UnreadableInput> {
  for await (const chunk of chunks) {
    if ('problem' in chunk) {
      yield chunk;
      return;
    }
    const entries: RawRow<JsonLine>[] = [];
    let { line } = chunk;
    for (const text of chunk.text.split('\n')) {
      if (text.startsWith('{') || text.trim() !== '') entries.push({ line, value: parseLine(text) });
      line++;
    }
    yield entries;
  }
}

function parseLine(text: string): JsonLine {
  try {
    const value = parseJson(text);
    return { text, value, invalid: undefined, duplicateName: findDuplicateKey(text, value) };
  } catch (error) {
    return { text, value: undefined, invalid: describeJsonError(error), duplicateName: undefined };
  }
}
