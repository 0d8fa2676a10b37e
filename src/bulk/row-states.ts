// What is known of each row of a bulk: a byte each, in pages, so that a million of them take a megabyte and a line number
// that no input has takes one page.

export const rowState = { notSent: 0, sent: 1, updated: 2, failed: 3 } as const;
export type RowState = (typeof rowState)[keyof typeof rowState];

/** By the lines of the input where the rows begin. */
export interface RowStates {
  get(line: number): RowState;
  set(line: number, to: RowState): void;
  count(of: RowState): number;
  isReported(line: number): boolean;
  setReported(line: number): void;
  /** How many have a response and were not reported. */
  readonly unreported: number;
}

const pageBits = 16;
const stateBits = 3;
const reportedBit = 4;

export function createRowStates(rows: number): RowStates {
  const pages: (Uint8Array | undefined)[] = [];
  const counts = [0, 0, 0, 0];
  let reported = 0;
  const byteOf = (line: number): number => pages[line >>> pageBits]?.[line & (2 ** pageBits - 1)] ?? 0;
  const setByte = (line: number, to: number) => {
    const at = line >>> pageBits;
    const page = pages[at] ?? new Uint8Array(2 ** pageBits);
    pages[at] = page;
    page[line & (2 ** pageBits - 1)] = to;
  };
  const of = (line: number): RowState => {
    const bits = byteOf(line) & stateBits;
    return bits === 1 || bits === 2 || bits === 3 ? bits : 0;
  };
  return {
    get: of,
    set(line, to) {
      const before = of(line);
      counts[before] = (counts[before] ?? 0) - 1;
      counts[to] = (counts[to] ?? 0) + 1;
      setByte(line, (byteOf(line) & reportedBit) | to);
    },
    count: (one) =>
      one === rowState.notSent
        ? rows - [1, 2, 3].reduce((sum, at) => sum + (counts[at] ?? 0), 0)
        : (counts[one] ?? 0),
    isReported: (line) => (byteOf(line) & reportedBit) !== 0,
    setReported(line) {
      const byte = byteOf(line);
      if ((byte & reportedBit) !== 0) return;
      reported++;
      setByte(line, byte | reportedBit);
    },
    get unreported() {
      return (counts[rowState.updated] ?? 0) + (counts[rowState.failed] ?? 0) - reported;
    },
  };
}
