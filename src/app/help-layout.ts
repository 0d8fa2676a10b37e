// Lays out help for the width of the terminal: in two columns if both fit, otherwise stacked.

import type { Examples } from '#cli/command.ts';
import type { World } from '#world/world.ts';

/** For other output than a terminal, and for a terminal that does not report its width. */
const defaultWidth = 110;

/** In columns. An exported COLUMNS takes precedence. */
export function helpWidth({ environment, streams }: Pick<World, 'environment' | 'streams'>): number {
  const columns = Number(environment['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : (streams.output.columns ?? defaultWidth);
}

/** A first page has at most this many lines on a terminal of this width. */
export const firstPage = { lines: 40, width: 80 };

/** The word after `--help` that asks for everything. */
export const everything = 'all';

/** The minimum width of a text column. */
const minText = 30;
const indent = 2;
const gap = 2;
const hanging = 6;

/** Breaks at spaces. A long word stays whole. */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = '';
  for (const [chunk] of line.matchAll(/\s*\S+/g)) {
    if (current !== '' && current.length + chunk.length > width) {
      lines.push(current);
      current = chunk.trimStart();
    } else {
      current += chunk;
    }
  }
  return [...lines, current].join('\n');
}

/** Joins the source lines of each paragraph, and wraps it. */
export function wrapParagraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) => wrap(paragraph.replaceAll('\n', ' '), width))
    .join('\n\n');
}

/** A term with its text, beside it at `termWidth` or below it. */
export function formatItem(term: string, termWidth: number, text: string, width: number): string {
  const beside = indent + termWidth + gap;
  if (width - beside >= minText) {
    const first = `${' '.repeat(indent)}${term.padEnd(termWidth + gap)}`;
    return first + indentRest(wrap(text, width - beside), beside);
  }
  const first = ' '.repeat(indent) + indentRest(wrap(term, width - hanging), hanging);
  return `${first}\n${' '.repeat(hanging)}${indentRest(wrap(text, width - hanging), hanging)}`;
}

/** Wraps text that follows a label on the same line. */
export function wrapAfterLabel(label: string, text: string, width: number): string {
  return indentRest(wrap(text, width - label.length), hanging);
}

function indentRest(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** Each description as a comment above its command, which is not wrapped so that it can be copied. */
export function formatExamples(examples: Examples, width: number, most = Number.POSITIVE_INFINITY): string {
  const texts = Object.entries(examples)
    .slice(0, most)
    .map(
      ([description, command]) =>
        `  # ${wrap(description, width - 4).replaceAll('\n', '\n  # ')}\n  ${command}`,
    );
  return `Examples:\n${texts.join('\n\n')}\n`;
}
