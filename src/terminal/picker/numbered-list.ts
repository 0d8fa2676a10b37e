// A picker without cursor movement: pages of numbered rows, and a line that explains how to choose. A row keeps its number under
// every filter, and can be picked only while it is on the screen.

import { displayWidth } from '../width.ts';
import { countRows, filterRows, type Row } from './entry.ts';
import { createLayout, filterCells } from './layout.ts';

type PageState = Readonly<ReturnType<typeof createPage>>;

type Choice =
  | { readonly picked: readonly number[] }
  | { readonly state: PageState }
  | { readonly error: string };

export const pageSize = 20;

/** Returns the page of matches that starts at `from`: the indices of its rows. */
export function createPage(rows: readonly Row[], query: string, from: number) {
  return { query, from, shown: filterRows(rows, query).slice(from, from + pageSize) };
}

export function formatPage(rows: readonly Row[], { query, from, shown }: PageState, columns: number) {
  const matches = filterRows(rows, query);
  const digits = String(rows.length).length;
  const layout = createLayout(rows, shown, Math.max(1, columns - digits - 5));
  const lines = shown.map((index) => `  ${String(index + 1).padStart(digits)}  ${layout.line(index)}`);
  const lastNumber = from + shown.length;
  const span = shown.length === matches.length ? '' : ` (showing ${from + 1} to ${lastNumber})`;
  return [...lines, `${countRows(rows, query)}${span}`];
}

/** Returns what the user can type: the longer text if it fits. */
export function formatPrompt(
  rows: readonly Row[],
  { query, from, shown }: PageState,
  multiple: boolean,
  columns: number,
): string {
  const moreHint = from + shown.length < filterRows(rows, query).length ? ', Enter for more' : '';
  const number = multiple ? 'Numbers' : 'Number';
  const long = `${number}, or text to filter by${moreHint}:`;
  return displayWidth(long) + filterCells <= columns ? long : `${number} or filter:`;
}

export function parseChoice(rows: readonly Row[], state: PageState, line: string, multiple: boolean): Choice {
  const trimmed = line.trim();
  const lastNumber = state.from + state.shown.length;
  if (trimmed === '') {
    const hasMore = lastNumber < filterRows(rows, state.query).length;
    return hasMore
      ? { state: createPage(rows, state.query, lastNumber) }
      : { error: 'Type a number, or text to filter by; / shows all' };
  }
  const numbers = parseNumbers(trimmed);
  if (numbers) return pickByNumber(numbers, state, multiple);
  const query = trimmed.startsWith('/') ? trimmed.slice(1).trim() : trimmed;
  const next = createPage(rows, query, 0);
  return next.shown.length > 0 ? { state: next } : { error: `No matches for ${JSON.stringify(query)}` };
}

/** Parses `3`, `1 4`, `1,4` or `2-5`. Returns undefined for text. */
function parseNumbers(trimmed: string): readonly number[] | undefined {
  if (!/^\d{1,9}(?:-\d{1,9})?(?:[\s,]+\d{1,9}(?:-\d{1,9})?)*$/.test(trimmed)) return undefined;
  return trimmed.split(/[\s,]+/).flatMap((word) => {
    const [from = 0, to = from] = word.split('-').map(Number);
    // Limit a range: a typing error must not use up the memory.
    const length = Math.min(Math.max(1, to - from + 1), 100_000);
    return Array.from({ length }, (_, offset) => from + offset);
  });
}

function pickByNumber(numbers: readonly number[], { shown }: PageState, multiple: boolean): Choice {
  const unseen = numbers.find((number) => !shown.includes(number - 1));
  if (unseen !== undefined)
    return { error: `${unseen} is not in the list above; to filter by these digits type /${unseen}` };
  if (numbers.length > 1 && !multiple) return { error: 'Type one number only' };
  return {
    picked: [...new Set(numbers)].map((number) => number - 1).toSorted((first, second) => first - second),
  };
}
