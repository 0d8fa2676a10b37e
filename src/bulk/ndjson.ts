// Lines of JSON, each a row. A line that is no JSON is a row too, which its reader refuses.

import { doubleMember } from '../contract/double-member.ts';
import type { Entry, WrongInput } from './row.ts';
import type { Piece } from './text.ts';

export interface JsonLine {
  readonly text: string;
  /** Nothing where the line is no JSON. */
  readonly value: unknown;
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
        const value = parsed(text);
        const twice = value === undefined ? undefined : doubleMember(text);
        entries.push({ line, value: { text, value, twice } });
      }
      line++;
    }
    yield entries;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
