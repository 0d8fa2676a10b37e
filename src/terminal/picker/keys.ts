// What each key does to a picker. Nothing is picked that was not seen: Enter and Tab count for a row that was highlighted
// on the screen when they were pressed; for one that stood there and that the arrows before them, in the same read, have
// reached; or for the only one that a filter leaves. Whatever has no meaning beeps.

import { asOneLine } from '../strokes.ts';
import { graphemes } from '../width.ts';
import type { Row } from './entry.ts';
import { matching } from './filter.ts';

export interface PickerState {
  readonly query: string;
  /** Indices of rows. */
  readonly marked: ReadonlySet<number>;
  /** Which of those that match is highlighted. */
  readonly at: number;
}

export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  /** The characters themselves. */
  readonly sequence?: string | undefined;
}

export interface PickerView {
  readonly rows: readonly Row[];
  /** Tab marks several. */
  readonly several: boolean;
  /** How many rows are on the screen at once. */
  readonly page: number;
  readonly seen: Seen;
}

/** What was on the screen when the key was pressed. */
export interface Seen {
  /** The row, by its index. */
  readonly highlighted: number | undefined;
  /** All rows there; none once keys of the same read have changed the filter, since nobody knew what that would leave. */
  readonly shown: readonly number[];
}

/** The new state, the rows that were picked, or the end without any; nothing for a key without a meaning. */
export type Step =
  | { readonly state: PickerState }
  | { readonly picked: readonly number[] }
  | { readonly leaves: true }
  | undefined;

/** In UTF-16 units; no title is found by more, and a file that was pasted would take minutes to be looked for. */
export const longestFilter = 1000;

export function startOf(query: string): PickerState {
  return { query, marked: new Set(), at: 0 };
}

/** The row that is highlighted; none where nothing matches. */
export function highlighted(rows: readonly Row[], { query, at }: PickerState): number | undefined {
  return matching(rows, query)[at];
}

export function press(state: PickerState, key: Key, view: PickerView): Step {
  const matches = matching(view.rows, state.query);
  const move = (to: number): Step => {
    const at = Math.max(0, Math.min(matches.length - 1, to));
    return at === state.at ? undefined : { state: { ...state, at } };
  };
  const ctrl = key.ctrl === true;
  if (key.meta === true && key.name !== 'escape') return undefined;
  if (ctrl && key.name === 'p') return move(state.at - 1);
  if (ctrl && key.name === 'n') return move(state.at + 1);
  if (ctrl && key.name === 'u') return filterBy(state, '');
  if (ctrl && key.name === 'w') return filterBy(state, state.query.trimEnd().replace(/\S+$/, ''));
  switch (key.name) {
    case 'up':
      return move(state.at - 1);
    case 'down':
      return move(state.at + 1);
    case 'pageup':
      return move(state.at - view.page);
    case 'pagedown':
      return move(state.at + view.page);
    case 'home':
      return move(0);
    case 'end':
      return move(matches.length - 1);
    case 'backspace':
      return filterBy(state, graphemes(state.query).slice(0, -1).join(''));
    case 'escape':
      return state.query === '' ? { leaves: true } : filterBy(state, '');
    case 'tab':
      return mark(state, matches, view);
    case 'return':
    case 'enter':
      return pick(state, matches, view);
  }
  const typed = key.sequence ?? '';
  return !ctrl && isText(typed) ? filterBy(state, state.query + typed) : undefined;
}

/** A paste as a whole. */
export function paste(state: PickerState, text: string): Step {
  const flat = asOneLine(text);
  return isText(flat) ? filterBy(state, state.query + flat) : undefined;
}

function filterBy(state: PickerState, query: string): Step {
  return query === state.query || query.length > longestFilter
    ? undefined
    : { state: { ...state, query, at: 0 } };
}

/** The highlighted row, where it is certain that it was meant. */
function certain(state: PickerState, matches: readonly number[], { seen }: PickerView): number | undefined {
  const index = matches[state.at];
  const only = matches.length === 1 && state.query.trim() !== '';
  if (index === undefined) return undefined;
  return only || index === seen.highlighted || seen.shown.includes(index) ? index : undefined;
}

function mark(state: PickerState, matches: readonly number[], view: PickerView): Step {
  const index = certain(state, matches, view);
  if (!view.several || index === undefined) return undefined;
  const marked = new Set(state.marked);
  if (!marked.delete(index)) marked.add(index);
  return { state: { ...state, marked } };
}

/** What is marked, and only that, where anything is: the screen says so. */
function pick(state: PickerState, matches: readonly number[], view: PickerView): Step {
  if (matches.length === 0) return undefined;
  if (state.marked.size > 0) return { picked: [...state.marked].toSorted((one, other) => one - other) };
  const index = certain(state, matches, view);
  return index === undefined ? undefined : { picked: [index] };
}

function isText(typed: string): boolean {
  return typed !== '' && !/\p{Cc}/u.test(typed);
}
