// The state of each row of a bulk run: a byte each, in pages, so that a million rows take a megabyte, and a stray line
// number only one page.

import type { FinalKind } from './row.ts';

export const rowState = { notSent: 0, sent: 1, updated: 2, failed: 3, invalid: 4 } as const;
export type RowState = (typeof rowState)[keyof typeof rowState];

/** The outcome of a finished row; undefined for a row that is still to be sent. */
export function finalKind(state: RowState): FinalKind | undefined {
  if (state === rowState.updated) return 'updated';
  if (state === rowState.failed) return 'failed';
  return state === rowState.invalid ? 'invalid' : undefined;
}

/** By the lines of the input where the rows begin. */
export interface RowStates {
  get(line: number): RowState;
  set(line: number, state: RowState): void;
  /** How many rows have this state. */
  count(state: RowState): number;
  /** How many rows were updated, failed or were invalid: they need no further request. */
  readonly final: number;
  isReported(line: number): boolean;
  setReported(line: number): void;
  /** How many rows are final and were not reported. */
  readonly unreported: number;
}

const pageBits = 16;
const stateBits = 7;
const reportedBit = 8;
const allStates: readonly RowState[] = Object.values(rowState);

/** `rows`: how many the input has. All begin as not sent. */
export function createRowStates(rows: number): RowStates {
  const pages: (Uint8Array | undefined)[] = [];
  /** Counts by state, except for rows not sent: those are the remainder. */
  const counts: Record<RowState, number> = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 };
  let reported = 0;
  const getByte = (line: number): number => pages[line >>> pageBits]?.[line & (2 ** pageBits - 1)] ?? 0;
  const setByte = (line: number, byte: number) => {
    const pageNumber = line >>> pageBits;
    const page = pages[pageNumber] ?? new Uint8Array(2 ** pageBits);
    pages[pageNumber] = page;
    page[line & (2 ** pageBits - 1)] = byte;
  };
  const get = (line: number): RowState => allStates[getByte(line) & stateBits] ?? rowState.notSent;
  const countFinal = () => counts[rowState.updated] + counts[rowState.failed] + counts[rowState.invalid];
  return {
    get,
    set(line, state) {
      counts[get(line)]--;
      counts[state]++;
      setByte(line, (getByte(line) & reportedBit) | state);
    },
    count: (state) =>
      state === rowState.notSent ? rows - counts[rowState.sent] - countFinal() : counts[state],
    get final() {
      return countFinal();
    },
    isReported: (line) => (getByte(line) & reportedBit) !== 0,
    setReported(line) {
      const byte = getByte(line);
      if ((byte & reportedBit) !== 0) return;
      reported++;
      setByte(line, byte | reportedBit);
    },
    get unreported() {
      return countFinal() - reported;
    },
  };
}
