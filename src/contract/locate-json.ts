// Finds the line of a syntax error, and of each member, in a JSON file that a person wrote. The parser's messages do not always
// name a position, and differ between versions of Node.

import { maxJsonDepth, parseJson } from './json.ts';

interface LocatedJson {
  /** The line of the first syntax error, and what was expected there. Absent if the text is JSON. */
  readonly problem?: { readonly line: number; readonly expected: string };
  /** The line of the member with this path; of the last one if there are two. */
  lineOf(path: readonly string[]): number | undefined;
}

/** Control characters (Cc) below U+007F must be escaped in a string. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const space = /[ \t\r\n]*/y;

class Unexpected extends Error {}

/** Never throws. */
export function locateJson(text: string): LocatedJson {
  const lines = new Map<string, number>();
  const lineOf = (path: readonly string[]) => lines.get(JSON.stringify(path));
  let position = 0;
  let counted = 0;
  let line = 1;
  /** Offsets must not decrease from call to call. */
  const lineAt = (offset: number) => {
    for (; counted < offset; counted++) if (text[counted] === '\n') line += 1;
    return line;
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const [match] = pattern.exec(text) ?? [];
    position += match?.length ?? 0;
    return match;
  };
  const skipSpace = () => void take(space);
  const takeCharacter = (character: string): boolean => {
    skipSpace();
    const isNext = text[position] === character;
    if (isNext) position += 1;
    return isNext;
  };
  const expectCharacter = (character: string, expected: string) => {
    if (!takeCharacter(character)) throw new Unexpected(expected);
  };
  /** Reads the rest after an opening bracket: parts separated by commas, if any. */
  const takeParts = (closing: string, kind: string, takePart: () => void) => {
    if (takeCharacter(closing)) return;
    do takePart();
    while (takeCharacter(','));
    expectCharacter(closing, `a comma or the ${closing} of this ${kind}`);
  };
  const takeMember = (parentPath: readonly string[]) => {
    skipSpace();
    const start = position;
    const name = take(string);
    if (name === undefined) throw new Unexpected('a name in double quotes');
    const path = [...parentPath, String(parseJson(name))];
    lines.set(JSON.stringify(path), lineAt(start));
    expectCharacter(':', 'a colon after the name');
    takeValue(path);
  };
  const takeValue = (path: readonly string[]): void => {
    if (path.length > maxJsonDepth) throw new Unexpected(`at most ${maxJsonDepth} levels`);
    if (takeCharacter('{')) takeParts('}', 'object', () => takeMember(path));
    else if (takeCharacter('[')) takeParts(']', 'list', () => takeValue([...path, '']));
    else if (take(string) === undefined && take(scalar) === undefined)
      throw new Unexpected('a value: text in double quotes, a number, true, false, a list or an object');
  };
  try {
    takeValue([]);
    skipSpace();
    if (position < text.length) throw new Unexpected('nothing more');
    return { lineOf };
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return { problem: { line: lineAt(position), expected: error.message }, lineOf };
  }
}
