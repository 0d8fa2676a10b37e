// Texts that are too long for their column lose their middle, but not the part in which they differ from the one above
// or below: a row of URLs is told apart by just that.

import { displayWidth, graphemes } from '../width.ts';

export const ellipsis = '…';

/** Each at most `width` cells wide. What differs from a neighbour stays whole where there is room for it. */
export function shortened(texts: readonly string[], width: number): readonly string[] {
  const split = texts.map((text) => (displayWidth(text) > width ? graphemes(text) : undefined));
  return texts.map((text, at) => {
    const own = split[at];
    if (!own) return text;
    const neighbours = [texts[at - 1], texts[at + 1]].flatMap((one) =>
      one === undefined ? [] : [graphemes(one)],
    );
    return withoutMiddles(own, differences(own, neighbours), width);
  });
}

/** From and up to which character a text differs from one of the others. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export function differences(own: readonly string[], others: readonly (readonly string[])[]): readonly Part[] {
  return others.flatMap((other) => {
    const least = Math.min(own.length, other.length);
    let from = 0;
    while (from < least && own[from] === other[from]) from++;
    if (from === own.length && from === other.length) return [];
    let same = 0;
    while (same < least - from && own.at(-1 - same) === other.at(-1 - same)) same++;
    const to = own.length - same;
    // Where only the other has something more, both sides of that place stay.
    return [from < to ? { from, to } : { from: Math.max(0, from - 1), to: Math.min(own.length, to + 1) }];
  });
}

/** At most `width` cells: the longest runs outside `parts` lose their middles first. */
function withoutMiddles(own: readonly string[], parts: readonly Part[], width: number): string {
  const cells = own.map(displayWidth);
  const cellsOf = ({ from, to }: Part) => cells.slice(from, to).reduce((sum, one) => sum + one, 0);
  let excess = cellsOf({ from: 0, to: own.length }) - width;
  const cuts: Part[] = [];
  const runs = outside(parts, own.length).toSorted((one, other) => cellsOf(other) - cellsOf(one));
  for (const run of runs) {
    if (excess <= 0) break;
    const cut = middleOf(run, cells, excess + 1);
    // The ellipsis takes a cell itself.
    const gain = cellsOf(cut) - 1;
    if (gain <= 0) continue;
    cuts.push(cut);
    excess -= gain;
  }
  // The differing parts alone are too long: both ends tell most.
  if (excess > 0) {
    const whole = { from: 0, to: own.length };
    return without(own, [middleOf(whole, cells, cellsOf(whole) - width + 1)]);
  }
  return without(own, cuts);
}

/** The runs between the parts. */
function outside(parts: readonly Part[], length: number): Part[] {
  const runs: Part[] = [];
  let at = 0;
  for (const { from, to } of parts.toSorted((one, other) => one.from - other.from)) {
    if (from > at) runs.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  if (at < length) runs.push({ from: at, to: length });
  return runs;
}

/** The middle of a run that takes `wanted` cells or more; all of the run where it has no more. */
function middleOf(run: Part, cells: readonly number[], wanted: number): Part {
  let from = Math.floor((run.from + run.to) / 2);
  let to = from;
  let taken = 0;
  while (taken < wanted && (from > run.from || to < run.to)) {
    const back = to === run.to || (from > run.from && run.to - to < from - run.from);
    taken += (back ? cells[--from] : cells[to++]) ?? 0;
  }
  return { from, to };
}

function without(own: readonly string[], cuts: readonly Part[]): string {
  let text = '';
  let at = 0;
  for (const { from, to } of cuts.toSorted((one, other) => one.from - other.from)) {
    text += `${own.slice(at, from).join('')}${ellipsis}`;
    at = to;
  }
  return text + own.slice(at).join('');
}
