// Shortens texts that are too long for their column. Removes the middle, but keeps what tells a text from its neighbours.

import { displayWidth, ellipsis, graphemes, truncateEnd } from '../width.ts';
import { findDifferences, type Range } from './differences.ts';

/** Comparing longer texts would take too long for a keystroke. */
const maxCompared = 1000;

/** Returns at most `width` cells, with each part that differs from a neighbour if it fits. */
export function shorten(text: string, neighbours: readonly string[], width: number): string {
  if (text.length > maxCompared) return truncateEnd(text, width);
  if (displayWidth(text) <= width) return text;
  const own = graphemes(text);
  const neighbourTexts = neighbours.map((neighbour) => graphemes(neighbour.slice(0, maxCompared)));
  return removeMiddles(own, own.map(displayWidth), rangesToKeep(own, neighbourTexts, width), width);
}

/** Returns what differs from both neighbours if it fits, and otherwise from the more similar one. */
function rangesToKeep(
  own: readonly string[],
  neighbours: readonly (readonly string[])[],
  width: number,
): readonly Range[] {
  /** With an ellipsis before, between and after the ranges. */
  const widthOf = (ranges: readonly Range[]) => {
    const mergedRanges = mergeRanges(ranges, own.length);
    return mergedRanges
      .flatMap(({ from, to }) => own.slice(from, to))
      .reduce((sum, character) => sum + displayWidth(character), mergedRanges.length + 1);
  };
  const differences = findDifferences(own, neighbours);
  if (widthOf(differences) <= width) return differences;
  const differencesByNeighbour = neighbours
    .map((neighbour) => findDifferences(own, [neighbour]))
    .filter((ranges) => ranges.length > 0);
  return (
    differencesByNeighbour.toSorted((first, second) => widthOf(first) - widthOf(second))[0] ?? differences
  );
}

/** Returns at most `width` cells. Removes the middle of the longest runs outside `ranges` first. */
function removeMiddles(
  own: readonly string[],
  cells: readonly number[],
  ranges: readonly Range[],
  width: number,
): string {
  const cellsOf = ({ from, to }: Range) => cells.slice(from, to).reduce((sum, width) => sum + width, 0);
  let excess = cellsOf({ from: 0, to: own.length }) - width;
  const cuts: Range[] = [];
  const runs = rangesOutside(ranges, own.length).toSorted(
    (first, second) => cellsOf(second) - cellsOf(first),
  );
  for (const run of runs) {
    if (excess <= 0) break;
    const cut = middleOf(run, cells, excess + 1);
    // The ellipsis takes one cell.
    const gain = cellsOf(cut) - 1;
    if (gain <= 0) continue;
    cuts.push(cut);
    excess -= gain;
  }
  if (excess <= 0) return replaceRanges(own, cuts);
  // Still too long: keep the first differences, which say most, or both ends of the only one.
  const mergedRanges = mergeRanges(ranges, own.length);
  if (mergedRanges.length > 1) return removeMiddles(own, cells, mergedRanges.slice(0, -1), width);
  const fullRange = { from: 0, to: own.length };
  return replaceRanges(own, [middleOf(fullRange, cells, cellsOf(fullRange) - width + 1)]);
}

/** Sorts the ranges, and merges the ones that touch. */
function mergeRanges(ranges: readonly Range[], length: number): Range[] {
  return rangesOutside(rangesOutside(ranges, length), length);
}

function rangesOutside(ranges: readonly Range[], length: number): Range[] {
  const outside: Range[] = [];
  let end = 0;
  for (const { from, to } of ranges.toSorted((first, second) => first.from - second.from)) {
    if (from > end) outside.push({ from: end, to: from });
    end = Math.max(end, to);
  }
  if (end < length) outside.push({ from: end, to: length });
  return outside;
}

/** Returns the middle of a run, `minCells` cells or more; the whole run if it is shorter. */
function middleOf(run: Range, cells: readonly number[], minCells: number): Range {
  let from = Math.floor((run.from + run.to) / 2);
  let to = from;
  let total = 0;
  while (total < minCells && (from > run.from || to < run.to)) {
    const back = to === run.to || (from > run.from && run.to - to < from - run.from);
    total += (back ? cells[--from] : cells[to++]) ?? 0;
  }
  return { from, to };
}

function replaceRanges(own: readonly string[], cuts: readonly Range[]): string {
  let text = '';
  let end = 0;
  for (const { from, to } of cuts.toSorted((first, second) => first.from - second.from)) {
    text += `${own.slice(end, from).join('')}${ellipsis}`;
    end = to;
  }
  return text + own.slice(end).join('');
}
