// Handles each key of a picker. Only a row that the user has seen can be picked: the highlighted one, a visible one that arrow keys
// of the same read have reached, or the filter's only match. A key without a meaning beeps.

import { editLine, isEnter, type Keystroke, toOneLine } from '../keystrokes.ts';
import { graphemes } from '../width.ts';
import { filterRows, type Row } from './entry.ts';

export interface PickerState {
  readonly query: string;
  readonly marked: ReadonlySet<number>;
  /** The index of the highlighted match. */
  readonly cursor: number;
}

export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly sequence?: string | undefined;
}

interface PickerView {
  readonly rows: readonly Row[];
  readonly multiple: boolean;
  readonly pageSize: number;
  readonly lastScreen: VisibleRows;
}

/** What was on the screen when the key was pressed. */
export interface VisibleRows {
  readonly highlighted: number | undefined;
  /** The visible rows; none after keys of the same read changed the filter, whose matches the user could not see. */
  readonly shown: readonly number[];
}

/** The new state, the picked rows, or the end without a choice. Undefined for a key without a meaning. */
export type Step =
  | { readonly state: PickerState }
  | { readonly picked: readonly number[] }
  | { readonly leaves: true }
  | undefined;

/** In UTF-16 units. No title needs more, and filtering by a pasted file would take minutes. */
const maxQueryLength = 1000;

export function initialState(query: string): PickerState {
  return { query, marked: new Set(), cursor: 0 };
}

/** Returns the highlighted row; undefined without a match. */
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
  const text = key.sequence ?? '';
  // A filter does not begin with a space.
  if (text === ' ' && state.query === '' && view.multiple && !ctrl) return toggleMark(state, matches, view);
  return !ctrl && isText(text) ? filterBy(state, state.query + text) : undefined;
}

export function handlePaste(state: PickerState, text: string): Step {
  const line = toOneLine(text);
  return isText(line) ? filterBy(state, state.query + line) : undefined;
}

function filterBy(state: PickerState, query: string): Step {
  return query === state.query || query.length > maxQueryLength
    ? undefined
    : { state: { ...state, query, cursor: 0 } };
}

/** Returns the row at the cursor if the user has seen it there. */
function confirmedRow(state: PickerState, matches: readonly number[], { lastScreen }: PickerView) {
  const index = matches[state.cursor];
  const isOnlyMatch = matches.length === 1 && state.query.trim() !== '';
  if (index === undefined) return undefined;
  return isOnlyMatch || index === lastScreen.highlighted || lastScreen.shown.includes(index)
    ? index
    : undefined;
}

function toggleMark(state: PickerState, matches: readonly number[], view: PickerView): Step {
  const index = confirmedRow(state, matches, view);
  if (!view.multiple || index === undefined) return undefined;
  const marked = new Set(state.marked);
  if (!marked.delete(index)) marked.add(index);
  // Move down, so that the same key marks the next row.
  return { state: { ...state, marked, cursor: Math.min(state.cursor + 1, matches.length - 1) } };
}

/** Picks only the marked rows if there are any, as the screen announces. */
function pick(state: PickerState, matches: readonly number[], view: PickerView): Step {
  if (matches.length === 0) return undefined;
  if (state.marked.size > 0) return { picked: [...state.marked].toSorted((first, second) => first - second) };
  const index = confirmedRow(state, matches, view);
  return index === undefined ? undefined : { picked: [index] };
}

function isText(text: string): boolean {
  return text !== '' && !/\p{Cc}/u.test(text);
}

/** Only the first line: the rest was typed for prompts that have not appeared yet. */
export function initialQuery(strokes: readonly Keystroke[]): string {
  const end = strokes.findIndex(isEnter);
  const line = strokes.slice(0, end === -1 ? undefined : end).reduce(editLine, '');
  return line.trim().slice(0, maxQueryLength);
}
