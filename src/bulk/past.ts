// What a journal says of an earlier run: which rows were answered, and which were sent and not answered. Lines that a
// crash tore are passed over: what they said had not been synced, so nobody was told of it.

import { choice, number, Refused, record, text } from '../contract/value.ts';
import type { JournalHeader } from './journal.ts';
import { ownLines } from './text.ts';

export const state = { untouched: 0, sent: 1, done: 2, failed: 3 } as const;
export type State = (typeof state)[keyof typeof state];

/** A byte for each row, so that a million of them take a megabyte. */
export interface RowStates {
  of(row: number): State;
  set(row: number, to: State): void;
  count(of: State): number;
}

export interface Past {
  readonly header: JournalHeader;
  readonly states: RowStates;
  /** Why rows failed, by their numbers. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The file ends in the middle of a line. */
  readonly isTorn: boolean;
}

const headerLine = record('journal header', {
  journal: choice('journal', ['wm task update']),
  version: number('version', { from: 1, below: 2 }),
  key: text('key'),
  rows: number('rows', { from: 0 }),
  started: number('started'),
});

export function createStates(rows: number): RowStates {
  let bytes = new Uint8Array(rows + 1);
  const counts = [0, 0, 0, 0];
  const of = (row: number): State => {
    const byte = bytes[row];
    return byte === 1 || byte === 2 || byte === 3 ? byte : 0;
  };
  return {
    of,
    set(row, to) {
      if (row >= bytes.length) {
        const longer = new Uint8Array(Math.max(row + 1, bytes.length * 2));
        longer.set(bytes);
        bytes = longer;
      }
      const before = of(row);
      counts[before] = (counts[before] ?? 0) - 1;
      counts[to] = (counts[to] ?? 0) + 1;
      bytes[row] = to;
    },
    count: (one) =>
      one === state.untouched
        ? rows - [1, 2, 3].reduce((sum, at) => sum + (counts[at] ?? 0), 0)
        : (counts[one] ?? 0),
  };
}

/** Nothing where the file is no journal of a bulk. */
export async function readPast(bytes: AsyncIterable<Uint8Array>): Promise<Past | undefined> {
  let header: JournalHeader | undefined;
  let states = createStates(0);
  let isTorn = false;
  const reasons = new Map<number, string>();
  for await (const piece of ownLines(bytes)) {
    const lines = piece.text.split('\n');
    isTorn = lines.pop() !== '';
    for (const line of lines) {
      const value = parsed(line);
      if (header) note(states, reasons, value);
      else {
        header = headerOf(value);
        if (!header) return undefined;
        states = createStates(header.rows);
      }
    }
  }
  return header && { header, states, reasons, isTorn };
}

/** The first line alone; nothing where it is none of a journal. */
export async function readHeader(bytes: AsyncIterable<Uint8Array>): Promise<JournalHeader | undefined> {
  for await (const piece of ownLines(bytes)) return headerOf(parsed(piece.text.split('\n', 1)[0] ?? ''));
  return undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function headerOf(value: unknown): JournalHeader | undefined {
  try {
    const { journal, key, rows, started } = headerLine.check(value);
    return { journal, version: 1, key, rows, started };
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

function note(states: RowStates, reasons: Map<number, string>, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const set = (row: unknown, to: State) => {
    if (typeof row === 'number' && Number.isSafeInteger(row) && row > 0 && row < 2 ** 31) states.set(row, to);
  };
  if ('sent' in value) set(value.sent, state.sent);
  else if ('done' in value) set(value.done, state.done);
  else if ('failed' in value) {
    set(value.failed, state.failed);
    if (typeof value.failed === 'number' && 'why' in value) reasons.set(value.failed, String(value.why));
  } else if ('unsent' in value) set(value.unsent, state.untouched);
}
