// Lines of JSON, each a row. A line that is not JSON is a row too, an invalid one.

import { findDuplicateKey } from '../contract/duplicate-key.ts';
import { describeJsonError, parseJson } from '../contract/json.ts';
import type { TextChunk } from './decode-lines.ts';
import type { RawRow, UnreadableInput } from './row.ts';

export interface JsonLine {
  readonly text: string;
  /** Nothing where the line is invalid. */
  readonly value: unknown;
  /** What is wrong with the line: "is not JSON". */
  readonly invalid: string | undefined;
  /** A name that it gives twice, which of the two counts being anybody's guess. */
  readonly duplicateName: string | undefined;
}

export async function* parseNdjson(
  pieces: AsyncIterable<TextChunk | UnreadableInput>,
): AsyncGenerator<readonly RawRow<JsonLine>[] | UnreadableInput> {
  for await (const piece of pieces) {
    if ('problem' in piece) {
      yield piece;
      return;
    }
    const entries: RawRow<JsonLine>[] = [];
    let { line } = piece;
    for (const text of piece.text.split('\n')) {
      if (text.trim() !== '') {
        entries.push({ line, value: parseLine(text) });
      }
      line++;
    }
    yield entries;
  }
}

function parseLine(text: string): JsonLine {
  try {
    return { text, value: parseJson(text), invalid: undefined, duplicateName: findDuplicateKey(text) };
  } catch (error) {
    return { text, value: undefined, invalid: describeJsonError(error), duplicateName: undefined };
  }
}
