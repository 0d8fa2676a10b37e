// Hands out the rows of an input one by one, to all workers, without those that an earlier run has finished and reported.

import type { FinalKind } from './outcome.ts';
import type { Row, RowBatches } from './row.ts';
import { type RowState, type RowStates, rowState } from './row-states.ts';

export interface RowSupply<U> {
  /** The next row of those that were read already. */
  next(): Row<U> | undefined;
  /** Reads on, once for all who wait. False at the end of the input; rejects where the input cannot be read. */
  readMore(): Promise<boolean>;
}

export interface RowSupplyOptions<U> {
  readonly batches: RowBatches<U>;
  readonly states: Pick<RowStates, 'get' | 'isReported'>;
  /** Called for each row that failed or was invalid in an earlier run, in the order of the input. */
  onEarlierFailure(row: Row<U>): void;
}

/** Reads the next batch only when the last one is used up. */
export function createRowSupply<U>({ batches, states, onEarlierFailure }: RowSupplyOptions<U>): RowSupply<U> {
  const iterator = batches[Symbol.asyncIterator]();
  let batch: Iterator<Row<U>> = [].values();
  let reading: Promise<boolean> | undefined;
  const read = async (): Promise<boolean> => {
    const result = await iterator.next();
    // Past the end, the result stays the same.
    if (result.done) return false;
    reading = undefined;
    batch = result.value.values();
    return true;
  };
  return {
    next() {
      for (let one = batch.next(); !one.done; one = batch.next()) {
        const row = one.value;
        const earlier = finalKind(states.get(row.line));
        if (earlier === 'failed' || earlier === 'invalid') onEarlierFailure(row);
        if (earlier === undefined || !states.isReported(row.line)) return row;
      }
      return undefined;
    },
    readMore() {
      reading ??= read();
      return reading;
    },
  };
}

/** The outcome of a row that needs no sending any more; undefined for every other one. */
export function finalKind(state: RowState): FinalKind | undefined {
  if (state === rowState.updated) return 'updated';
  if (state === rowState.failed) return 'failed';
  return state === rowState.invalid ? 'invalid' : undefined;
}
