// Finds the lines of a JSON text that a person wrote: where it stops being JSON, and where each member is. The messages of
// the parser name a position only sometimes, and differ between versions of Node.

import { maxJsonDepth, parseJson } from './json.ts';

export interface LocatedJson {
  /** The first line that is not JSON, and what should be there. Absent if the text is JSON. */
  readonly problem?: { readonly line: number; readonly expected: string };
  /** The line of the member that these names lead to, from the outermost; of the last one if there are two. */
  lineOf(names: readonly string[]): number | undefined;
}

/** Control characters (Cc) below U+007F must be escaped in a string. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const space = /[ \t\r\n]*/y;

class Unexpected extends Error {}

/** Throws nothing, whatever the text is. */
export function locateJson(text: string): LocatedJson {
  const lines = new Map<string, number>();
  const lineOf = (names: readonly string[]) => lines.get(JSON.stringify(names));
  let at = 0;
  let counted = 0;
  let line = 1;
  /** Each offset is at or after the one before. */
  const lineAt = (offset: number) => {
    for (; counted < offset; counted++) if (text[counted] === '\n') line += 1;
    return line;
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const skipSpace = () => void take(space);
  const takeOne = (character: string): boolean => {
    skipSpace();
    const isThere = text[at] === character;
    if (isThere) at += 1;
    return isThere;
  };
  const expectOne = (character: string, expected: string) => {
    if (!takeOne(character)) throw new Unexpected(expected);
  };
  /** Reads what follows an opening bracket: nothing, or parts separated by commas. */
  const takeParts = (closing: string, kind: string, takePart: () => void) => {
    if (takeOne(closing)) return;
    do takePart();
    while (takeOne(','));
    expectOne(closing, `a comma or the ${closing} of this ${kind}`);
  };
  const takeMember = (above: readonly string[]) => {
    skipSpace();
    const start = at;
    const name = take(string);
    if (name === undefined) throw new Unexpected('a name in double quotes');
    const path = [...above, String(parseJson(name))];
    lines.set(JSON.stringify(path), lineAt(start));
    expectOne(':', 'a colon after the name');
    takeValue(path);
  };
  const takeValue = (names: readonly string[]): void => {
    if (names.length > maxJsonDepth) throw new Unexpected(`at most ${maxJsonDepth} levels`);
    if (takeOne('{')) takeParts('}', 'object', () => takeMember(names));
    else if (takeOne('[')) takeParts(']', 'list', () => takeValue([...names, '']));
    else if (take(string) === undefined && take(scalar) === undefined)
      throw new Unexpected('a value: text in double quotes, a number, true, false, a list or an object');
  };
  try {
    takeValue([]);
    skipSpace();
    if (at < text.length) throw new Unexpected('nothing more');
    return { lineOf };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { problem: { line: lineAt(at), expected: error.message }, lineOf };
  }
}
