// Wraps a message for the terminal on which it is shown, so that no word is broken over two lines. A command is never
// broken: a line break in it would be copied too. The terminal shows one that is too long over several rows.

import { displayWidth } from './width.ts';

/** A span in backquotes; a command that ends its line, with variables before it or nothing but variables; a word. */
const chunk =
  /`[^`]+`\S*|(?:(?<=: )|^)(?:npx |kill |curl |wm |export (?=[A-Z_]+=)|[A-Z][A-Z_]*=|\$env:)(?=\S).*$|\S+/g;

/** Lines of at most `width` cells, unless a chunk is wider. `hanging`: the indent of all but the first. */
export function wrapMessage(line: string, width: number, hanging?: number): readonly string[] {
  if (displayWidth(line) <= width) return [line];
  const text = line.trimStart();
  const indent = ' '.repeat(line.length - text.length);
  const next = hanging === undefined ? indent : ' '.repeat(hanging);
  const lines: string[] = [];
  let current = indent;
  let end = 0;
  for (const { 0: word, index } of text.matchAll(chunk)) {
    const isEmpty = end === 0;
    const gap = isEmpty ? '' : (/(?<! ) *$/.exec(text.slice(end, index))?.[0] ?? '');
    if (!isEmpty && displayWidth(current + gap + word) > width) {
      lines.push(current);
      current = next + word;
    } else current += gap + word;
    end = index + word.length;
  }
  return [...lines, current];
}
