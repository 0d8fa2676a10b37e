// Draws the frame of a picker: the question and the query, the rows around the highlighted one, its hidden details, a count.

import { sanitizeLine } from '../sanitize.ts';
import type { Format } from '../style.ts';
import { displayWidth, ellipsis, graphemes, truncateEnd } from '../width.ts';
import { measure, wrap } from '../wrap.ts';
import { countRows, filterRows, type Row } from './entry.ts';
import type { PickerState } from './keys.ts';
import { createLayout, filterCells } from './layout.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Picker {
  readonly message: string;
  readonly rows: readonly Row[];
  readonly multiple: boolean;
  readonly inAscii?: boolean;
  readonly isReading?: boolean;
}

type PickerStyle = Record<'highlight' | 'faint', Format>;
export type Frame = ReturnType<typeof drawFrame>;

const maxRows = 15;
export const lookingFurther = 'None of these. Looking further ...';

/** Leaves the last column free, so that no line wraps. The frame is never higher than the terminal. */
export function drawFrame(picker: Picker, state: PickerState, size: Size, style: PickerStyle) {
  const { rows, multiple, inAscii } = picker;
  const pointer = inAscii ? '> ' : '❯ ';
  const width = Math.max(1, size.columns - 1);
  const matches = filterRows(rows, state.query);
  const prefix = displayWidth(pointer) + (multiple ? 4 : 0);
  const near = matches.slice(Math.max(0, state.cursor - 2 * maxRows), state.cursor + 2 * maxRows);
  const layout = createLayout(rows, matches, Math.max(1, width - prefix), near);
  const head = headLines(picker.message, sanitizeLine(state.query), width, size.rows);
  const remainingRows = size.rows - head.length;
  const [hasCount, hasHidden] = [remainingRows > 1, remainingRows > 3 && layout.hidesDetails];
  const pageSize = Math.max(1, Math.min(maxRows, remainingRows - Number(hasCount) - Number(hasHidden)));

  // Centre the highlighted row, except near the ends of the list.
  const top = Math.max(0, Math.min(state.cursor - Math.floor(pageSize / 2), matches.length - pageSize));
  const visibleMatches = matches.slice(top, top + pageSize);
  const lines = visibleMatches.map((index, position) => {
    const isHighlighted = top + position === state.cursor;
    const box = multiple ? (state.marked.has(index) ? '[x] ' : '[ ] ') : '';
    const text = truncateEnd(`${isHighlighted ? pointer : '  '}${box}${layout.line(index)}`, width);
    return isHighlighted ? style.highlight(text) : text;
  });
  const none = picker.isReading ? lookingFurther : 'No matches. Esc: clear the filter.';
  if (matches.length === 0) lines.push(truncateEnd(`  ${none}`, width));
  const current = matches[state.cursor];
  const hidden = current === undefined ? '' : layout.hiddenDetails(current, width - 2);
  return {
    /** The question. The cursor is after the last of these lines. */
    head,
    body: [
      ...lines,
      ...(hasHidden ? [style.faint(truncateEnd(`  ${hidden}`, width))] : []),
      ...(hasCount ? [style.faint(status(picker, state, width))] : []),
    ],
    shown: visibleMatches,
    pageSize,
  };
}

function status({ rows, multiple, inAscii }: Picker, { query, marked }: PickerState, width: number) {
  const enterHint = marked.size > 0 ? `Enter: choose the ${marked.size} marked` : 'Enter: choose';
  const parts = [
    `  ${countRows(rows, query)}`,
    ...(marked.size > 0 ? [`${marked.size} marked`] : []),
    ...(query === '' ? ['type to filter'] : []),
    enterHint,
    ...(multiple ? ['Tab: mark'] : []),
    query === '' ? 'Esc: cancel' : 'Esc: clear the filter',
    `${inAscii ? 'Up/Down' : '↑↓'}: move`,
  ];
  let text = parts[0] ?? '';
  for (const part of parts.slice(1)) {
    if (displayWidth(`${text}, ${part}`) > width) break;
    text += `, ${part}`;
  }
  return truncateEnd(text, width);
}

/** The query goes beside the question if any query has room there, and otherwise on its own line. */
function headLines(question: string, query: string, width: number, rows: number): string[] {
  const start = `? ${question} `;
  if (displayWidth(start) + filterCells <= width)
    return [start + truncateStart(query, width - displayWidth(start))];
  const maxLines = Math.max(1, Math.floor(rows / 3));
  const lines = wrap(measure(`? ${question}`), width);
  const questionLines =
    lines.length > maxLines
      ? [...lines.slice(0, maxLines - 1), truncateEnd(lines.slice(maxLines - 1).join(' '), width)]
      : lines;
  const filter = `> ${truncateStart(query, width - 2)}`;
  return rows > questionLines.length + 1 ? [...questionLines, filter] : [filter];
}

/** Too long: show the end, where the cursor is. */
function truncateStart(text: string, width: number): string {
  const isTooLong = (characters: readonly string[]) =>
    displayWidth(characters.join('')) > width || characters.join('').length > width;
  let end = graphemes(text);
  if (!isTooLong(end)) return text;
  while (end.length > 0 && isTooLong([ellipsis, ...end])) end = end.slice(1);
  return width > 0 ? [ellipsis, ...end].join('') : '';
}
