// Parses lines of JSON, each a row. A line that is not JSON is an invalid row.

import { findDuplicateKey } from '#contract/duplicate-key.ts';
import { describeJsonError, parseJson } from '#contract/json.ts';
import type { TextChunk } from './decode-lines.ts';
import type { UnreadableInput } from './row.ts';

export interface JsonLine {
  readonly line: number;
  readonly text: string;
  /** Undefined if the line is invalid. */
  readonly value: unknown;
  /** Why the line is invalid: "is not JSON". */
  readonly invalid: string | undefined;
  /** A name that the object has twice: which of the two values counts is ambiguous. */
  readonly duplicateName: string | undefined;
}

/** Yields rows; the last yield may be an {@link UnreadableInput}. Rejects where `chunks` does. */
export async function* parseNdjson(
  chunks: AsyncIterable<TextChunk | UnreadableInput>,
): AsyncGenerator<readonly JsonLine[] | UnreadableInput> {
  for await (const chunk of chunks) {
    if ('problem' in chunk) {
      yield chunk;
      return;
    }
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
    return { line, text, value, invalid: undefined, duplicateName: findDuplicateKey(text, value) };
  } catch (error) {
    return { line, text, value: undefined, invalid: describeJsonError(error), duplicateName: undefined };
  }
}
