// Wraps a message for a terminal without breaking a word. Never breaks a command, because users would copy the line break; the
// terminal shows a long one over several rows.

import { displayWidth } from './width.ts';

/** A span in backquotes; a command at the end of its line, or variables there; a word. */
const chunk =
  /`[^`]+`\S*|(?:(?<=: )|^)(?:npx |kill |curl |wm |export (?=[A-Z_]+=)|[A-Z][A-Z_]*=|\$env:)(?=\S).*$|\S+/g;

/** Returns lines of at most `width` cells, unless a chunk is wider. `hanging`: the indent of all lines but the first. */
export function wrapMessage(line: string, width: number, hanging?: number): readonly string[] {
  if (displayWidth(line) <= width) return [line];
  const text = line.trimStart();
  const indent = ' '.repeat(line.length - text.length);
  const continuationIndent = hanging === undefined ? indent : ' '.repeat(hanging);
  const lines: string[] = [];
  let current = indent;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(chunk)) {
    const isEmpty = end === 0;
    const gap = isEmpty ? '' : (/(?<! ) *$/.exec(text.slice(end, index))?.[0] ?? '');
    if (!isEmpty && displayWidth(current + gap + word) > width) {
      lines.push(current);
      current = continuationIndent + word;
    } else current += gap + word;
    end = index + word.length;
  }
  return [...lines, current];
}
