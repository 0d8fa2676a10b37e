// The state of each row of a bulk run: a byte each, in pages, so that a million rows take a megabyte, and a stray line
// number only one page.

import type { FinalKind, RecordedError } from './row.ts';

export const rowState = { notSent: 0, sent: 1, updated: 2, failed: 3, invalid: 4 } as const;
export type RowState = (typeof rowState)[keyof typeof rowState];

/** The outcome of a finished row; undefined for a row that is still to be sent. */
export function finalKind(state: RowState): FinalKind | undefined {
  if (state === rowState.updated) return 'updated';
  if (state === rowState.failed) return 'failed';
  return state === rowState.invalid ? 'invalid' : undefined;
}

export type RowStates = ReturnType<typeof createRowStates>;

const pageBits = 16;
const stateBits = 7;
const reportedBit = 8;
const allStates: readonly RowState[] = Object.values(rowState);

/** By the lines of the input where the rows begin. `rows`: how many the input has. All begin as not sent. */
export function createRowStates(rows: number) {
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
    /** Why rows failed or were invalid in an earlier run, by their lines. */
    errors: new Map<number, RecordedError>(),
    get,
    set(line: number, state: RowState) {
      counts[get(line)]--;
      counts[state]++;
      setByte(line, (getByte(line) & reportedBit) | state);
    },
    /** How many rows have each state. */
    counts: () => ({
      updated: counts[rowState.updated],
      failed: counts[rowState.failed],
      invalid: counts[rowState.invalid],
      /** Sent, without a response. */
      unknown: counts[rowState.sent],
      notSent: rows - counts[rowState.sent] - countFinal(),
    }),
    /** How many rows were updated, failed or were invalid: they need no further request. */
    get final() {
      return countFinal();
    },
    isReported: (line: number) => (getByte(line) & reportedBit) !== 0,
    setReported(line: number) {
      const byte = getByte(line);
      if ((byte & reportedBit) !== 0) return;
      reported++;
      setByte(line, byte | reportedBit);
    },
    /** How many rows are final and were not reported. */
    get unreported() {
      return countFinal() - reported;
    },
  };
}
