// What each key does in a picker. Only rows that were shown can be picked: Enter and Tab apply to the row that was
// highlighted on the screen, to a visible row that arrow keys in the same read have reached, or to the only row that a
// filter leaves. A key without a meaning beeps.

import { type Keystroke, toOneLine } from '../keystrokes.ts';
import { graphemes } from '../width.ts';
import type { Row } from './entry.ts';
import { filterRows } from './filter.ts';

export interface PickerState {
  readonly query: string;
  /** Indices of rows. */
  readonly marked: ReadonlySet<number>;
  /** Which of those that match is highlighted. */
  readonly cursor: number;
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
  readonly multiple: boolean;
  /** How many rows are on the screen at once. */
  readonly pageSize: number;
  readonly seen: VisibleRows;
}

/** What was on the screen when the key was pressed. */
export interface VisibleRows {
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
export const maxQueryLength = 1000;

export function initialState(query: string): PickerState {
  return { query, marked: new Set(), cursor: 0 };
}

/** The row that is highlighted; none where nothing matches. */
export function highlightedRow(rows: readonly Row[], { query, cursor }: PickerState): number | undefined {
  return filterRows(rows, query)[cursor];
}

export function handleKey(state: PickerState, key: Key, view: PickerView): Step {
  const matches = filterRows(view.rows, state.query);
  const move = (to: number): Step => {
    const cursor = Math.max(0, Math.min(matches.length - 1, to));
    return cursor === state.cursor ? undefined : { state: { ...state, cursor } };
  };
  const ctrl = key.ctrl === true;
  if (key.meta === true && key.name !== 'escape') return undefined;
  if (ctrl && key.name === 'p') return move(state.cursor - 1);
  if (ctrl && key.name === 'n') return move(state.cursor + 1);
  if (ctrl && key.name === 'u') return filterBy(state, '');
  if (ctrl && key.name === 'w') return filterBy(state, state.query.trimEnd().replace(/(?<!\S)\S+$/, ''));
  switch (key.name) {
    case 'up':
      return move(state.cursor - 1);
    case 'down':
      return move(state.cursor + 1);
    case 'pageup':
      return move(state.cursor - view.pageSize);
    case 'pagedown':
      return move(state.cursor + view.pageSize);
    case 'home':
      return move(0);
    case 'end':
      return move(matches.length - 1);
    case 'backspace':
      return filterBy(state, graphemes(state.query).slice(0, -1).join(''));
    case 'escape':
      return state.query === '' ? { leaves: true } : filterBy(state, '');
    case 'tab':
      return toggleMark(state, matches, view);
    case 'return':
    case 'enter':
      return pick(state, matches, view);
  }
  const typed = key.sequence ?? '';
  // A filter does not begin with a space.
  if (typed === ' ' && state.query === '' && view.multiple && !ctrl) return toggleMark(state, matches, view);
  return !ctrl && isText(typed) ? filterBy(state, state.query + typed) : undefined;
}

/** A paste as a whole. */
export function handlePaste(state: PickerState, text: string): Step {
  const flat = toOneLine(text);
  return isText(flat) ? filterBy(state, state.query + flat) : undefined;
}

function filterBy(state: PickerState, query: string): Step {
  return query === state.query || query.length > maxQueryLength
    ? undefined
    : { state: { ...state, query, cursor: 0 } };
}

/** The highlighted row, where it is certain that it was meant. */
function confirmedRow(
  state: PickerState,
  matches: readonly number[],
  { seen }: PickerView,
): number | undefined {
  const index = matches[state.cursor];
  const only = matches.length === 1 && state.query.trim() !== '';
  if (index === undefined) return undefined;
  return only || index === seen.highlighted || seen.shown.includes(index) ? index : undefined;
}

function toggleMark(state: PickerState, matches: readonly number[], view: PickerView): Step {
  const index = confirmedRow(state, matches, view);
  if (!view.multiple || index === undefined) return undefined;
  const marked = new Set(state.marked);
  if (!marked.delete(index)) marked.add(index);
  // Several in a row are marked with one key.
  return { state: { ...state, marked, cursor: Math.min(state.cursor + 1, matches.length - 1) } };
}

/** What is marked, and only that, where anything is: the screen says so. */
function pick(state: PickerState, matches: readonly number[], view: PickerView): Step {
  if (matches.length === 0) return undefined;
  if (state.marked.size > 0) return { picked: [...state.marked].toSorted((one, other) => one - other) };
  const index = confirmedRow(state, matches, view);
  return index === undefined ? undefined : { picked: [index] };
}

function isText(typed: string): boolean {
  return typed !== '' && !/\p{Cc}/u.test(typed);
}

/** Of several lines the first: what follows was meant for questions that nobody has seen either. */
export function initialQuery(strokes: readonly Keystroke[]): string {
  let text = '';
  for (const { kind, text: typed } of strokes) {
    if (typed === '\r' || typed === '\n') break;
    if (kind === 'text') text += typed;
    else if (kind === 'paste') text += toOneLine(typed);
    else if (typed === '\x7f' || typed === '\b') text = [...text].slice(0, -1).join('');
    else if (typed === '\x15') text = '';
  }
  return text.trim().slice(0, maxQueryLength);
}
