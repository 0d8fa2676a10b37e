// Shortens texts that are too long for their column. What a text shares with its neighbours gives way, from the outside in; what tells it
// from them stays, and so does what tells it from any other text that would look the same.

import { displayWidth, ellipsis, graphemes } from '../width.ts';
import { findBranches, findDifferences, type Range, splitUnits } from './differences.ts';

/** Comparing longer texts would take too long for a keystroke. */
const maxCompared = 1000;
/** Texts that still look alike after so many need more room. */
const maxRounds = 4;
/** In narrower columns, a shared beginning shows only its end. */
const widthForStart = 40;
export const startsWithDay = /^\d{4}-\d\d-\d\d/;
export const dayWidth = '2026-03-02'.length;

type TextMap = ReadonlyMap<string, string>;

interface Item {
  readonly own: readonly string[];
  readonly cells: readonly number[];
  readonly units: readonly Range[];
  readonly differences: readonly (readonly Range[])[];
  readonly needed: readonly Range[];
}

/** Texts in at most `width` cells; one form stands for one text if there is room for what differs. `before`: forms already printed. */
export function shortenAll(texts: readonly string[], width: number, before: TextMap = new Map()): TextMap {
  const all = [...new Set(texts)];
  const forms = new Map(all.map((text) => [text, text]));
  const items = new Map<string, Item>();
  for (const [index, text] of all.entries())
    if (!fits(text, width))
      items.set(text, toItem(text, [all[index - 1] ?? [], all[index + 1] ?? []].flat()));
  // First with the fewest differences, so that the rows that look alike then show the same parts.
  for (const most of [1, 2]) {
    for (const [text, item] of items) forms.set(text, formOf(item, width, most));
    for (let round = 0; round < maxRounds; round++)
      for (const group of findLookAlikes(forms, before)) {
        const branches = findBranches(group.map(toCharacters));
        for (const [index, text] of group.entries()) {
          const item = items.get(text);
          if (item === undefined) continue;
          const changed = { ...item, needed: [...item.needed, ...(branches[index] ?? [])] };
          items.set(text, changed);
          forms.set(text, formOf(changed, width, most));
        }
      }
  }
  return forms;
}

/** Returns each group of different texts that have one form. */
export function findLookAlikes(forms: TextMap, before: TextMap = new Map()): readonly (readonly string[])[] {
  const textsOf = new Map<string, Set<string>>();
  for (const [text, form] of forms) {
    const texts = textsOf.get(form) ?? new Set([before.get(form) ?? text]);
    textsOf.set(form, texts.add(text));
  }
  return [...textsOf.values()].filter(({ size }) => size > 1).map((texts) => [...texts]);
}

/** Returns at most `width` cells, with each part that differs from a neighbour if they fit. Without neighbours, both ends. */
export function shorten(text: string, neighbours: readonly string[], width: number): string {
  return fits(text, width) ? text : formOf(toItem(text, neighbours), width);
}

function fits(text: string, width: number): boolean {
  return text.length <= maxCompared && displayWidth(text) <= width;
}

function toItem(text: string, neighbours: readonly string[]): Item {
  const own = toCharacters(text);
  const differences = neighbours
    .map((neighbour) => findDifferences(own, [toCharacters(neighbour)]))
    .filter((ranges) => ranges.length > 0);
  // A date keeps its day.
  const needed = startsWithDay.test(text) ? [{ from: 0, to: dayWidth }] : [];
  return { own, cells: own.map(displayWidth), units: splitUnits(own), differences, needed };
}

/** Without `https://`, which says least. */
function toCharacters(text: string): readonly string[] {
  const characters = graphemes(text.slice(0, maxCompared).replace(/^https:\/\/(?=.)/, ''));
  return text.length <= maxCompared ? characters : [...characters.slice(0, -1), ellipsis];
}

/** Shows what differs from look-alikes and from `most` neighbours, the more similar ones first, then what is beside it. */
function formOf({ own, cells, units, differences, needed }: Item, width: number, most?: number): string {
  let shown = own.map(() => false);
  const show = (ranges: readonly Range[]) => {
    const more = [...shown];
    for (const { from, to } of ranges) more.fill(true, from, to);
    let used = 0;
    for (const [at, isShown] of more.entries())
      used += isShown ? (cells[at] ?? 0) : Number(isCutAt(more, at));
    if (used <= width) shown = more;
    return used <= width;
  };
  const grow = (ranges: readonly Range[]) => ranges.every((range) => show([range]));
  const unitsIn = (ranges: readonly Range[] = []) =>
    units.filter((unit) => ranges.some(({ from, to }) => unit.from < to && unit.to > from));
  const sizeOf = (ranges: readonly Range[]) => ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const nearest = differences.toSorted((first, second) => sizeOf(first) - sizeOf(second));
  if (!show(needed)) grow(unitsIn(needed));
  for (const ranges of nearest.slice(0, most)) show(ranges);
  if (!shown.includes(true)) grow(unitsIn(nearest[0]));
  const [first, last] = [shown.indexOf(true), shown.lastIndexOf(true)];
  const isProse = most !== undefined && own.includes(' ');
  const startWidth = width * (first === -1 ? (isProse ? 1 : 0.6) : width < widthForStart ? 0 : 0.3);
  const between = units.filter(({ from, to }) => from > first && to <= last);
  const before = units.filter(({ from }) => first === -1 || from < first);
  const after = units.filter(({ to }) => to > last);
  show(between);
  // The end of a URL or a title says least; that of a sentence does not.
  if (most === undefined && first !== -1) grow(after);
  grow(before.filter(({ to }) => to <= startWidth));
  for (const part of [before.reverse(), after, between]) grow(part);
  if (!shown.includes(true)) grow(own.map((_, at) => ({ from: at, to: at + 1 })));
  return own.map((character, at) => (shown[at] ? character : isCutAt(shown, at) ? ellipsis : '')).join('');
}

/** True at the first one of the characters that are left out. */
function isCutAt(shown: readonly boolean[], at: number): boolean {
  return !shown[at] && (at === 0 || shown[at - 1] === true);
}
