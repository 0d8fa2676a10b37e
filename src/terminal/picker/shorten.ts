// Shortens texts that are too long for their column. Removes the middle, but keeps the part that differs from the neighbours: there
// the URLs differ.

import { displayWidth, ellipsis, graphemes, truncateEnd } from '../width.ts';
import { findDifferences, type Range } from './differences.ts';

/** Comparing longer texts would take too long for a keystroke. */
const maxCompared = 1000;

/** Returns at most `width` cells. Keeps a part that differs from a neighbour whole if it fits. */
export function shorten(text: string, neighbours: readonly string[], width: number): string {
  if (text.length > maxCompared) return truncateEnd(text, width);
  if (displayWidth(text) <= width) return text;
  const own = graphemes(text);
  const others = neighbours.map((neighbour) => graphemes(neighbour.slice(0, maxCompared)));
  return removeMiddles(own, own.map(displayWidth), rangesToKeep(own, others, width), width);
}

/** Returns what differs from both neighbours if it fits, and otherwise from the more similar one. */
function rangesToKeep(
  own: readonly string[],
  neighbours: readonly (readonly string[])[],
  width: number,
): readonly Range[] {
  const sizeOf = (parts: readonly Range[]) => {
    const mergedParts = mergeRanges(parts, own.length);
    const cells = mergedParts.flatMap(({ from, to }) => own.slice(from, to)).map(displayWidth);
    // Allow for an ellipsis before, between and after the parts.
    return cells.reduce((sum, one) => sum + one, mergedParts.length + 1);
  };
  const differences = findDifferences(own, neighbours);
  if (sizeOf(differences) <= width) return differences;
  const differencesByNeighbour = neighbours
    .map((neighbour) => findDifferences(own, [neighbour]))
    .filter((parts) => parts.length > 0);
  return differencesByNeighbour.toSorted((first, second) => sizeOf(first) - sizeOf(second))[0] ?? differences;
}

/** Returns at most `width` cells. Removes the middle of the longest runs outside `parts` first. */
function removeMiddles(
  own: readonly string[],
  cells: readonly number[],
  parts: readonly Range[],
  width: number,
): string {
  const cellsOf = ({ from, to }: Range) => cells.slice(from, to).reduce((sum, one) => sum + one, 0);
  let excess = cellsOf({ from: 0, to: own.length }) - width;
  const cuts: Range[] = [];
  const runs = gapsBetween(parts, own.length).toSorted((first, second) => cellsOf(second) - cellsOf(first));
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
  const mergedParts = mergeRanges(parts, own.length);
  if (mergedParts.length > 1) return removeMiddles(own, cells, mergedParts.slice(0, -1), width);
  const whole = { from: 0, to: own.length };
  return replaceRanges(own, [middleOf(whole, cells, cellsOf(whole) - width + 1)]);
}

/** Sorts the parts, and merges the ones that touch. */
function mergeRanges(parts: readonly Range[], length: number): Range[] {
  const runs = gapsBetween(parts, length);
  const edges = [{ from: 0, to: 0 }, ...runs, { from: length, to: length }];
  return edges
    .slice(1)
    .map((run, at) => ({ from: edges[at]?.to ?? 0, to: run.from }))
    .filter(({ from, to }) => from < to);
}

function gapsBetween(parts: readonly Range[], length: number): Range[] {
  const runs: Range[] = [];
  let at = 0;
  for (const { from, to } of parts.toSorted((first, second) => first.from - second.from)) {
    if (from > at) runs.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  if (at < length) runs.push({ from: at, to: length });
  return runs;
}

/** Returns the middle of a run, `wanted` cells or more; the whole run if it is shorter. */
function middleOf(run: Range, cells: readonly number[], wanted: number): Range {
  let from = Math.floor((run.from + run.to) / 2);
  let to = from;
  let taken = 0;
  while (taken < wanted && (from > run.from || to < run.to)) {
    const back = to === run.to || (from > run.from && run.to - to < from - run.from);
    taken += (back ? cells[--from] : cells[to++]) ?? 0;
  }
  return { from, to };
}

function replaceRanges(own: readonly string[], cuts: readonly Range[]): string {
  let text = '';
  let at = 0;
  for (const { from, to } of cuts.toSorted((first, second) => first.from - second.from)) {
    text += `${own.slice(at, from).join('')}${ellipsis}`;
    at = to;
  }
  return text + own.slice(at).join('');
}
