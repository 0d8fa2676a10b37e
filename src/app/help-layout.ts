// Lays out help for the width of the terminal: in two columns if both fit, otherwise one below the other.

import type { World } from '#world/world.ts';

/** Of what is no terminal, and of a terminal that does not say. */
const defaultWidth = 110;

/** In columns. COLUMNS comes first: who exports it means it. */
export function helpWidth({ environment, streams }: Pick<World, 'environment' | 'streams'>): number {
  const columns = Number(environment['COLUMNS']);
  return Number.isInteger(columns) && columns > 0 ? columns : (streams.output.columns ?? defaultWidth);
}

/** A first page has no more lines, on a terminal of this width or a wider one. */
export const firstPage = { lines: 40, width: 80 };

/** The word behind `--help` that asks for everything. */
export const everything = 'all';

/** A column of text is not squeezed below this. */
const minText = 30;
const indent = 2;
const gap = 2;
const hanging = 6;

/** Breaks at spaces. A word that is too long stays whole. */
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

/** Prose: its paragraphs, whatever lines they are written in. */
export function wrapParagraphs(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) => wrap(paragraph.replaceAll('\n', ' '), width))
    .join('\n\n');
}

/** A term, and what it is, beside it at `termWidth` or below it. */
export function formatItem(term: string, termWidth: number, text: string, width: number): string {
  const beside = indent + termWidth + gap;
  if (width - beside >= minText) {
    const first = `${' '.repeat(indent)}${term.padEnd(termWidth + gap)}`;
    return first + indentRest(wrap(text, width - beside), beside);
  }
  const first = ' '.repeat(indent) + indentRest(wrap(term, width - hanging), hanging);
  return `${first}\n${' '.repeat(hanging)}${indentRest(wrap(text, width - hanging), hanging)}`;
}

/** What goes on behind a label that stands there already. */
export function wrapAfterLabel(label: string, text: string, width: number): string {
  return indentRest(wrap(text, width - label.length), hanging);
}

function indentRest(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** What it does, as a remark above the line, which stays whole to be copied. */
export function formatExample(
  { description, command }: { readonly description: string; readonly command: string },
  width: number,
): string {
  return `  # ${wrap(description, width - 4).replaceAll('\n', '\n  # ')}\n  ${command}`;
}
