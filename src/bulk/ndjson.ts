// Lines of JSON, each a row. A line that is not JSON is a row too, an invalid one.

import { findDuplicateKey } from '../contract/duplicate-key.ts';
import { describeJsonError, parseJson } from '../contract/json.ts';
import type { Entry, WrongInput } from './row.ts';
import type { Piece } from './text.ts';

export interface JsonLine {
  readonly text: string;
  /** Nothing where the line is invalid. */
  readonly value: unknown;
  /** What is wrong with the line: "is not JSON". */
  readonly invalid: string | undefined;
  /** A name that it gives twice, which of the two counts being anybody's guess. */
  readonly twice: string | undefined;
}

export async function* jsonLines(
  pieces: AsyncIterable<Piece | WrongInput>,
): AsyncGenerator<readonly Entry<JsonLine>[] | WrongInput> {
  for await (const piece of pieces) {
    if ('wrong' in piece) {
      yield piece;
      return;
    }
    const entries: Entry<JsonLine>[] = [];
    let { line } = piece;
    for (const text of piece.text.split('\n')) {
      if (text.trim() !== '') {
        entries.push({ line, value: readLine(text) });
      }
      line++;
    }
    yield entries;
  }
}

function readLine(text: string): JsonLine {
  try {
    return { text, value: parseJson(text), invalid: undefined, twice: findDuplicateKey(text) };
  } catch (error) {
    return { text, value: undefined, invalid: describeJsonError(error), twice: undefined };
  }
}
